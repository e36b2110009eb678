package codex

import (
	"io"
	"io/fs"
	"strings"
	"testing"

	"lens/store/ingest/chat"
	"lens/store/ingest/source"
	"lens/store/ingest/source/sourcetest"
)

// folder has files by their names.
type folder map[string]string

func (folder) List(string) []string { return nil }

func (f folder) Open(name string) (io.ReadCloser, error) {
	content, ok := f[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(strings.NewReader(content)), nil
}

// TestFormat_Title has the last title in the list of titles, which is in a folder above the session.
func TestFormat_Title(t *testing.T) {
	const id = "0199b2c0-0000-7000-8000-00000000bbbb"
	session := sourcetest.File(t, "testdata/"+rollout)
	read := func(f source.Folder) *chat.Parsed {
		file := &source.File{Reader: strings.NewReader(session), Name: "x/sessions/2026/04/01/" + rollout, Folder: f}
		for p, err := range Format.Read(file) {
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		return nil
	}
	plain := read(nil)
	for name, c := range map[string]struct {
		files folder
		want  string
	}{
		"the last one": {folder{"x/session_index.jsonl": `{"id":"` + id + `","thread_name":"Old","updated_at":"2027-01-01T00:00:00Z"}
{"id":"` + id + `","thread_name":"Dials","updated_at":"2027-01-02T00:00:00Z"}
{"id":"other","thread_name":"of ` + id + `"}
{"id":"` + id}, "Dials"},
		"no list":          {folder{}, plain.Title},
		"not in the list":  {folder{"x/session_index.jsonl": `{"id":"other","thread_name":"x"}`}, plain.Title},
		"a damaged list":   {folder{"x/session_index.jsonl": "[" + id}, plain.Title},
		"a list elsewhere": {folder{"y/session_index.jsonl": `{"id":"` + id + `","thread_name":"x"}`}, plain.Title},
	} {
		p := read(c.files)
		if p.Title != c.want || p.ID != plain.ID || (c.want == "Dials") != p.Updated.After(plain.Updated) {
			t.Errorf("%s: got %q, updated %v", name, p.Title, p.Updated)
		}
	}
	if !Format.Companion("a/session_index.jsonl") || Format.Companion("a/history.jsonl") {
		t.Error("the list of titles is taken for something else")
	}
}

package input

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/internal/testenv"
)

const (
	gpt          = `[{"title":"t","mapping":{"m":{"message":{"author":{"role":"user"}}}}}]`
	emptyGPT     = `[{"title":"t","mapping":{}}]`
	claudeExport = `[{"uuid":"u","name":"","chat_messages":[]}]`
)

// file is a file of a test's zip or folder.
type file struct {
	name, data string
	change     func(*zip.FileHeader)
}

func zipped(t testing.TB, files ...file) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
		if f.change != nil {
			f.change(h)
		}
		m, err := w.CreateHeader(h)
		if err == nil {
			_, err = io.WriteString(m, f.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func stored(h *zip.FileHeader) { h.Method = zip.Store }

// writeFiles writes files into a new folder and returns its path.
func writeFiles(t testing.TB, files ...file) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f.data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// writeFile writes one file and returns its path.
func writeFile(t testing.TB, name, data string) string {
	t.Helper()
	return filepath.Join(writeFiles(t, file{name: name, data: data}), name)
}

// listFiles opens path and returns the files found, their formats and the missing parts; it checks that each file can be
// read.
func listFiles(t testing.TB, path string) string {
	t.Helper()
	a, err := Open(t.Context(), path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	var all []string
	for _, f := range a.Files {
		r, err := f.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		inUTF16 := int64(2*len(data)) == f.Size || int64(2*len(data)+2) == f.Size // where a test has only ASCII
		if err != nil || int64(len(data)) != f.Size && !inUTF16 {
			t.Errorf("%s: read %d bytes of %d: %v", f.Name, len(data), f.Size, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		all = append(all, f.Name+"="+string(f.Format.Source))
	}
	for _, name := range a.MissingParts {
		all = append(all, "missing "+name)
	}
	return strings.Join(all, " ")
}

func TestOpen_Zips(t *testing.T) {
	manifest := func(files string) file {
		return file{name: "export_manifest.json", data: `{"version":1,"logical_files":{"conversations.json":{"files":` + files + `,"sharded":true}}}`}
	}
	inner := zipped(t, file{name: "conversations.json", data: gpt})
	for name, c := range map[string]struct {
		files []file
		want  string
	}{
		"one file among sidecars": {
			[]file{{name: "user.json", data: "{}"}, {name: "chat.html", data: "<html>"}, {name: "conversations.json", data: gpt}, {name: "shared_conversations.json", data: gpt}, {name: "sectioned_conversations.json", data: "[]"}, {name: "file-x.dat", data: "\x00"}},
			"e.zip/conversations.json=chatgpt",
		},
		"parts in the order of their numbers": {
			[]file{{name: "conversations-001.json", data: gpt}, {name: "conversations-000.json", data: gpt}},
			"e.zip/conversations-000.json=chatgpt e.zip/conversations-001.json=chatgpt",
		},
		"the single file and its parts": {
			[]file{{name: "conversations.json", data: gpt}, {name: "conversations-000.json", data: gpt}},
			"e.zip/conversations-000.json=chatgpt e.zip/conversations.json=chatgpt",
		},
		"a gap in the numbering": {
			[]file{{name: "conversations-000.json", data: gpt}, {name: "conversations-003.json", data: gpt}},
			"e.zip/conversations-000.json=chatgpt e.zip/conversations-003.json=chatgpt missing e.zip/conversations-001.json missing e.zip/conversations-002.json",
		},
		"a part missing from the manifest's list": {
			[]file{{name: "conversations-000.json", data: gpt}, manifest(`["conversations-000.json","conversations-001.json"]`)},
			"e.zip/conversations-000.json=chatgpt missing e.zip/conversations-001.json",
		},
		"a manifest of objects, in a folder, with other names": {
			[]file{{name: "a/chats-1.json", data: gpt}, {name: "a/export_manifest.json", data: manifest(`[{"path":"chats-1.json"},{"path":"chats-2.json"}]`).data}},
			"e.zip/a/chats-1.json=chatgpt missing e.zip/a/chats-2.json",
		},
		"another manifest, and one that is broken": {
			[]file{{name: "conversations.json", data: gpt}, {name: "sites/export_manifest.json", data: `{"sites":[]}`}, {name: "x/export_manifest.json", data: `{`}},
			"e.zip/conversations.json=chatgpt",
		},
		"macOS metadata": {
			[]file{{name: "conversations-000.json", data: gpt}, {name: "__MACOSX/._conversations-000.json", data: "\x00"}, {name: "__MACOSX/conversations.json", data: gpt}, {name: "._conversations.json", data: "\x00"}},
			"e.zip/conversations-000.json=chatgpt",
		},
		"inside a folder":               {[]file{{name: "My export/conversations.json", data: gpt}}, "e.zip/My export/conversations.json=chatgpt"},
		"paths with backslashes":        {[]file{{name: `My export\conversations.json`, data: gpt}}, "e.zip/My export/conversations.json=chatgpt"},
		"paths out of the zip":          {[]file{{name: "../../conversations.json", data: gpt}}, "e.zip/conversations.json=chatgpt"},
		"names with control characters": {[]file{{name: "a\x1b[2J/conversations.json", data: gpt}}, "e.zip/a\uFFFD[2J/conversations.json=chatgpt"},
		"a link is not followed": {
			[]file{{name: "conversations-000.json", data: gpt}, {name: "conversations.json", data: "/etc/passwd", change: func(h *zip.FileHeader) { h.SetMode(os.ModeSymlink | 0o777) }}},
			"e.zip/conversations-000.json=chatgpt",
		},
		"a Claude export": {[]file{{name: "conversations.json", data: claudeExport}, {name: "users.json", data: `[{"uuid":"x"}]`}, {name: "projects.json", data: "[]"}}, "e.zip/conversations.json=claude"},
		"a zip in a zip": {
			[]file{{name: "Conversations__x-chatgpt-0001.zip", data: inner}, {name: "Account__x.zip", data: zipped(t, file{name: "user.json", data: "{}"})}},
			"e.zip/Conversations__x-chatgpt-0001.zip/conversations.json=chatgpt",
		},
		"a zip in a zip, uncompressed": {[]file{{name: "in.zip", data: inner, change: stored}}, "e.zip/in.zip/conversations.json=chatgpt"},
		"two zips in a zip in a zip": {
			[]file{{name: "o.zip", data: zipped(t, file{name: "1.zip", data: inner}, file{name: "2.zip", data: inner})}},
			"e.zip/o.zip/1.zip/conversations.json=chatgpt e.zip/o.zip/2.zip/conversations.json=chatgpt",
		},
		"an attached zip is ignored": {
			[]file{{name: "conversations.json", data: gpt}, {name: "file-abc.zip", data: inner}},
			"e.zip/conversations.json=chatgpt",
		},
		"the page alone":       {[]file{{name: "chat.html", data: chatPage}}, "e.zip/chat.html=chatgpt"},
		"the page beside":      {[]file{{name: "chat.html", data: chatPage}, {name: "conversations.json", data: gpt}}, "e.zip/conversations.json=chatgpt"},
		"an empty list":        {[]file{{name: "conversations.json", data: "[]"}}, "e.zip/conversations.json=chatgpt"},
		"stored, not deflated": {[]file{{name: "conversations.json", data: gpt, change: stored}}, "e.zip/conversations.json=chatgpt"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := listFiles(t, writeFile(t, "e.zip", zipped(t, c.files...))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if strings.Contains(name, "link") || runtime.GOOS == "windows" || strings.ContainsAny(c.files[0].name, "\\\x1b") || strings.Contains(c.files[0].name, "..") {
				return
			}
			want := strings.ReplaceAll(c.want, "e.zip/", "") // the same, unpacked
			if got := listFiles(t, writeFiles(t, c.files...)); got != want {
				t.Errorf("unpacked: got  %s\nwant %s", got, want)
			}
		})
	}
}

const chatPage = "<script>var jsonData = " + gpt + ";</script>"

func TestOpen_Folders(t *testing.T) {
	export := zipped(t, file{name: "conversations.json", data: gpt})
	for name, c := range map[string]struct {
		files []file
		want  string
	}{
		"two exports":                 {[]file{{name: "2023/conversations.json", data: gpt}, {name: "2024/conversations.json", data: claudeExport}}, "2023/conversations.json=chatgpt 2024/conversations.json=claude"},
		"a folder of zips":            {[]file{{name: "a.zip", data: export}, {name: "b/c.ZIP", data: export}, {name: "photos.zip", data: zipped(t, file{name: "a.jpg"})}, {name: "no.zip", data: "x"}}, "a.zip/conversations.json=chatgpt b/c.ZIP/conversations.json=chatgpt"},
		"files before zips":           {[]file{{name: "a.zip", data: export}, {name: "conversations.json", data: gpt}}, "conversations.json=chatgpt"},
		"a file for each chat":        {[]file{{name: "conversations (1).json", data: gpt}, {name: "chats/Tea.json", data: gpt[1 : len(gpt)-1]}, {name: "chats/notes.json", data: `{"a":1}`}, {name: "chats/broken.json", data: `[{"title`}}, "chats/Tea.json=chatgpt conversations (1).json=chatgpt"},
		"JSON of other kinds":         {[]file{{name: "conversations.json", data: emptyGPT}, {name: "index.json", data: emptyGPT}, {name: "movie.json", data: `{"title":"t","create_time":12}`}, {name: "big.json", data: "[" + strings.Repeat(" ", 1<<20) + "]"}}, "conversations.json=chatgpt"},
		"names of any kind":           {[]file{{name: "Google AI Studio/Soap", data: `{"chunkedPrompt":{"chunks":[]}}`}, {name: "Google AI Studio/README", data: "Dear diary"}, {name: "activity.csv", data: "Timestamp,ClientApp,Prompt\n"}, {name: "prices.csv", data: "a,b\n"}}, "Google AI Studio/Soap=aistudio activity.csv=copilot"},
		"a page beside the export":    {[]file{{name: "a/chat.html", data: chatPage}, {name: "a/conversations.json", data: gpt}, {name: "b/chat.html", data: chatPage}, {name: "c/chat.html", data: "<p>a blog</p>"}}, "a/conversations.json=chatgpt b/chat.html=chatgpt"},
		"training data is left alone": {[]file{{name: "conversations.json", data: gpt}, {name: "train.jsonl", data: `{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]}`}}, "conversations.json=chatgpt"},
		"accounts and settings":       {[]file{{name: "conversations.json", data: gpt}, {name: "user.json", data: gpt}, {name: "prod-mc-billing.json", data: gpt}, {name: "user_settings.json", data: gpt}}, "conversations.json=chatgpt"},
		"hidden folders are ignored":  {[]file{{name: ".trash/conversations.json", data: gpt}, {name: "conversations.json", data: gpt}}, "conversations.json=chatgpt"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := listFiles(t, writeFiles(t, c.files...)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestOpen_LinksOutOfFolder(t *testing.T) {
	elsewhere := writeFiles(t, file{name: "conversations.json", data: gpt})
	dir := writeFiles(t, file{name: "conversations-000.json", data: gpt})
	if err := os.Symlink(filepath.Join(elsewhere, "conversations.json"), filepath.Join(dir, "conversations.json")); err != nil {
		t.Skipf("SKIPPED: no symbolic links here: %v", err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, "more")); err != nil {
		t.Fatal(err)
	}
	if got := listFiles(t, dir); got != "conversations-000.json=chatgpt" {
		t.Errorf("got %s", got)
	}
	pointed := filepath.Join(t.TempDir(), "export")
	if err := os.Symlink(dir, pointed); err != nil {
		t.Fatal(err)
	}
	if got := listFiles(t, pointed); got != "conversations-000.json=chatgpt" {
		t.Errorf("a link given as the path: got %s", got)
	}
}

func TestOpen_SingleFiles(t *testing.T) {
	for name, c := range map[string]struct{ data, want string }{
		"ChatGPT":                   {gpt, "chatgpt"},
		"Claude":                    {claudeExport, "claude"},
		"a wrapper":                 {`{"version":1,"conversations":` + gpt + `}`, "chatgpt"},
		"a wrapper around Claude":   {`{"conversations":` + claudeExport + `}`, "claude"},
		"one conversation":          {`{"id":"x","mapping":{}}`, "chatgpt"},
		"one of Claude":             {`{"uuid":"x","chat_messages":[]}`, "claude"},
		"nulls and shells first":    {`[null,{"title":"shell"},{"uuid":"x","chat_messages":[]}]`, "claude"},
		"only shells":               {`[{"title":"shell","create_time":1}]`, "chatgpt"},
		"a very long title":         {`[{"title":"` + strings.Repeat("x", 10<<20) + `","mapping":{}}]`, "chatgpt"},
		"an empty list":             {`[]`, "chatgpt"},
		"an empty conversation":     {emptyGPT, "chatgpt"},
		"an empty file":             {``, "chatgpt"}, // the parser says what is wrong
		"incomplete":                {`[{"title":"x`, "chatgpt"},
		"incomplete, from Claude":   {`[{"uuid":"x","name":"y`, "chatgpt"},
		"nested too deep":           {strings.Repeat("[", 100_000), "chatgpt"},
		"a byte order mark":         {"\xEF\xBB\xBF" + claudeExport, "claude"},
		"one conversation per line": {`{"uuid":"x","chat_messages":[]}` + "\n" + `{"uuid":"y","chat_messages":[]}`, "claude"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := listFiles(t, writeFile(t, "some chats.txt", c.data)); got != "some chats.txt="+c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestOpen_InvalidJSON(t *testing.T) {
	if got := listFiles(t, writeFile(t, "chats.json", "Dear diary")); got != "chats.json=chatgpt" { // whose parser says so
		t.Errorf("got %s", got)
	}
}

func TestOpen_ModernExport(t *testing.T) {
	path := testenv.Shared(t, "exports/synthetic-modern/export.zip")
	if got := listFiles(t, path); got != "export.zip/conversations.json=chatgpt" {
		t.Errorf("got %s", got)
	}
}

func FuzzOpen(f *testing.F) {
	inner := zipped(f, file{name: "conversations.json", data: gpt})
	f.Add([]byte(inner))
	f.Add([]byte(inner[:len(inner)-10]))
	f.Add([]byte(zipped(f, file{name: "i.zip", data: inner}, file{name: "export_manifest.json", data: `{"logical_files":{"conversations.json":{"files":["x"]}}}`})))
	f.Add([]byte(zipped(f, file{name: "i.zip", data: inner, change: stored})))
	f.Add([]byte(claudeExport))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, fmt.Sprint(os.Getpid(), ".bin"))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := open(t.Context(), path, "", limits{ratio: 200, floor: 1 << 20, total: 4 << 20})
		var failed *errs.Error
		if err != nil {
			if !errors.As(err, &failed) || failed.Hint == "" {
				t.Errorf("%v has no code, message or hint", err)
			}
			return
		}
		defer a.Close()
		for _, file := range a.Files {
			r, err := file.Open(t.Context())
			if err != nil {
				continue
			}
			n, err := io.Copy(io.Discard, r)
			if err != nil && !errors.As(err, &failed) || n > 2*file.Size || n > 8<<20+2*int64(len(data)) {
				t.Errorf("%s: %d bytes of %d, %v", file.Name, n, file.Size, err)
			}
			r.Close()
		}
	})
}

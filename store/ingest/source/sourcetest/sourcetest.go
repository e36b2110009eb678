// Package sourcetest checks what every format promises. Only tests import it.
package sourcetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Read reads a file that a format matches, and checks every conversation. Errors fail the test.
func Read(tb testing.TB, format *source.Format, name, content string) []*chat.Parsed {
	tb.Helper()
	if !Matches(tb, format, name, content) {
		tb.Errorf("%s does not match %s", format.Name, name)
	}
	all := testenv.Collect(tb, format.Read(open(name, content)))
	for _, p := range all {
		if err := p.Check(); err != nil {
			tb.Error(err)
		}
	}
	return all
}

// Matches reports whether a format matches a file.
func Matches(tb testing.TB, format *source.Format, name, content string) bool {
	tb.Helper()
	sample, err := source.NewSample(name, int64(len(content)), strings.NewReader(content))
	testenv.Must(tb, err)
	if source.IsDatabase(sample.Head) {
		d, err := open(name, content).Database()
		testenv.Must(tb, err)
		defer d.Close()
		sample.Database = d
	}
	return format.Matches(sample)
}

// open returns a file with this content and no companions.
func open(name, content string) *source.File {
	f := &source.File{Reader: strings.NewReader(content), Name: name}
	if source.IsDatabase([]byte(content)) {
		f.Database = func() (*source.Database, error) {
			return source.OpenDatabase(context.Background(), strings.NewReader(content), int64(len(content)), nil, 0)
		}
	}
	return f
}

// Companions are files beside the one that is read, by name. It implements source.Folder.
type Companions map[string]string

// List implements source.Folder.
func (c Companions) List(folder string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if path.Dir(name) == path.Clean(folder) {
			all = append(all, name)
		}
	}
	return all
}

// Open implements source.Folder.
func (c Companions) Open(name string) (io.ReadCloser, error) {
	content, ok := c[path.Clean(name)]
	if !ok {
		return nil, &errs.Error{Code: errs.NotFound, Op: "open", Err: fs.ErrNotExist}
	}
	return io.NopCloser(strings.NewReader(content)), nil
}

// ReadWith reads a file with its companions, and checks every conversation. Errors fail the test.
func ReadWith(tb testing.TB, format *source.Format, name, content string, beside Companions) []*chat.Parsed {
	tb.Helper()
	f := open(name, content)
	f.Folder = beside
	all := testenv.Collect(tb, format.Read(f))
	for _, p := range all {
		if err := p.Check(); err != nil {
			tb.Error(err)
		}
	}
	return all
}

// Derived returns what derives from conversations, one a line: `kind key "title" mime: text`.
func Derived(all []*chat.Parsed) (lines []string) {
	for _, p := range all {
		for _, d := range p.Derived {
			lines = append(lines, fmt.Sprintf("%s %s %q %s: %q", d.Kind, d.Key, d.Title, d.MIME, d.Text))
		}
	}
	return lines
}

// Turns returns the turns as text, one a line: `question -> answer`, with - before those off the path.
func Turns(all []*chat.Parsed) string {
	var lines []string
	for _, p := range all {
		for _, t := range p.Turns {
			line := fmt.Sprintf("%s -> %s", t.UserText, t.AssistantText)
			if !t.OnPath {
				line = "- " + line
			}
			lines = append(lines, strings.ReplaceAll(line, "\n", `\n`))
		}
	}
	return strings.Join(lines, "\n")
}

// Fixture compares the turns on the active path, and the texts that derive from them, with those that a fixture in
// ../shared/data/exports/sources expects. It skips where that is absent.
func Fixture(t *testing.T, f *source.Format, variant string) {
	t.Helper()
	t.Run(variant, func(t *testing.T) {
		dir := testenv.Shared(t, "exports/sources/"+variant)
		var expected struct {
			File  string
			Turns []struct {
				User, Assistant string
				Created         *time.Time `json:"create_time"`
				Title           *string
			}
			Documents []expectedDocument
		}
		testenv.Must(t, json.Unmarshal([]byte(File(t, filepath.Join(dir, "expected.json"))), &expected))
		var got, want []string
		for _, turn := range expected.Turns {
			line := fmt.Sprintf("%q -> %q", turn.User, turn.Assistant)
			if turn.Created != nil {
				line = when(turn.Created.UTC()) + " " + line
			}
			if turn.Title != nil {
				line += " in " + *turn.Title
			}
			want = append(want, line)
		}
		content := File(t, filepath.Join(dir, filepath.FromSlash(expected.File)))
		if !Matches(t, f, expected.File, content) {
			t.Errorf("%s does not match", f.Name)
		}
		all, _ := Parse(t, f, expected.File, content)
		for _, p := range all {
			for i := range p.Turns {
				if p.Turns[i].OnPath {
					got = append(got, "")
				}
				if n := len(got) - 1; p.Turns[i].OnPath && n < len(expected.Turns) {
					got[n] = outline(p, &p.Turns[i], expected.Turns[n].Created != nil, expected.Turns[n].Title != nil)
				}
			}
		}
		Equal(t, got, want)
		if len(expected.Documents) > 0 {
			checkDerived(t, all, expected.Documents)
		}
	})
}

// expectedDocument is a document that a fixture expects: its ID, or the name of an attachment.
type expectedDocument struct {
	ID, Attachment, Title, Text string
	Version                     int
}

// checkDerived compares the documents as the last change left them.
func checkDerived(t *testing.T, all []*chat.Parsed, expected []expectedDocument) {
	t.Helper()
	var got, want []string
	for _, p := range all {
		for _, d := range p.Derived {
			if d.Earlier {
				continue
			}
			if d.Kind == store.Attachment {
				d.Key = d.Name
			}
			got = append(got, fmt.Sprintf("%s %d: %s", d.Key, d.Version, d.Text))
		}
	}
	for _, d := range expected {
		want = append(want, fmt.Sprintf("%s %d: %s", d.ID+d.Attachment, d.Version, d.Text))
	}
	slices.Sort(got)
	slices.Sort(want)
	Equal(t, got, want)
}

// outline leaves out what a fixture says nothing of.
func outline(p *chat.Parsed, t *store.Turn, dated, titled bool) string {
	line := fmt.Sprintf("%q -> %q", t.UserText, t.AssistantText)
	if dated {
		line = when(t.Time) + " " + line
	}
	if titled {
		line += " in " + p.Title
	}
	return line
}

// NoOther checks that a format matches no shared fixture but those named.
func NoOther(t *testing.T, format *source.Format, own ...string) {
	t.Helper()
	root := testenv.Shared(t, "exports/sources")
	testenv.Must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		relative, err := filepath.Rel(root, path)
		testenv.Must(t, err)
		variant, _, _ := strings.Cut(filepath.ToSlash(relative), "/")
		content, err := os.ReadFile(path)
		testenv.Must(t, err)
		if !slices.Contains(own, variant) && Matches(t, format, filepath.Base(path), string(content)) {
			t.Errorf("%s matches %s", format.Name, relative)
		}
		return nil
	}))
}

// Grows checks that a log that grows line by line keeps the ids of all messages and turns that it had.
func Grows(t *testing.T, format *source.Format, name, content string) {
	t.Helper()
	var before *chat.Parsed
	for end := range len(content) + 1 {
		if end < len(content) && content[end] != '\n' {
			continue
		}
		var now *chat.Parsed
		for p, err := range format.Read(open(name, content[:end])) {
			if err == nil {
				now = p
			}
		}
		if before != nil {
			if now == nil || now.ID != before.ID || now.Updated.Before(before.Updated) {
				t.Fatalf("the conversation changed at byte %d", end)
			}
			for _, m := range before.Messages {
				has := func(other store.Message) bool { return other.ID == m.ID && other.Text == m.Text }
				if !slices.ContainsFunc(now.Messages, has) {
					t.Errorf("at byte %d, the message %q is gone", end, m.Text)
				}
			}
		}
		if now != nil {
			before = now
		}
	}
	if before == nil || len(before.Turns) == 0 {
		t.Error("no turns were read")
	}
}

// Fuzz feeds a format with arbitrary content: whatever it is, conversations are sound, and errors are those that a
// person can act on.
func Fuzz(f *testing.F, format *source.Format, name string, seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		sample, err := source.NewSample(name, int64(len(data)), bytes.NewReader(data))
		testenv.Must(t, err)
		if !source.IsDatabase(data) {
			format.Matches(sample)
		} else if d, err := open(name, string(data)).Database(); err == nil {
			sample.Database = d
			format.Matches(sample)
			testenv.Must(t, d.Close())
		}
		for p, err := range format.Read(open(name, string(data))) {
			var skip *chat.Skip
			var failed *errs.Error
			switch {
			case err == nil:
				if err := p.Check(); err != nil {
					t.Error(err)
				}
			case errors.As(err, &skip), errors.As(err, &failed) && failed.Hint != "":
			default:
				t.Errorf("%v tells a person neither what is wrong nor what to do", err)
			}
		}
	})
}

package input

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lens/internal/errs"
)

func TestOpen_FolderWithDamagedZip(t *testing.T) {
	export := zipped(t, file{name: "conversations.json", data: gpt})
	rejectedZip := zipped(t,
		file{name: "conversations-000.json", data: gpt}, file{name: "conversations-002.json", data: gpt, change: stored},
		file{name: "x/conversations.json", data: gpt}, file{name: "x/./conversations.json", data: gpt})
	for name, c := range map[string]struct {
		files  []file
		want   string
		broken string
	}{
		"damaged zip last":             {[]file{{name: "a.zip", data: export}, {name: "b.zip", data: export[:40]}}, "a.zip/conversations.json", "b.zip: the zip is incomplete"},
		"damaged zip first":            {[]file{{name: "a.zip", data: export[:40]}, {name: "b.zip", data: export}}, "b.zip/conversations.json", "a.zip: the zip is incomplete"},
		"in a subfolder":               {[]file{{name: "b.zip", data: export}, {name: "x/y.zip", data: export[:40]}}, "b.zip/conversations.json", "x/y.zip: the zip is incomplete"},
		"no files of a refused zip":    {[]file{{name: "a.zip", data: rejectedZip}, {name: "b.zip", data: export}}, "b.zip/conversations.json", "a.zip: the zip contains two files"},
		"two damaged, one of pictures": {[]file{{name: "a.zip", data: export[:40]}, {name: "b.zip", data: export}, {name: "c.zip", data: export[:41]}, {name: "d.zip", data: zipped(t, file{name: "a.jpg"})}}, "b.zip/conversations.json", "a.zip: the zip is incomplete c.zip: the zip is incomplete"},
		"no damaged zip":               {[]file{{name: "a.zip", data: export}}, "a.zip/conversations.json", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := Open(t.Context(), writeFiles(t, c.files...), "")
			if err != nil {
				t.Fatal(err)
			}
			defer a.Close()
			var files, broken []string
			for _, f := range a.Files {
				files = append(files, f.Name)
			}
			for _, b := range a.Broken {
				var failed *errs.Error
				if !errors.As(b.Err, &failed) || failed.Hint == "" {
					t.Fatalf("%v has no code, message or hint", b.Err)
				}
				broken = append(broken, b.Name+": "+strings.TrimSuffix(strings.TrimSuffix(failed.Message, " or damaged"), " with the same name"))
			}
			if got := strings.Join(files, " "); got != c.want {
				t.Errorf("files %s, want %s", got, c.want)
			}
			if got := strings.Join(broken, " "); got != c.broken {
				t.Errorf("broken %s, want %s", got, c.broken)
			}
			if len(a.MissingParts) != 0 {
				t.Errorf("the missing parts %v come from a rejected zip", a.MissingParts)
			}
		})
	}
}

func TestOpen_FolderOfDamagedZips(t *testing.T) {
	export := zipped(t, file{name: "conversations.json", data: gpt})
	got := openError(t, writeFiles(t, file{name: "a.zip", data: export[:40]}, file{name: "b.zip", data: export[:40]}), defaults)
	if got.Code != errs.Invalid || !strings.HasPrefix(got.Message, "a.zip: the zip is incomplete") {
		t.Errorf("got %v", got)
	}
}

func TestOpen_CanceledInFolder(t *testing.T) {
	dir := writeFiles(t, file{name: "a.zip", data: zipped(t, file{name: "conversations.json", data: gpt})})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, dir, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestOpen_FolderWithDamagedExports names files that are called as exports are, and that cannot be read.
func TestOpen_FolderWithDamagedExports(t *testing.T) {
	a, err := Open(t.Context(), writeFiles(t,
		file{name: "a.json", data: gpt}, file{name: "export.zip", data: "neither a zip nor text"}, file{name: "zero.zip"},
		file{name: "conversations (1).json"}, file{name: "conversations (2).json", data: gpt[:30]},
		file{name: "other.json", data: "{"}, file{name: "empty.json"}), "")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var files, broken []string
	for _, f := range a.Files {
		files = append(files, f.Name)
	}
	for _, b := range a.Broken {
		broken = append(broken, b.Name+": "+errs.First(b.Err).Message)
	}
	if got, want := strings.Join(files, ", "), "a.json, conversations (1).json, conversations (2).json"; got != want {
		t.Errorf("files: %s, want %s", got, want)
	}
	if got, want := strings.Join(broken, ", "), "export.zip: not a zip archive, zero.zip: the file is empty"; got != want {
		t.Errorf("broken: %s, want %s", got, want)
	}
	if got := a.Unread.String(); got != "2 .json" {
		t.Errorf("not read: %s", got)
	}
}

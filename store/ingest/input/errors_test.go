package input

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lens/internal/errs"
)

// openError opens path and returns the error, which must have a code, a message and a hint.
func openError(t *testing.T, path string, lim limits) *errs.Error {
	t.Helper()
	a, err := open(t.Context(), path, "", lim)
	if err == nil {
		for _, f := range a.Files { // some damage shows only in reading
			var r io.ReadCloser
			if r, err = f.Open(t.Context()); err == nil {
				_, err = io.Copy(io.Discard, r)
				r.Close()
			}
		}
		a.Close()
	}
	var failed *errs.Error
	if !errors.As(err, &failed) || failed.Hint == "" || failed.Message == "" {
		t.Fatalf("%v has no code, message or hint", err)
	}
	return failed
}

func TestOpen_Errors(t *testing.T) {
	export := zipped(t, file{name: "conversations.json", data: gpt})
	big := zipped(t, file{name: "conversations.json", data: `[{"mapping":{"x":"` + noise(100_000) + `"}}]`})
	lock := func(h *zip.FileHeader) { h.Flags |= encrypted }
	for name, c := range map[string]struct {
		path    string
		code    errs.Code
		message string
	}{
		"missing path":             {filepath.Join(t.TempDir(), "gone.zip"), errs.NotFound, "no such file"},
		"an empty folder":          {t.TempDir(), errs.NotFound, "nothing to import in this folder: no export and no documents"},
		"a zip of pictures":        {writeFile(t, "e.zip", zipped(t, file{name: "a.jpg", data: "x"})), errs.NotFound, "no conversations in this zip"},
		"an empty zip":             {writeFile(t, "e.zip", zipped(t)), errs.NotFound, "no conversations in this zip"},
		"not a zip":                {writeFile(t, "e.zip", "hello there"), errs.Invalid, "not a zip archive"},
		"an empty file named zip":  {writeFile(t, "e.zip", ""), errs.Invalid, "the file is empty"},
		"only the head of a zip":   {writeFile(t, "e.zip", export[:10]), errs.Invalid, "incomplete or damaged"},
		"a zip with a broken byte": {writeFile(t, "e.zip", big[:50_000]+"\xff\x00\xff"+big[50_003:]), errs.Invalid, "damaged"},
		"an encrypted zip":         {writeFile(t, "e.zip", zipped(t, file{name: "conversations.json", data: gpt, change: lock})), errs.Invalid, "conversations.json in the zip is encrypted"},
		"an encrypted inner zip":   {writeFile(t, "e.zip", zipped(t, file{name: "i.zip", data: export, change: lock})), errs.Invalid, "encrypted"},
		"a truncated inner zip":    {writeFile(t, "e.zip", zipped(t, file{name: "i.zip", data: export[:40]})), errs.Invalid, "incomplete or damaged"},
		"an unknown compression":   {writeFile(t, "e.zip", withMethod(t, 9)), errs.Invalid, "unsupported zip compression"},
		"two files of one name":    {writeFile(t, "e.zip", zipped(t, file{name: "conversations.json", data: gpt}, file{name: "./conversations.json", data: claudeExport})), errs.Invalid, "same name"},
		"another service's chats":  {writeFile(t, "e.json", `{"conversations":[{"speakers":{},"lines":[]}]}`), errs.NotFound, "unsupported export format"},
		"the same in a zip":        {writeFile(t, "e.zip", zipped(t, file{name: "conversations.json", data: `[{"header":"Gemini"}]`})), errs.NotFound, "unsupported export format"},
		"a table":                  {writeFile(t, "tide.CSV", "1,2"), errs.NotFound, "Lens does not read .csv files"},
		"a name with no extension": {writeFile(t, "tide", "1,2"), errs.NotFound, "not a file of a kind that Lens reads"},
		"a folder of books":        {writeFiles(t, file{name: "a.epub"}, file{name: "b.epub"}, file{name: "c.odt"}, file{name: ".d.rtf"}), errs.NotFound, "no export and no documents, but 2 .epub and 1 .odt"},
		"what its members are":     {writeFile(t, "e.json", `[{"quest\u001bion":"x","`+noise(40)+`":1,"reply":2}]`), errs.NotFound, "unsupported export format: JSON with the keys \"quest\uFFFDion\", \"reply\""},
		"a list of Claude's users": {writeFile(t, "users.json", `[{"uuid":"x","full_name":"y"}]`), errs.NotFound, "unsupported export format"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := openError(t, c.path, defaults); got.Code != c.code || !strings.Contains(got.Message, c.message) {
				t.Errorf("got %s, %v", got.Code, got)
			}
		})
	}
}

func TestOpen_PermissionDenied(t *testing.T) {
	path := writeFile(t, "e.json", gpt)
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(path); err == nil {
		f.Close()
		t.Skip("SKIPPED: this user may read everything")
	}
	if got := openError(t, path, defaults); got.Code != errs.Blocked {
		t.Errorf("got %v", got)
	}
}

// noise returns text that does not compress.
func noise(n int) string {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"[x>>26]
	}
	return string(b)
}

// withMethod returns a zip whose file claims another compression.
func withMethod(t *testing.T, method uint16) string {
	t.Helper()
	b := []byte(zipped(t, file{name: "conversations.json", data: gpt}))
	binary.LittleEndian.PutUint16(b[8:], method)
	central := bytes.Index(b, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint16(b[central+10:], method)
	return string(b)
}

func TestOpen_ZipBombs(t *testing.T) {
	small := limits{ratio: 200, floor: 1 << 20, total: 8 << 20}
	blanks := "[" + strings.Repeat(" ", 4<<20) + "]"
	bomb := file{name: "conversations.json", data: blanks}
	for name, path := range map[string]string{
		"a file a thousand times its size": writeFile(t, "e.zip", zipped(t, bomb)),
		"a thousand times in a zip":        writeFile(t, "e.zip", zipped(t, file{name: "i.zip", data: zipped(t, bomb)})),
		"many that together are too much": writeFile(t, "e.zip", zipped(t,
			file{name: "conversations-000.json", data: blanks[:700<<10]}, file{name: "conversations-001.json", data: blanks[:700<<10]})),
		"more than any disk": writeFile(t, "e.zip", zipped(t, file{name: "conversations.json", data: noise(9 << 20), change: stored})),
		"a manifest":         writeFile(t, "e.zip", zipped(t, file{name: "export_manifest.json", data: blanks})),
	} {
		t.Run(name, func(t *testing.T) {
			if got := openError(t, path, small); got.Code != errs.TooLarge || !strings.Contains(got.Message, "bomb") {
				t.Errorf("got %v", got)
			}
		})
	}
	if got := listFiles(t, writeFile(t, "e.zip", zipped(t, bomb))); got != "e.zip/conversations.json=chatgpt" {
		t.Errorf("four megabytes of zeros are refused: %s", got)
	}
}

func TestOpen_FalseSize(t *testing.T) {
	b := []byte(zipped(t, file{name: "conversations.json", data: "[" + strings.Repeat(" ", 1<<20) + "]"}))
	central := bytes.Index(b, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(b[central+24:], 100)
	a, err := Open(t.Context(), writeFile(t, "e.zip", string(b)), "")
	read := int64(0)
	if err == nil {
		defer a.Close()
		var r io.ReadCloser
		if r, err = a.Files[0].Open(t.Context()); err == nil {
			defer r.Close()
			read, err = io.Copy(io.Discard, r)
		}
	}
	var failed *errs.Error
	if !errors.As(err, &failed) || read > 100 {
		t.Errorf("%d bytes read, then %v", read, err)
	}
}

func TestFile_NoMoreThanListedSize(t *testing.T) {
	f := File{Size: 10, open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(strings.Repeat("x", 11))), nil }}
	r, err := f.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, r); n > 10 || errs.CodeOf(err) != errs.Invalid {
		t.Errorf("%d bytes, then %v", n, err)
	}
}

func TestFile_CanceledContext(t *testing.T) {
	path := writeFile(t, "e.zip", zipped(t, file{name: "conversations.json", data: gpt}))
	ctx, cancel := context.WithCancel(t.Context())
	a, err := Open(ctx, path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	r, err := a.Files[0].Open(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cancel()
	if _, err := r.Read(make([]byte, 8)); !errors.Is(err, context.Canceled) || errs.CodeOf(err) != errs.Unavailable {
		t.Errorf("got %v", err)
	}
	for _, path := range []string{path, writeFiles(t, file{name: "conversations.json", data: gpt})} {
		if _, err := Open(ctx, path, ""); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

func TestOpen_RemovesTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	inner := zipped(t, file{name: "conversations.json", data: gpt})
	path := writeFile(t, "e.zip", zipped(t, file{name: "i.zip", data: inner}))
	a, err := Open(t.Context(), path, "")
	if err != nil {
		t.Fatal(err)
	}
	if there, err := os.ReadDir(dir); runtime.GOOS != "windows" && (err != nil || len(there) > 0) {
		t.Errorf("a crash leaves %v, %v", there, err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "gone"))
	t.Setenv("TMP", filepath.Join(dir, "gone"))
	if got := openError(t, writeFile(t, "e.zip", zipped(t, file{name: "i.zip", data: inner})), defaults); got.Code != errs.Unavailable || !strings.Contains(got.Message, "temporary file") {
		t.Errorf("no room: got %v", got)
	}
}

func TestOpen_DamagedPart(t *testing.T) {
	bad := file{name: "conversations-001.json", data: noise(50_000)}
	export := zipped(t, file{name: "conversations-000.json", data: gpt}, bad, file{name: "conversations-002.json", data: gpt})
	at := strings.Index(export, "conversations-001.json") + 200
	a, err := Open(t.Context(), writeFile(t, "e.zip", export[:at]+"\xff\x00\xff\xff"+export[at+4:]), "")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if len(a.Files) != 2 || len(a.Broken) != 1 || a.Broken[0].Name != "e.zip/conversations-001.json" || errs.CodeOf(a.Broken[0].Err) != errs.Invalid {
		t.Errorf("files %v, broken %v", a.Files, a.Broken)
	}
}

// A file of which nothing says that it has conversations must not keep the others out.
func TestOpen_DamageBesideAnExport(t *testing.T) {
	bad := file{name: "library.json", data: "[1]", change: stored}
	large := file{name: "library.json", data: "[" + strings.Repeat(" ", 64<<20) + "]"}
	for name, f := range map[string]file{"a wrong checksum": bad, "unpacks to much": large} {
		t.Run(name, func(t *testing.T) {
			z := zipped(t, file{name: "conversations.json", data: gpt}, f)
			path := writeFile(t, "e.zip", strings.Replace(z, "[1]", "[2]", 1)) // its checksum is wrong now
			if got := listFiles(t, path); got != "e.zip/conversations.json=chatgpt" {
				t.Errorf("got %s", got)
			}
		})
	}
	t.Run("unreadable", func(t *testing.T) {
		dir := writeFiles(t, file{name: "conversations.json", data: gpt}, file{name: "x.json", data: gpt})
		if err := os.Remove(filepath.Join(dir, "x.json")); err != nil {
			t.Fatal(err)
		}
		f := &finder{ctx: t.Context(), limits: defaults, export: &Export{}}
		gone := entry{name: "x.json", size: 1, open: func() (io.ReadCloser, error) { return nil, os.ErrPermission }}
		good := entry{name: "conversations.json", size: int64(len(gpt)), open: func() (io.ReadCloser, error) {
			return os.Open(filepath.Join(dir, "conversations.json"))
		}}
		if err := f.addEntries("", []entry{gone, good}); err != nil || len(f.export.Files) != 1 {
			t.Errorf("%d files, %v", len(f.export.Files), err)
		}
	})
}

package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/internal/errs"
	"lens/internal/testenv"
	"lens/store"
)

var must = testenv.Must

var someHead = Head{Created: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC), Holds: store.Counts{Turns: 7}}

// written returns a backup of files with these names and contents, in pairs.
func written(tb testing.TB, head Head, pairs ...string) []byte {
	tb.Helper()
	dir := tb.TempDir()
	var parts []Part
	for i := 0; i < len(pairs); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(pairs[i]))
		must(tb, os.MkdirAll(filepath.Dir(path), 0o700))
		must(tb, os.WriteFile(path, []byte(pairs[i+1]), 0o600))
		parts = append(parts, Part{pairs[i], path})
	}
	var b bytes.Buffer
	must(tb, Write(tb.Context(), &b, head, parts))
	return b.Bytes()
}

func small(tb testing.TB) []byte {
	return written(tb, someHead, "lens.db", "database", "chats/a.json", "", "explorer.json", strings.Repeat("x", 513))
}

// unpacked returns names and contents of the files of a backup.
func unpacked(b []byte) (head Head, all string, err error) {
	head, err = read(bytes.NewReader(b), func(name string, size int64, content io.Reader) error {
		text, err := io.ReadAll(content)
		if err == nil && int64(len(text)) != size {
			err = errors.New("wrong size")
		}
		all += name + "=" + string(text) + "\n"
		return err
	})
	return head, all, err
}

func TestBackup_GivesBackWhatItGot(t *testing.T) {
	head, all, err := unpacked(small(t))
	must(t, err)
	want := "lens.db=database\nchats/a.json=\nexplorer.json=" + strings.Repeat("x", 513) + "\n"
	if all != want || head.Version != 1 || head.Holds.Turns != 7 || !head.Created.Equal(someHead.Created) {
		t.Errorf("got %+v, %q", head, all)
	}
}

func TestRead_EveryCutAndChangeIsDetected(t *testing.T) {
	whole := small(t)
	for n := range whole {
		if _, err := read(bytes.NewReader(whole[:n]), nil); !errors.Is(err, errDamaged) && !errors.Is(err, errForeign) {
			t.Fatalf("the first %d of %d bytes: %v", n, len(whole), err)
		}
	}
	_, want, err := unpacked(whole)
	must(t, err)
	for i := range whole {
		changed := bytes.Clone(whole)
		changed[i] ^= 0x21
		if _, got, err := unpacked(changed); err == nil && got != want {
			t.Fatalf("with byte %d changed: %q", i, got)
		}
	}
	for _, more := range []string{"x", string(make([]byte, 512)), string(whole)} {
		if _, err := read(strings.NewReader(string(whole)+more), nil); !errors.Is(err, errDamaged) {
			t.Errorf("with %d bytes after it: %v", len(more), err)
		}
	}
}

func TestRead_Refusals(t *testing.T) {
	dir := t.TempDir()
	newer := small(t)
	newer = bytes.Replace(newer, []byte(`"version": 1`), []byte(`"version": 9`), 1)
	for name, c := range map[string]struct {
		content []byte
		wanted  string
	}{
		"empty":   {nil, "is not a backup of Lens"},
		"text":    {[]byte("PK\x03\x04 an export of chats"), "is not a backup of Lens"},
		"zeros":   {make([]byte, 4096), "is not a backup of Lens"},
		"newer":   {newer, "was written by a newer Lens"},
		"cut off": {small(t)[:3000], "is damaged or incomplete"},
	} {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, c.content, 0o600))
		_, err := Read(t.Context(), path, nil)
		var e *errs.Error
		if !errors.As(err, &e) || e.Code != errs.Invalid || e.Message != path+" "+c.wanted || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read(t.Context(), dir, nil); errs.CodeOf(err) != errs.Invalid {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Read(t.Context(), filepath.Join(dir, "none"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestRead_CanceledAndFailingUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b")
	must(t, os.WriteFile(path, small(t), 0o600))
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Read(ctx, path, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	full := errors.New("no space")
	if _, err := Read(t.Context(), path, func(string, int64, io.Reader) error { return full }); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

func TestWrite_NameThatCannotBeRestored(t *testing.T) {
	for _, name := range []string{"../a", "/a", "a/../b", "", "backup.json", "SHA256SUMS", "a\nb", `a\b`, "c:a"} {
		if err := Write(t.Context(), io.Discard, Head{}, []Part{{name, "x"}}); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}

func TestHead_IsWhatItIsDocumentedToBe(t *testing.T) {
	text, err := json.Marshal(Head{Format: Format, Version: Version, Created: someHead.Created, Encrypted: true})
	must(t, err)
	const want = `{"format":"lens backup","version":1,"created":"2026-05-04T03:02:01Z","encrypted":true,` +
		`"holds":{"conversations":0,"messages":0,"turns":0,"vectors":0}}`
	if string(text) != want {
		t.Errorf("got %s", text)
	}
}

// FuzzRead gives the reader damaged backups. What it accepts has only valid names and the sums that it promises.
func FuzzRead(f *testing.F) {
	f.Add(small(f))
	f.Add(written(f, someHead))
	f.Add([]byte("not a tar archive"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var parts []string
		_, err := read(bytes.NewReader(b), func(name string, _ int64, content io.Reader) error {
			if !isName(name) {
				t.Errorf("name %q", name)
			}
			text, err := io.ReadAll(content)
			parts = append(parts, name, string(text))
			return err
		})
		if err != nil {
			return
		}
		if _, again, err := unpacked(b); err != nil || len(again) == 0 && len(parts) > 0 {
			t.Errorf("the second time: %v", err)
		}
	})
}

func FuzzParseSums(f *testing.F) {
	f.Add([]byte(sum{name: headName}.line() + sum{name: "lens.db"}.line()))
	f.Fuzz(func(t *testing.T, list []byte) {
		sums, err := parseSums(list)
		if err != nil {
			return
		}
		text := ""
		for _, s := range sums {
			text += s.line()
		}
		if !strings.EqualFold(text, string(list)) {
			t.Errorf("%q became %q", list, text)
		}
	})
}

package datadir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/cmd/internal/doctor"
	"lens/internal/errs"
)

// A user may keep files in the data folder, under any name.
func TestMove_RemovesOnlyCopiedFiles(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	before, err := l.contents()
	must(t, err)
	own := []string{
		"chats/notes.md", "keywords.yaml.bak", "explorer.json.mine", "explorer.json.1.tmp.mine", "explorer-mine.tmp",
		"lens.vault.mine.tmp", "lens.db-before", "vectors-mine", "catalog-1.idx.mine",
		"sealed-1.mybackup/lens.db", "sealed-7/lens.db", "sealed-old", "sealed-01/notes.md",
	}
	for _, name := range own {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte("mine"), 0o600))
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"encrypt", func() error { return l.mover.Encrypt(t.Context(), alone(onePhrase)) }},
		{
			"a note next to it",
			func() error { return os.WriteFile(filepath.Join(dir, "sealed-1", "note"), []byte("mine"), 0o600) },
		},
		{"another key", func() error { return l.mover.Rekey(t.Context(), onePhrase, alone(otherPhrase)) }},
		{"decrypt", func() error { return l.mover.Decrypt(t.Context(), otherPhrase) }},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		for _, name := range own {
			if text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil || string(text) != "mine" {
				t.Errorf("%s: %q, %v", step.name, text, err)
			}
		}
		if after, err := l.contents(); err != nil || after != before {
			t.Errorf("%s: got %d bytes, want %d; %v", step.name, len(after), len(before), err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "sealed-1", "note")); err != nil {
		t.Errorf("the user's file next to the encrypted archive: %v", err)
	}
	if !missing(filepath.Join(dir, "sealed-1", ArchiveFile)) || !missing(filepath.Join(dir, "sealed-1", SessionsFile)) ||
		!missing(filepath.Join(dir, "sealed-2")) {
		t.Error("the previous archive is left")
	}
}

func TestMove_PlaceTaken(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	note := filepath.Join(dir, "sealed-1", "note")
	must(t, os.Mkdir(filepath.Dir(note), 0o700))
	must(t, os.WriteFile(note, nil, 0o600))
	if err := l.mover.Encrypt(t.Context(), alone(onePhrase)); errs.CodeOf(err) != errs.Unavailable || l.keys.Encrypted() ||
		missing(note) {
		t.Errorf("got %v", err)
	}
	must(t, os.RemoveAll(filepath.Dir(note)))
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
}

// lens.moving may come from an older Lens, or from another program.
func TestMove_MalformedRecord(t *testing.T) {
	dir := t.TempDir()
	l := archiveIn(t, dir)
	l.fill()
	must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
	for _, text := range []string{
		"encrypt", "", "null", `{"from":"..","to":"sealed-1"}`, `{"from":"sealed-1.mine","to":"sealed-1"}`,
		`{"from":"sealed-2","to":"sealed-3"}`,
		`{"to":"sealed-1","files":["../mine"]}`, `{"to":"sealed-1","files":["notes.md"]}`,
		`{"to":"sealed-1","files":["chats/../../mine.json"]}`,
	} {
		own := []string{
			"notes.md", "sealed-2/lens.db", "sealed-3/lens.db", "sealed-1.mine/lens.db", "../mine",
			"../mine.json",
		}
		for _, name := range own {
			path := filepath.Join(dir, filepath.FromSlash(name))
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, os.WriteFile(path, nil, 0o600))
		}
		must(t, os.WriteFile(filepath.Join(dir, movingName), []byte(text), 0o600))
		must(t, l.Close())
		if _, err := l.contents(); err != nil || l.folder.leftover() != "" {
			t.Errorf("%s: got %v, leftover %q", text, err, l.folder.leftover())
		}
		for _, name := range own {
			if missing(filepath.Join(dir, filepath.FromSlash(name))) {
				t.Errorf("%s: %s was removed", text, name)
			}
		}
	}
}

func TestMove_DamagedFile(t *testing.T) {
	for _, name := range []string{"explorer.json", KeywordsFile, filepath.Join("chats", chatID+".json")} {
		dir := t.TempDir()
		l := archiveIn(t, dir)
		l.fill()
		must(t, os.WriteFile(filepath.Join(dir, KeywordsFile), []byte("levain: sourdough\n"), 0o600))
		must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
		path := filepath.Join(dir, "sealed-1", name)
		damage(t, path)
		for verb, move := range map[string]func() error{
			"another key": func() error { return l.mover.Rekey(t.Context(), onePhrase, alone(otherPhrase)) },
			"decrypting":  func() error { return l.mover.Decrypt(t.Context(), onePhrase) },
		} {
			err := move()
			var damaged *errs.Error
			if !errors.As(err, &damaged) || damaged.Message != path+" is damaged and cannot be decrypted" ||
				missing(path) || !l.keys.Encrypted() {
				t.Errorf("%s: %s: %v", verb, name, err)
			}
		}
		must(t, os.Remove(path))
		must(t, l.mover.Decrypt(t.Context(), onePhrase))
	}
}

// damage changes the last byte of a file.
func damage(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	text[len(text)-1] ^= 1
	must(t, os.WriteFile(path, text, 0o600))
}

func FuzzMovingIn(f *testing.F) {
	for _, text := range []string{
		"encrypt", `{"from":"","to":"sealed-1","files":["explorer.json","chats/a.json"]}`,
		`{"from":"..","files":["chats/../../a.json"]}`,
	} {
		f.Add([]byte(text))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		must(t, os.WriteFile(filepath.Join(dir, movingName), text, 0o600))
		m, err := movingIn(dir)
		must(t, err)
		for _, name := range append(m.Files, m.From, m.To) {
			if clean := filepath.Clean(filepath.Join(dir, name)); clean != dir && filepath.Dir(clean) != dir &&
				filepath.Dir(clean) != filepath.Join(dir, "chats") {
				t.Errorf("%q is outside the folder", name)
			}
		}
	})
}

// TestMove_EveryStateIsSettled creates each state that a move passes through, and settles it.
func TestMove_EveryStateIsSettled(t *testing.T) {
	beside := []string{"explorer.json", filepath.Join("chats", chatID+".json")}
	for name, interrupt := range map[string]struct {
		do    func(t *testing.T, l *archive)
		under move
		plain bool
	}{
		"begun": {func(*testing.T, *archive) {}, move{To: "sealed-1", Files: beside}, true},
		"partly written": {func(t *testing.T, l *archive) {
			must(t, os.MkdirAll(filepath.Join(l.dir, "sealed-1"), 0o700))
			must(t, os.WriteFile(filepath.Join(l.dir, "sealed-1", ArchiveFile), []byte("half"), 0o600))
			must(t, os.WriteFile(filepath.Join(l.dir, "lens.vault.1.tmp"), []byte("half"), 0o600))
		}, move{To: "sealed-1", Files: beside}, true},
		"encrypted, not cleaned up": {func(t *testing.T, l *archive) {
			plain, err := os.ReadFile(filepath.Join(l.dir, ArchiveFile))
			must(t, err)
			must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
			must(t, os.WriteFile(filepath.Join(l.dir, ArchiveFile), plain, 0o600))
			must(t, os.WriteFile(filepath.Join(l.dir, "explorer.json"), []byte(canary), 0o600))
			must(t, os.WriteFile(filepath.Join(l.dir, SessionsFile), []byte(canary), 0o600))
			must(t, os.Remove(filepath.Join(l.dir, "lens.vault.bak")))
		}, move{To: "sealed-1", Files: beside}, false},
		"partly decrypted": {func(t *testing.T, l *archive) {
			must(t, l.mover.Encrypt(t.Context(), alone(onePhrase)))
			must(t, os.WriteFile(filepath.Join(l.dir, ArchiveFile), []byte(canary), 0o600))
			must(t, os.WriteFile(filepath.Join(l.dir, SessionsFile), []byte(canary), 0o600))
			must(t, os.WriteFile(filepath.Join(l.dir, SessionsFile+"-journal"), []byte(canary), 0o600))
		}, move{From: "sealed-1", Files: beside}, false},
	} {
		dir := t.TempDir()
		l := archiveIn(t, dir)
		l.fill()
		before, err := l.contents()
		must(t, err)
		must(t, l.Close())
		interrupt.do(t, l)
		l.quit()
		must(t, interrupt.under.begin(dir))
		l = archiveIn(t, dir)
		if c := l.folder.Check(t.Context())[0]; c.Status != doctor.Warn {
			t.Errorf("%s: got %+v", name, c)
		}
		if !interrupt.plain {
			must(t, l.keys.Unlock(onePhrase))
		}
		if after, err := l.contents(); err != nil || after != before || l.keys.Encrypted() == interrupt.plain {
			t.Errorf("%s: got %d bytes, want %d; %v", name, len(after), len(before), err)
		}
		l.quit()
		var names []string
		entries, err := os.ReadDir(dir)
		must(t, err)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		all := strings.Join(names, " ")
		if strings.Contains(all, "sealed") == interrupt.plain || strings.Contains(all, "lens.db") != interrupt.plain ||
			strings.Contains(all, SessionsFile) != interrupt.plain || strings.Contains(all, movingName) || strings.Contains(all, ".tmp") {
			t.Errorf("%s: got files %s", name, all)
		}
		if _, err := os.Stat(filepath.Join(dir, "lens.vault.bak")); errors.Is(err, fs.ErrNotExist) != interrupt.plain {
			t.Errorf("%s: the second file of the vault: %v", name, err)
		}
	}
}

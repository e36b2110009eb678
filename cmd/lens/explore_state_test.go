package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/uuid"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/internal/errs"
	tui "lens/tui/app"
)

// An explorer that is open while its bookmarks are forgotten does not bring them back; one that is started later keeps
// the rest.
func TestSessions_ForgottenMeanwhile(t *testing.T) {
	gone, there := uuid.New(), uuid.New()
	for name, forgotten := range map[string]archive.Gone{
		"a turn":     {Turn: func(id uuid.UUID) bool { return id == gone }},
		"everything": {Everything: true},
	} {
		t.Run(name, func(t *testing.T) {
			a := app.New(config.Config{DataDir: t.TempDir()}, "explore")
			t.Cleanup(func() { must(t, a.Close()) })
			open := &sessions{app: a}
			if s, ok := open.Load(); ok {
				t.Fatalf("loaded %+v", s)
			}
			var session tui.Session
			for _, turn := range []uuid.UUID{gone, there} {
				mark := tui.Bookmark{Name: turn.String()}
				mark.Turn = turn.String()
				session.Bookmarks = append(session.Bookmarks, mark)
			}
			must(t, open.Save(session))
			file := a.Archive.StateFile()
			kept, removed := stateWithout(file.Load, forgotten)
			wantRemoved := 1
			if forgotten.Everything {
				wantRemoved = 2
				must(t, file.Remove())
			} else {
				must(t, file.Save(kept))
			}
			if removed != wantRemoved {
				t.Errorf("removed %d bookmarks, want %d", removed, wantRemoved)
			}
			if err := open.Save(session); errs.CodeOf(err) != errs.NotFound {
				t.Errorf("saving over it: %v", err)
			}

			later := &sessions{app: a}
			s, _ := later.Load()
			if len(s.Bookmarks) != 2-wantRemoved || len(s.Bookmarks) == 1 && s.Bookmarks[0].Turn != there.String() {
				t.Errorf("loaded %+v", s)
			}
			must(t, later.Save(s))
			must(t, later.Save(s))
			if err := open.Save(session); errs.CodeOf(err) != errs.NotFound {
				t.Errorf("saving over what a later one saved: %v", err)
			}
		})
	}
}

// What an older Lens saved is loaded, and saved over.
func TestSessions_OfAnOlderLens(t *testing.T) {
	a := app.New(config.Config{DataDir: t.TempDir()}, "explore")
	t.Cleanup(func() { must(t, a.Close()) })
	var older tui.Session
	mark := tui.Bookmark{Name: "bread"}
	mark.Turn = uuid.NewString()
	older.Bookmarks = []tui.Bookmark{mark}
	must(t, a.Archive.StateFile().Save(older)) // without an epoch
	s := &sessions{app: a}
	loaded, ok := s.Load()
	if !ok || len(loaded.Bookmarks) != 1 {
		t.Fatalf("loaded %+v, %t", loaded, ok)
	}
	for range 2 {
		must(t, s.Save(loaded))
	}
}

// On an empty archive, whose folder does not exist before something is imported, nothing was forgotten.
func TestSessions_BeforeTheFirstImport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lens")
	a := app.New(config.Config{DataDir: dir}, "explore")
	t.Cleanup(func() { must(t, a.Close()) })
	s := &sessions{app: a}
	if loaded, ok := s.Load(); ok {
		t.Fatalf("loaded %+v", loaded)
	}
	mark := tui.Bookmark{Name: "bread"}
	mark.Turn = uuid.NewString()
	session := tui.Session{}
	session.Bookmarks = []tui.Bookmark{mark}
	must(t, s.Save(session))
	must(t, os.Mkdir(dir, 0o700)) // as an import does
	for range 2 {
		must(t, s.Save(session))
	}
	later := &sessions{app: a}
	if loaded, ok := later.Load(); !ok || len(loaded.Bookmarks) != 1 {
		t.Errorf("loaded %+v, %t", loaded, ok)
	}
	must(t, a.Archive.StateFile().Remove())
	if err := s.Save(session); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("saving over what was forgotten: %v", err)
	}
}

// The explorer tells a folder that cannot be written from a full disk.
func TestSessions_OfAReadOnlyFolder(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("permission bits mean nothing here")
	}
	dir := t.TempDir()
	a := app.New(config.Config{DataDir: dir}, "explore")
	t.Cleanup(func() { must(t, a.Close()) })
	must(t, os.Chmod(dir, 0o500))
	err := (&sessions{app: a}).Save(tui.Session{})
	must(t, os.Chmod(dir, 0o700))
	if !errors.Is(err, tui.ErrReadOnly) {
		t.Errorf("saving: %v", err)
	}
}

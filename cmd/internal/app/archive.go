package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"lens/cmd/internal/keys"
	"lens/internal/errs"
	"lens/store"
	"lens/store/postgres"
	"lens/store/sqlite"
)

// open returns the archive. It opens it at most twice: for reading, and again if a verb goes on to write. l.mu is held.
func (l *App) open(ctx context.Context, write bool) (store.Store, error) {
	if l.store != nil && (l.writes || !write) {
		return l.store, nil
	}
	if l.store != nil {
		if err := l.store.Close(); err != nil {
			return nil, err
		}
		l.store, l.engine = nil, nil
	}
	l.limit = nil
	st, err := l.openStore(ctx, write)
	if err != nil {
		return nil, err
	}
	l.store, l.writes = st, write
	return st, nil
}

// openStore opens the archive that the configuration names. A reader opens only an existing archive, and migrates it if
// an older Lens made it.
func (l *App) openStore(ctx context.Context, write bool) (store.Store, error) {
	switch {
	case write:
		return l.openWith(ctx, access{})
	case l.cfg.DatabaseURL != "":
		st, err := l.openWith(ctx, access{readOnly: true})
		switch {
		case errs.CodeOf(err) == errs.Invalid:
			return l.openWith(ctx, access{})
		case err == nil && keywordIndex(st) != nil:
			return l.mended(ctx, st), nil
		}
		return st, err
	}
	if err := l.mustExist(); err != nil {
		return nil, err
	}
	if _, err := l.Folder.Home(); err != nil { // so that the PIN is asked for once
		return nil, err
	}
	st, err := l.openWith(ctx, access{}) // for writing, so that caches can be stored
	if err == nil || errs.CodeOf(err) != errs.Unavailable || ctx.Err() != nil {
		return st, err
	}
	if readOnly, failed := l.openWith(ctx, access{readOnly: true}); failed == nil {
		l.limit = err
		return readOnly, nil
	}
	return nil, err
}

// keywordIndex returns why the archive's keywords cannot be searched, nil if they can.
func keywordIndex(st store.Store) error {
	if checked, ok := st.(interface{ CheckKeywordIndex() error }); ok {
		return checked.CheckKeywordIndex()
	}
	return nil
}

// mended opens the archive for writing, which rebuilds its keyword index. If that fails, it returns reading.
func (l *App) mended(ctx context.Context, reading store.Store) store.Store {
	st, err := l.openWith(ctx, access{})
	if err != nil {
		return reading
	}
	_ = reading.Close() // nothing is lost: it only read
	return st
}

// access is how an archive is opened.
type access struct {
	readOnly bool
	wait     time.Duration // for another writer; 0: the backend's own
}

func (l *App) openWith(ctx context.Context, a access) (store.Store, error) {
	var st store.Store
	var err error
	if l.cfg.DatabaseURL != "" {
		if err := l.network.MayReachDatabase(l.cfg.DatabaseURL); err != nil {
			return nil, err
		}
		st, err = postgres.Open(ctx, postgres.Options{
			URL: l.cfg.DatabaseURL, ReadOnly: a.readOnly, Verb: l.verb, Wait: a.wait, Notice: l.notice,
			Dial: l.network.Dialer(),
		})
	} else {
		if !a.readOnly {
			// The directory lock needs the folder. If it cannot be created, opening the archive reports why.
			_ = os.MkdirAll(l.cfg.DataDir, 0o700)
		}
		h, failed := l.Folder.HomeFor(opened{l})
		if failed != nil {
			return nil, failed
		}
		opts := h.Options()
		opts.ReadOnly, opts.Verb, opts.Wait, opts.Notice = a.readOnly, l.verb, a.wait, l.notice
		st, err = sqlite.Open(ctx, opts)
	}
	if err != nil {
		return nil, err // not a typed nil in an interface
	}
	return st, nil
}

// Place returns where the archive is, without user and password.
func (l *App) Place() string {
	if l.cfg.DatabaseURL == "" {
		return l.cfg.DataDir
	}
	u, err := url.Parse(l.cfg.DatabaseURL)
	if err != nil {
		return "the configured server"
	}
	return u.Host + u.Path
}

// mustExist keeps a verb that only reads from creating an archive. Errors: not_found.
func (l *App) mustExist() error {
	if missing(filepath.Join(l.cfg.DataDir, keys.ArchiveFile)) && !l.Keys.Encrypted() {
		return &errs.Error{
			Code: errs.NotFound, Op: "open archive",
			Message: "there is no archive in " + l.cfg.DataDir,
			Hint:    "run lens import PATH to import your chats, or lens demo to see an example",
		}
	}
	return nil // opening the archive reports anything else
}

// StateFile returns the file of the explorer's state. Archives on servers share a data folder, so each has its own file
// there.
func (l *App) StateFile() keys.File {
	name := keys.StateFile
	if l.cfg.DatabaseURL != "" {
		sum := sha256.Sum256([]byte(l.Place()))
		name = fmt.Sprintf("explorer-%x.json", sum[:8])
	}
	return keys.File{Folder: l.Folder, Name: name}
}

// missing reports whether path does not exist.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

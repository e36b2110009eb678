// Package archive opens the archive of a configuration, and holds what the verbs do with it: importing, exporting,
// forgetting, and the engine that searches it. Only this package and datadir, which copies SQLite's files, name a
// backend.
//
// The rules are:
//
//   - Nothing is opened before it is needed.
//   - A reader creates no archive, and needs no permission to write.
package archive

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/google/uuid"

	"lens/cmd/internal/datadir"
	"lens/cmd/internal/keys"
	"lens/cmd/internal/network"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/store"
	"lens/store/postgres"
	"lens/store/sqlite"
)

// Options says which archive to open, and what depends on it.
type Options struct {
	DataDir     string
	DatabaseURL string // "": SQLite in DataDir
	Network     network.Policy
	Verb        string // what this process does, for processes that must wait for it

	// Embedder returns what embeds the queries of the engine, nil to search by keywords; nil: always by keywords.
	Embedder func(ctx context.Context, st store.Reader) retrieval.Embedder

	RevisionOf retrieval.RevisionOf // of the models that results name; nil: no revision is known

	// WholeText says which texts of an older Lens's vectors can be proved.
	WholeText store.WholeText

	Answers Answers // nil: there are none
}

// Answers are saved chats with the chat model, whose answers repeat what the turns say that they cite. Both methods
// return how many chats they removed.
type Answers interface {
	Clear() (int, error)
	Forget(isGone func(turnID uuid.UUID) bool) (int, error)
}

// StateName returns the name of the file of the explorer's state. Archives on servers share a data folder, so each has
// its own file there.
func (o Options) StateName() string {
	if o.DatabaseURL == "" {
		return datadir.StateFile
	}
	sum := sha256.Sum256([]byte(o.place()))
	return fmt.Sprintf("explorer-%x.json", sum[:8])
}

// place returns where the archive is, without user and password.
func (o Options) place() string {
	if o.DatabaseURL == "" {
		return o.DataDir
	}
	u, err := url.Parse(o.DatabaseURL)
	if err != nil {
		return "the configured server"
	}
	return u.Host + u.Path
}

// Archive is an archive that is opened on first use: at most twice, for reading, and again if a verb goes on to write.
// It is safe for concurrent use.
type Archive struct {
	opts   Options
	keys   *keys.Holder
	folder *datadir.Folder

	// Notice receives a sentence about each slow step of opening the archive, such as a migration; nil: nothing does.
	Notice func(sentence string)

	// StateWithout returns what may stay of the explorer's state when turns are forgotten, nil for nothing, and how many
	// bookmarks go. state decodes what is saved, and reports whether there is something. nil: nothing stays.
	StateWithout func(state func(into any) bool, gone Gone) (kept any, bookmarks int)

	// Progress receives the turns that a copy from or to a server has copied; nil: nothing does.
	Progress func(Progress)

	mu     sync.Mutex
	store  store.Store
	writes bool  // the store was opened for writing
	limit  error // why the store could not be opened for writing; nil if it could
	engine *retrieval.Engine
}

// New returns an archive that is not open yet.
func New(opts Options, holder *keys.Holder, folder *datadir.Folder) *Archive {
	return &Archive{opts: opts, keys: holder, folder: folder}
}

// Close closes the archive. The next call opens it again.
func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.keys.Release(a)
	return a.closeStore()
}

// closeStore closes the store, if it is open. a.mu is held.
func (a *Archive) closeStore() error {
	if a.store == nil {
		return nil
	}
	err := a.store.Close()
	a.store, a.engine = nil, nil
	return err
}

// Lock closes the archive after the key was erased. Engines return locked errors.
func (a *Archive) Lock() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	locking, ok := a.store.(keys.Locker)
	a.store, a.engine = nil, nil
	if !ok {
		return nil
	}
	return locking.Lock()
}

// Engine opens the archive for reading and returns the engine over it. Without a working embedding model it searches by
// keywords. Errors: not_found if there is no archive, invalid, unavailable.
func (a *Archive) Engine(ctx context.Context) (*retrieval.Engine, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.engine != nil {
		return a.engine, nil
	}
	st, err := a.open(ctx, false)
	if err != nil {
		return nil, err
	}
	var embedder retrieval.Embedder
	if a.opts.Embedder != nil {
		embedder = a.opts.Embedder(ctx, st) // the engine caches query vectors
	}
	a.engine = retrieval.New(st, embedder)
	a.engine.NameRevisions(a.opts.RevisionOf)
	if !a.remote() { // Postgres searches on its own processors
		a.engine.Limit(runtime.NumCPU())
	}
	return a.engine, nil
}

// Reading opens the archive for reading.
func (a *Archive) Reading(ctx context.Context) (store.Store, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open(ctx, false)
}

// Writing opens the archive for writing, and creates it if there is none.
func (a *Archive) Writing(ctx context.Context) (store.Store, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open(ctx, true)
}

// Opened returns the store if it is open, else nil.
func (a *Archive) Opened() store.Store {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.store
}

// open returns the store. a.mu is held.
func (a *Archive) open(ctx context.Context, write bool) (store.Store, error) {
	if a.store != nil && (a.writes || !write) {
		return a.store, nil
	}
	if err := a.closeStore(); err != nil {
		return nil, err
	}
	a.limit = nil
	st, err := a.openStore(ctx, write)
	if err != nil {
		return nil, err
	}
	a.store, a.writes = st, write
	return st, nil
}

// openStore opens the archive that the options name. A reader opens only an existing archive, and migrates it if an
// older Lens made it.
func (a *Archive) openStore(ctx context.Context, write bool) (store.Store, error) {
	switch {
	case write:
		return a.openWith(ctx, access{})
	case a.remote():
		st, err := a.openWith(ctx, access{readOnly: true})
		switch {
		case errs.CodeOf(err) == errs.Invalid:
			return a.openWith(ctx, access{})
		case err == nil && checkKeywordIndex(st) != nil:
			return a.rebuilt(ctx, st), nil
		}
		return st, err
	}
	if err := a.mustExist(); err != nil {
		return nil, err
	}
	if _, err := a.folder.Home(); err != nil { // so that the PIN is asked for once
		return nil, err
	}
	st, err := a.openWith(ctx, access{}) // for writing, so that caches can be stored
	if err == nil || errs.CodeOf(err) != errs.Unavailable || ctx.Err() != nil {
		return st, err
	}
	if readOnly, failed := a.openWith(ctx, access{readOnly: true}); failed == nil {
		a.limit = err
		return readOnly, nil
	}
	return nil, err
}

// checkKeywordIndex returns why the archive's keywords cannot be searched, nil if they can.
func checkKeywordIndex(st store.Store) error {
	if checked, ok := st.(interface{ CheckKeywordIndex() error }); ok {
		return checked.CheckKeywordIndex()
	}
	return nil
}

// rebuilt opens the archive for writing, which rebuilds its keyword index. If that fails, it returns reading.
func (a *Archive) rebuilt(ctx context.Context, reading store.Store) store.Store {
	st, err := a.openWith(ctx, access{})
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

func (a *Archive) openWith(ctx context.Context, how access) (store.Store, error) {
	if a.remote() {
		return a.openPostgres(ctx, how)
	}
	if !how.readOnly {
		// The directory lock needs the folder. If it cannot be created, opening the archive reports why.
		_ = os.MkdirAll(a.opts.DataDir, 0o700)
	}
	h, err := a.folder.HomeFor(a)
	if err != nil {
		return nil, err
	}
	opts := h.Options()
	opts.ReadOnly, opts.Verb, opts.Wait, opts.Notice = how.readOnly, a.opts.Verb, how.wait, a.Notice
	st, err := sqlite.Open(ctx, opts)
	if err != nil {
		return nil, err // not a typed nil in an interface
	}
	return st, nil
}

func (a *Archive) openPostgres(ctx context.Context, how access) (store.Store, error) {
	if err := a.opts.Network.MayReachDatabase(a.opts.DatabaseURL); err != nil {
		return nil, err
	}
	st, err := postgres.Open(ctx, postgres.Options{
		URL: a.opts.DatabaseURL, ReadOnly: how.readOnly, Verb: a.opts.Verb, Wait: how.wait, Notice: a.Notice,
		Dial: a.opts.Network.Dialer(),
	})
	if err != nil {
		return nil, err // not a typed nil in an interface
	}
	return st, nil
}

// remote reports whether the archive is on a database server.
func (a *Archive) remote() bool { return a.opts.DatabaseURL != "" }

// Place returns where the archive is, without user and password.
func (a *Archive) Place() string { return a.opts.place() }

// StateFile returns the file of the explorer's state.
func (a *Archive) StateFile() datadir.File {
	return datadir.File{Folder: a.folder, Name: a.opts.StateName()}
}

// mustExist keeps a verb that only reads from creating an archive. Errors: not_found.
func (a *Archive) mustExist() error {
	if err := a.folder.Settle(); err != nil {
		return err
	}
	_, err := os.Stat(filepath.Join(a.opts.DataDir, datadir.ArchiveFile))
	if errors.Is(err, fs.ErrNotExist) && !a.keys.Encrypted() {
		return &errs.Error{
			Code: errs.NotFound, Op: "open archive",
			Message: "there is no archive in " + a.opts.DataDir,
			Hint:    "run lens import PATH to import your chats, or lens demo to see an example",
		}
	}
	return nil // opening the archive reports anything else
}

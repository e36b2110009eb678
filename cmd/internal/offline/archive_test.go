package offline

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"lens/cmd/internal/chat"
	"lens/cmd/internal/config"
	"lens/cmd/internal/keys"
	"lens/cmd/internal/network"
	"lens/internal/demo"
	"lens/internal/errs"
	"lens/internal/vault/vaulttest"
	"lens/retrieval"
	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
)

// TestMain runs the tests or, in a child process that a test started, answers one query.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Verb {
		os.Exit(serveQuery())
	}
	os.Exit(m.Run())
}

func serveQuery() int {
	cfg, err := config.Load(config.Options{Flags: map[string]string{"offline": "true"}})
	if err != nil {
		return 1
	}
	s, a := newService(cfg)
	defer a.Close()
	if _, err := network.CutOff(cfg); err != nil {
		return 1
	}
	if err := s.Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		return 1
	}
	return 0
}

// archive is an archive in SQLite that is searched by keywords. Its vault opens at once.
type archive struct {
	dir    string
	keys   *keys.Holder
	folder *keys.Folder
	mover  *keys.Mover

	mu       sync.Mutex
	readOnly bool
	store    store.Store
}

func newService(cfg config.Config) (*Service, *archive) {
	holder := keys.New(keys.Options{Dir: cfg.DataDir, Vault: vaulttest.Options()})
	a := &archive{dir: cfg.DataDir, keys: holder, folder: keys.NewFolder(holder)}
	a.mover = keys.NewMover(a.folder, a)
	return &Service{
		Config: cfg, Archive: a, Keys: holder,
		Audit:       NewAudit(cfg.DataDir, a),
		Keywords:    NewKeywords(cfg.DataDir, a.folder.Home, holder),
		Conclusions: chat.NewSessions(a.folder.Home, keys.StateFile),
		Chat:        chat.NewModel(cfg),
	}, a
}

// serviceIn returns a service over a folder, which is closed with the test.
func serviceIn(tb testing.TB, dir string) (*Service, *archive) {
	tb.Helper()
	s, a := newService(config.Config{DataDir: dir})
	tb.Cleanup(a.end)
	return s, a
}

// demoIn is serviceIn with some synthetic chats.
func demoIn(tb testing.TB, dir string) (*Service, *archive) {
	tb.Helper()
	s, a := serviceIn(tb, dir)
	export := filepath.Join(tb.TempDir(), "conversations.json")
	file, err := os.Create(export)
	must(tb, err)
	must(tb, errors.Join(demo.Write(file, demo.Options{Turns: 200}), file.Close()))
	st, err := a.Writing(tb.Context())
	must(tb, err)
	_, err = ingest.Import(tb.Context(), st, []string{export}, ingest.Options{})
	must(tb, err)
	return s, a
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func (a *archive) Reading(ctx context.Context) (store.Store, error) {
	if _, err := os.Stat(filepath.Join(a.dir, keys.ArchiveFile)); errors.Is(err, fs.ErrNotExist) && !a.keys.Encrypted() {
		return nil, &errs.Error{Code: errs.NotFound, Message: "there is no archive"}
	}
	return a.Writing(ctx)
}

func (a *archive) Writing(ctx context.Context) (store.Store, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.store != nil {
		return a.store, nil
	}
	h, err := a.folder.HomeFor(a)
	if err != nil {
		return nil, err
	}
	opts := h.Options()
	opts.ReadOnly = a.readOnly
	st, err := sqlite.Open(ctx, opts)
	if err != nil {
		return nil, err
	}
	a.store = st
	return st, nil
}

func (a *archive) Engine(ctx context.Context) (*retrieval.Engine, error) {
	st, err := a.Reading(ctx)
	if err != nil {
		return nil, err
	}
	return retrieval.New(st, nil), nil
}

func (a *archive) Opened() store.Store {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.store
}

func (a *archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.store == nil {
		return nil
	}
	err := a.store.Close()
	a.store = nil
	return err
}

// Lock implements keys.Locker.
func (a *archive) Lock() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	locking, ok := a.store.(interface{ Lock() error })
	a.store = nil
	if !ok {
		return nil
	}
	return locking.Lock()
}

// end closes everything, as the end of a process does.
func (a *archive) end() {
	_ = a.Close()
	a.keys.Release(a)
	a.keys.Close()
	a.folder.Close()
}

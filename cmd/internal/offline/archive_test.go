package offline

import (
	"context"
	"os"
	"testing"

	"lens/cmd/internal/archive"
	"lens/cmd/internal/chat"
	"lens/cmd/internal/config"
	"lens/cmd/internal/datadir"
	"lens/cmd/internal/keys"
	"lens/cmd/internal/network"
	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/internal/vault/vaulttest"
	"lens/store/archivetest"
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

// fixture is an archive that is searched by keywords. Its vault opens at once.
type fixture struct {
	*archive.Archive
	dir    string
	keys   *keys.Holder
	folder *datadir.Folder
	mover  *datadir.Mover
}

func newService(cfg config.Config) (*Service, *fixture) {
	holder := keys.New(keys.Options{Dir: cfg.DataDir, Vault: vaulttest.Options()})
	folder := datadir.New(holder)
	a := archive.New(archive.Options{DataDir: cfg.DataDir}, holder, folder)
	return &Service{
		Folders: Folders{DataDir: cfg.DataDir, DatabaseURL: cfg.DatabaseURL, ModelsDir: cfg.ModelsDir},
		Cut:     func() error { _, err := network.CutOff(cfg); return err },
		Archive: a, Keys: holder,
		Audit:       NewAudit(cfg.DataDir, a),
		Keywords:    NewKeywords(config.KeywordsPath(config.Options{}), cfg.DataDir, folder.Home, holder),
		Conclusions: chat.NewSessions(folder, datadir.StateFile),
		Chat:        chat.NewModel(cfg.Chat, network.Policy{Offline: cfg.Offline}),
	}, &fixture{a, cfg.DataDir, holder, folder, datadir.NewMover(folder, a)}
}

// serviceIn returns a service over a folder, which is closed with the test.
func serviceIn(tb testing.TB, dir string) (*Service, *fixture) {
	tb.Helper()
	s, a := newService(config.Config{DataDir: dir})
	tb.Cleanup(a.end)
	return s, a
}

// demoIn is serviceIn with some synthetic chats, which have vectors.
func demoIn(tb testing.TB, dir string) (*Service, *fixture) {
	tb.Helper()
	s, a := serviceIn(tb, dir)
	export := testenv.Demo(tb, demo.Options{Turns: 200})
	_, err := a.Import(tb.Context(), []string{export}, archive.ImportOptions{})
	must(tb, err)
	st, err := a.Reading(tb.Context())
	must(tb, err)
	archivetest.PutVectors(tb, st, "other", "model", func() []float32 { return []float32{1, 0} })
	return s, a
}

var must = testenv.Must

// end closes everything, as the end of a process does.
func (f *fixture) end() {
	_ = f.Close()
	f.keys.Close()
	f.folder.Close()
}

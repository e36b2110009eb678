package httpapi

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
)

func TestMain(m *testing.M) {
	code := m.Run()
	for _, st := range openStores {
		if err := st.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	for _, dir := range tempDirs {
		_ = os.RemoveAll(dir)
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// Cleanup of the archives that tests share.
var (
	openStores []store.Store
	tempDirs   []string
)

// someChats is an archive of a few dozen turns; emptyArchive has none.
var (
	someChats    = sync.OnceValues(func() (*retrieval.Engine, error) { return newArchive(60) })
	emptyArchive = sync.OnceValues(func() (*retrieval.Engine, error) { return newArchive(0) })
)

func newArchive(turns int) (*retrieval.Engine, error) {
	dir, err := os.MkdirTemp("", "lens-httpapi-*")
	if err != nil {
		return nil, err
	}
	tempDirs = append(tempDirs, dir)
	st, err := sqlite.Open(context.Background(), sqlite.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	openStores = append(openStores, st)
	if turns > 0 {
		export := filepath.Join(dir, "conversations.json")
		if err := testenv.WriteDemo(export, demo.Options{Turns: turns}); err != nil {
			return nil, err
		}
		if _, err := ingest.Import(context.Background(), st, []string{export}, ingest.Options{}); err != nil {
			return nil, err
		}
	}
	return retrieval.New(st, nil), nil
}

// engineFunc returns an Options.Engine.
func engineFunc(engine func() (*retrieval.Engine, error)) func(context.Context) (Engine, error) {
	return func(context.Context) (Engine, error) { return engine() }
}

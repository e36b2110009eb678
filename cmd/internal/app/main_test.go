package app

import (
	"context"
	"os"
	"testing"

	"lens/cmd/internal/config"
	"lens/cmd/internal/network"
)

// TestMain runs the tests or, in a child process that a test started, the work of that child.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == OfflineVerb {
		os.Exit(serveQuery())
	}
	os.Exit(m.Run())
}

// serveQuery makes this test binary a child process for one query.
func serveQuery() int {
	cfg, err := config.Load(config.Options{Flags: map[string]string{"offline": "true"}})
	if err != nil {
		return 1
	}
	l := New(cfg, OfflineVerb)
	defer l.Close()
	if _, err := network.CutOff(l.cfg); err != nil {
		return 1
	}
	if err := l.ServeOffline(context.Background(), os.Stdin, os.Stdout); err != nil {
		return 1
	}
	return 0
}

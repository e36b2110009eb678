package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/internal/errs"
)

func newLens(t *testing.T, cfg config.Config) *App {
	t.Helper()
	if cfg.DataDir == "" {
		cfg.DataDir = filepath.Join(t.TempDir(), "lens")
	}
	a := New(cfg, "test")
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func TestNew_OpensNothing(t *testing.T) {
	a := newLens(t, config.Config{Embedding: config.Embedding{Kind: config.OpenAI, BaseURL: "http://127.0.0.1:1/v1"}})
	if _, err := a.Models.Configured(); err != nil {
		t.Error(err)
	}
	if _, err := a.Archive.Engine(context.Background()); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("without an archive: got error %v", err)
	}
	receipt, err := a.Archive.Import(context.Background(), []string{"nowhere"}, archive.ImportOptions{DryRun: true})
	if err == nil || receipt == nil {
		t.Errorf("dry run without an archive: got %v, %v", receipt, err)
	}
	if _, err := os.Stat(a.Config().DataDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data folder was created: %v", err)
	}
}

func checksum(t *testing.T, path string) [sha256.Size]byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return sha256.Sum256(content)
}

func TestDiagnose_HealthyArchiveUnchanged(t *testing.T) {
	a := newLens(t, config.Config{})
	ctx := context.Background()
	demo := Demo(a.Config(), "test")
	defer demo.Close()
	least := 2500
	if testing.Short() { // a script of cmd/lens opens the demo's archive, too
		least = 100
		importDemo(t, demo)
	} else if _, err := demo.Archive.ImportDemo(ctx, nil); err != nil {
		t.Fatal(err)
	}
	if err := demo.Close(); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(demo.Config().DataDir, "lens.db")
	before := checksum(t, archive)
	for _, c := range demo.Doctor.Diagnose(ctx) {
		if c.Status == doctor.Fail || c.Message == "" || c.Status == doctor.Warn && c.Hint == "" {
			t.Errorf("%+v", c)
		}
	}
	if checksum(t, archive) != before {
		t.Error("the archive was changed")
	}
	engine, err := demo.Archive.Engine(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if o, err := engine.Overview(ctx); err != nil || o.Turns < least {
		t.Errorf("got %+v, %v", o, err)
	}
}

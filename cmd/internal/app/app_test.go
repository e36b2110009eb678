package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/cmd/internal/explain"
	"lens/internal/errs"
)

func newLens(t *testing.T, cfg config.Config) *App {
	t.Helper()
	if cfg.DataDir == "" {
		cfg.DataDir = filepath.Join(t.TempDir(), "lens")
	}
	l := New(cfg, "test")
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func TestNew_OpensNothing(t *testing.T) {
	l := newLens(t, config.Config{Embedding: config.Embedding{Kind: config.OpenAI, BaseURL: "http://127.0.0.1:1/v1"}})
	if _, err := l.EmbeddingModel(); err != nil {
		t.Error(err)
	}
	if _, err := l.Engine(context.Background()); errs.CodeOf(err) != errs.NotFound {
		t.Errorf("without an archive: got error %v", err)
	}
	if receipt, err := l.Import(context.Background(), []string{"nowhere"}, ImportOptions{DryRun: true}); err == nil ||
		receipt == nil {
		t.Errorf("dry run without an archive: got %v, %v", receipt, err)
	}
	if _, err := os.Stat(l.Config().DataDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the data folder was created: %v", err)
	}
}

func TestEngine_OfflineRemoteModel(t *testing.T) {
	for _, c := range []struct {
		url     string
		blocked bool
	}{
		{"", true},
		{"https://embeddings.example/v1", true},
		{"http://192.168.1.5:11434/v1", true},
		{"http://localhost.example/v1", true},
		{"http://127.0.0.1:11434/v1", false},
		{"http://localhost:11434/v1", false},
		{"http://[::1]:8080/v1", false},
	} {
		l := newLens(t,
			config.Config{Offline: true, Embedding: config.Embedding{Kind: config.OpenAI, Key: "k", BaseURL: c.url}})
		_, err := l.EmbeddingModel()
		if blocked := errs.CodeOf(err) == errs.Blocked; blocked != c.blocked {
			t.Errorf("%q: %v", c.url, err)
		}
	}
}

func TestEngine_OfflineRemoteDatabase(t *testing.T) {
	l := newLens(t, config.Config{Offline: true, DatabaseURL: "postgres://u:hunter2@db.example/lens"})
	_, err := l.Engine(context.Background())
	if errs.CodeOf(err) != errs.Blocked || strings.Contains(fmt.Sprint(err, explain.Error(err)), "hunter2") {
		t.Errorf("got %v", err)
	}
}

func TestEstimateEmbedding(t *testing.T) {
	for _, c := range []struct {
		name, url           string
		timed, priced, free bool
	}{
		{"OpenAI's pace and price", "", true, true, false},
		{"unknown speed of another server", "https://embeddings.example/v1", false, true, false},
		{"a local server is free", "http://127.0.0.1:1/v1", false, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLens(t,
				config.Config{Embedding: config.Embedding{Kind: config.OpenAI, Provider: "openai", Key: "k", BaseURL: c.url}})
			if _, err := l.Import(t.Context(), []string{"../../lens/testdata/fixtures/chats.json"},
				ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			var heard []Progress
			e, err := l.EstimateEmbedding(t.Context(), false, func(p Progress) { heard = append(heard, p) })
			if err != nil || e.Texts != 8 {
				t.Fatalf("got %+v, %v", e, err)
			}
			if timed, free := e.Time > 0, e.USD == 0; timed != c.timed || e.Priced != c.priced || free != c.free {
				t.Errorf("got %+v", e)
			}
			if len(heard) != 1 || heard[0].Total != 8 {
				t.Errorf("got progress %+v", heard)
			}
		})
	}
}

func TestLog_RedactsSecrets(t *testing.T) {
	l := newLens(t, config.Config{APIKeys: []string{"hunter2"}})
	log := l.Log("my query")
	if _, err := os.Stat(l.LogPath()); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("the log exists before its first line: %v", err)
	}
	log.Error("failed", "error", "hunter2 asked my query")
	content, err := os.ReadFile(l.LogPath())
	if err != nil || !bytes.Contains(content, []byte("[hidden] asked [hidden]")) {
		t.Errorf("got %s, %v", content, err)
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
	l := newLens(t, config.Config{})
	ctx := context.Background()
	demo := Demo(l.Config(), "test")
	defer demo.Close()
	least := 2500
	if testing.Short() { // a script of cmd/lens opens the demo's archive, too
		least = 100
		importDemo(t, demo)
	} else if _, err := demo.MakeDemo(ctx, nil); err != nil {
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
	engine, err := demo.Engine(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if o, err := engine.Overview(ctx); err != nil || o.Turns < least {
		t.Errorf("got %+v, %v", o, err)
	}
}

package models_test

import (
	"testing"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
)

func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		name, url           string
		timed, priced, free bool
	}{
		{"OpenAI's pace and price", "", true, true, false},
		{"unknown speed of another server", "https://embeddings.example/v1", false, true, false},
		{"a local server is free", "http://127.0.0.1:1/v1", false, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := openApp(t,
				config.Config{Embedding: config.Embedding{Kind: config.OpenAI, Provider: "openai", Key: "k", BaseURL: c.url}})
			if _, err := a.Archive.Import(t.Context(), []string{"../../lens/testdata/fixtures/chats.json"},
				archive.ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			var heard []archive.Progress
			e, err := a.Embedding.Estimate(t.Context(), false, func(p archive.Progress) { heard = append(heard, p) })
			if err != nil || e.Texts != 8 || e.Turns != 8 {
				t.Fatalf("got %+v, %v", e, err)
			}
			if timed, free := e.Time > 0, e.USD == 0; timed != c.timed || e.Priced != c.priced || free != c.free {
				t.Errorf("got %+v", e)
			}
			if last := heard[len(heard)-1]; last.Done != 8 || last.Total != 8 {
				t.Errorf("got progress %+v", heard)
			}
		})
	}
}

func openApp(t *testing.T, cfg config.Config) *app.App {
	t.Helper()
	cfg.DataDir = t.TempDir()
	a := app.New(cfg, "test")
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/uuid"

	"lens/internal/demo"
	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
	"lens/store/vecindex/vectest"
)

// loadModel is the pretended model of the archive's vectors.
const loadModel = "made-up"

// makeLoadArchive makes an archive of about turns turns with synthetic vectors, unless an earlier run made it.
func makeLoadArchive(t *testing.T, dir string, turns, dim int) {
	t.Helper()
	complete := filepath.Join(dir, "complete")
	if _, err := os.Stat(complete); err == nil {
		return
	}
	must(t, errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)))
	export := filepath.Join(dir, "conversations.json")
	file, err := os.Create(export)
	must(t, err)
	must(t, errors.Join(demo.Write(file, demo.Options{Turns: turns}), file.Close()))
	st, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	must(t, err)
	_, err = ingest.Import(t.Context(), st, []string{export}, ingest.Options{})
	must(t, err)
	putVectors(t, st, dim)
	must(t, errors.Join(st.Optimize(t.Context()), st.Close(), os.Remove(export), os.WriteFile(complete, nil, 0o600)))
}

// putVectors gives every turn a vector and activates them.
func putVectors(t *testing.T, st store.Store, dim int) {
	t.Helper()
	var ids []uuid.UUID
	for turn, err := range st.EachTurn(t.Context(), store.Filter{}) {
		must(t, err)
		ids = append(ids, turn.ID)
	}
	source := vectest.New(1, dim)
	const page = 2000
	for len(ids) > 0 {
		some := ids[:min(page, len(ids))]
		ids = ids[len(some):]
		vectors := make([]store.Vector, len(some))
		for i, id := range some {
			vectors[i] = store.Vector{Turn: id, Values: source.Next(nil)}
		}
		must(t, st.Update(t.Context(), func(tx store.Tx) error {
			g, err := tx.PutGeneration(t.Context(), store.Generation{Provider: "openai", Model: loadModel, Dim: dim, Recipe: store.Recipe})
			if err != nil {
				return err
			}
			return errors.Join(tx.PutVectors(t.Context(), g.ID, vectors), tx.Activate(t.Context(), g.ID))
		}))
	}
}

// loadEmbedder starts a server that returns a vector near some of the archive's for every query. It stops with the
// test.
func loadEmbedder(t *testing.T, dim int) (baseURL string) {
	var mu sync.Mutex
	source := vectest.New(1, dim)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var ask struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&ask)
		mu.Lock()
		defer mu.Unlock()
		data := make([]map[string]any, len(ask.Input))
		for i := range data {
			data[i] = map[string]any{"index": i, "embedding": source.Query()}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "model": loadModel})
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

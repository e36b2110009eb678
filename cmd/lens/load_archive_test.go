package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/store/archivetest"
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
	must(t, testenv.WriteDemo(export, demo.Options{Turns: turns}))
	st, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	must(t, err)
	archivetest.Import(t, st, export)
	source := vectest.New(1, dim)
	archivetest.PutVectors(t, st, "openai", loadModel, func() []float32 { return source.Next(nil) })
	must(t, errors.Join(st.Close(), os.Remove(export), os.WriteFile(complete, nil, 0o600)))
}

// makeLoadArchiveWith lets another lens make an archive like that of makeLoadArchive, in minutes: it embeds every turn
// through loadEmbedder.
func makeLoadArchiveWith(t *testing.T, binary, dir string, env []string, turns int) {
	t.Helper()
	complete := filepath.Join(dir, "complete")
	if _, err := os.Stat(complete); err == nil {
		return
	}
	must(t, errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700)))
	export := filepath.Join(dir, "conversations.json")
	must(t, testenv.WriteDemo(export, demo.Options{Turns: turns}))
	for _, args := range [][]string{{"import", "--no-embed", export}, {"embed", "--yes"}} {
		cmd := exec.Command(binary, args...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v\n%s", binary, args, err, out)
		}
	}
	must(t, errors.Join(os.Remove(export), os.WriteFile(complete, nil, 0o600)))
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

var must = testenv.Must

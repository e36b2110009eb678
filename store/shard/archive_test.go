package shard

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lens/store"
	"lens/store/ingest"
	"lens/store/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const dims = 16

// record is a line of chunk JSONL.
type record struct {
	ID       string         `json:"id"`
	Text     string         `json:"text"`
	Meta     map[string]any `json:"meta,omitempty"`
	Modified string         `json:"modified,omitempty"`
	Vector   []float32      `json:"vector,omitempty"`
}

var entities = []string{"character", "comic", "event", "series", "story"}

// records returns n of them, a day apart; one in fifty has no time, one in forty no vector.
func records(n int) []record {
	all := make([]record, n)
	for i := range all {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		words := []string{fmt.Sprintf("number%d", i), "common"}
		for range 5 + random.IntN(40) {
			words = append(words, fmt.Sprintf("word%d", int(random.ExpFloat64()*40)))
		}
		all[i] = record{ID: fmt.Sprint(i), Text: strings.Join(words, " "), Meta: map[string]any{"entity": entities[i%5], "urls": []string{fmt.Sprintf("u%d", i%7)}, "source_path": "/data/x.jsonl"}}
		if i%50 != 49 {
			all[i].Modified = time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.RFC3339)
		}
		if i%40 != 39 {
			all[i].Vector = vector(uint64(i))
		}
	}
	return all
}

func vector(seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 2))
	v := make([]float32, dims)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	return v
}

func query(seed uint64) []float32 {
	unit, err := store.Unit(vector(seed))
	if err != nil {
		panic(err)
	}
	return unit
}

// archiveOf imports records, in batches: an archive depends on how it came to be, what is published must not.
func archiveOf(t testing.TB, batches ...[]record) *sqlite.Store {
	t.Helper()
	st, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	must(t, err)
	t.Cleanup(func() { must(t, st.Close()) })
	for _, batch := range batches {
		put(t, st, batch)
	}
	return st
}

func put(t testing.TB, st store.Store, batch []record) {
	t.Helper()
	var lines strings.Builder
	for _, r := range batch {
		line, err := json.Marshal(r)
		must(t, err)
		lines.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), "records.jsonl")
	must(t, os.WriteFile(path, []byte(lines.String()), 0o600))
	_, err := ingest.Import(t.Context(), st, []string{path}, ingest.Options{VectorsOf: ingest.Model{Provider: "test", Name: "words"}})
	must(t, err)
}

// alone skips what does one thing at a time when time is short: under the race detector publishing takes minutes, and finds nothing.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT with -short")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// small makes shards of a few hundred records.
const small = 200_000

func publish(t testing.TB, st store.Store, to Bucket, opts PublishOptions) *Published {
	t.Helper()
	p, err := Publish(t.Context(), st, to, opts)
	must(t, err)
	return p
}

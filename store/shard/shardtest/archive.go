// Package shardtest creates archives of records for tests that publish them, and damages published indexes.
package shardtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/ingest"
	"lens/store/sqlite"
)

// Model of the records' vectors, and root of its index.
const (
	Provider = "test"
	Model    = "words"
	Dims     = 16
	Root     = "indexes/model=words/dims=16/"
)

// Small is a shard size for a few hundred records, in bytes.
const Small = 200_000

// Record is a line of chunk JSONL.
type Record struct {
	ID       string         `json:"id"`
	Text     string         `json:"text"`
	Meta     map[string]any `json:"meta,omitempty"`
	Modified string         `json:"modified,omitempty"`
	Vector   []float32      `json:"vector,omitempty"`
}

// Entities are the values of the records' metadata, in turn.
var Entities = []string{"character", "comic", "event", "series", "story"}

// Records returns n records, always the same, one day apart. One in fifty has no time, one in forty no
// vector.
func Records(n int) []Record {
	all := make([]Record, n)
	for i := range all {
		random := rand.New(rand.NewPCG(uint64(i), 1))
		words := []string{fmt.Sprintf("number%d", i), "common"}
		for range 5 + random.IntN(40) {
			words = append(words, fmt.Sprintf("word%d", int(random.ExpFloat64()*40)))
		}
		all[i] = Record{
			ID:   fmt.Sprint(i),
			Text: strings.Join(words, " "),
			Meta: map[string]any{
				"entity":      Entities[i%5],
				"urls":        []string{fmt.Sprintf("u%d", i%7)},
				"source_path": "/data/x.jsonl",
			},
		}
		if i%50 != 49 {
			all[i].Modified = Day(i).Format(time.RFC3339)
		}
		if i%40 != 39 {
			all[i].Vector = vector(uint64(i))
		}
	}
	return all
}

// Day returns the time of the n-th record.
func Day(n int) time.Time { return time.Date(2020, 1, 1+n, 0, 0, 0, 0, time.UTC) }

func vector(seed uint64) []float32 {
	random := rand.New(rand.NewPCG(seed, 2))
	v := make([]float32, Dims)
	for i := range v {
		v[i] = float32(random.NormFloat64())
	}
	return v
}

// Query returns a unit vector, always the same for a seed. Below the number of records it is that record's
// vector.
func Query(seed uint64) []float32 {
	unit, err := store.Unit(vector(seed))
	if err != nil {
		panic(err)
	}
	return unit
}

// Archive imports records in batches. An archive depends on its history; a published index must not.
func Archive(t testing.TB, batches ...[]Record) *sqlite.Store {
	t.Helper()
	st := archivetest.New(t)
	for _, batch := range batches {
		Put(t, st, batch)
	}
	return st
}

// Put imports records into an archive.
func Put(t testing.TB, st store.Store, batch []Record) {
	t.Helper()
	var lines strings.Builder
	for _, r := range batch {
		line, err := json.Marshal(r)
		must(t, err)
		lines.Write(append(line, '\n'))
	}
	path := filepath.Join(t.TempDir(), "records.jsonl")
	must(t, os.WriteFile(path, []byte(lines.String()), 0o600))
	options := ingest.Options{VectorsOf: ingest.Model{Provider: Provider, Name: Model}}
	_, err := ingest.Import(t.Context(), st, []string{path}, options)
	must(t, err)
}

var must = testenv.Must

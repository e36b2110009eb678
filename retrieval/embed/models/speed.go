package models

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lens/retrieval/embed"
)

// Speed is how fast a model ran on this machine when it was measured.
type Speed struct {
	Turns  float64       `json:"turns_per_second"` // of Tokens tokens each, many at once
	Tokens int           `json:"tokens_per_turn"`
	Bytes  int           `json:"bytes_per_turn"`
	Query  time.Duration `json:"query_ns"` // one query of a few words
	At     time.Time     `json:"measured"`
}

// speedFile is stored in a model's folder and is removed with it.
const speedFile = "speed.json"

// Speed returns the result of the last Measure; false without one.
func (f Folder) Speed(name string) (Speed, bool) {
	var s Speed
	data, err := os.ReadFile(filepath.Join(f.Path(name), speedFile))
	if err != nil || json.Unmarshal(data, &s) != nil || s.Turns <= 0 || s.Tokens <= 0 || s.Bytes <= 0 {
		return Speed{}, false
	}
	return s, true
}

// Measure opens a model, embeds for at least the given time and stores how fast that was. Errors: see Open.
func (f Folder) Measure(ctx context.Context, name string, atLeast time.Duration) (Speed, error) {
	m, err := f.Open(name)
	if err != nil {
		return Speed{}, err
	}
	defer m.Close()
	s, err := measure(ctx, m, atLeast)
	if err != nil {
		return Speed{}, err
	}
	data, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(filepath.Join(f.Path(name), speedFile), data, 0o600)
	}
	if err != nil {
		return s, cannotWrite(err)
	}
	return s, nil
}

// A turn of a chat has about 300 tokens; this one has them in everyday words.
var (
	sampleTurn  = strings.Repeat("my sourdough starter smells of vinegar and does not rise, what did I do wrong? ", 13)
	sampleQuery = "when did my sourdough starter die"
)

// measure embeds batches of turns for at least the given time, after one to warm up, and takes the median of a few
// queries.
func measure(ctx context.Context, m embed.Embedder, atLeast time.Duration) (Speed, error) {
	batch := make([]string, 8)
	for i := range batch {
		batch[i] = sampleTurn
	}
	warm, err := m.Embed(ctx, batch)
	if err != nil {
		return Speed{}, err
	}
	s := Speed{Tokens: warm[0].Tokens, Bytes: len(sampleTurn), At: time.Now().UTC().Truncate(time.Second)}
	begun, turns := time.Now(), 0
	for ; turns == 0 || time.Since(begun) < atLeast; turns += len(batch) {
		if _, err := m.Embed(ctx, batch); err != nil {
			return Speed{}, err
		}
	}
	s.Turns = float64(turns) / time.Since(begun).Seconds()
	var queries [9]time.Duration
	for i := range queries {
		asked := time.Now()
		if _, err := m.EmbedQuery(ctx, sampleQuery); err != nil {
			return Speed{}, err
		}
		queries[i] = time.Since(asked)
	}
	slices.Sort(queries[:])
	s.Query = queries[len(queries)/2]
	return s, nil
}

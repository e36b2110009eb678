package models

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"lens/retrieval/embed"
)

// sampleBudget is how long a sample is measured.
const sampleBudget = 2 * time.Second

// A model reads long texts a window at a time, so a piece of one costs as much for each byte as the whole.
const (
	pieceBytes   = 2048
	samplePieces = 128 // pieces in the sample
	chunkPieces  = 8   // embedded together: about eight batches
)

// sample is an even choice of the pieces of many texts. Every piece has the same chance (Vitter, Random sampling with a
// reservoir, 1985), so long and short texts, prose and code have the shares that they have in the archive.
type sample struct {
	random *rand.Rand
	seen   int
	bytes  int      // of all texts
	pieces []string // in random order
}

func newSample() *sample { return &sample{random: rand.New(rand.NewPCG(1, 2))} }

func (s *sample) add(text string) {
	s.bytes += len(text)
	for len(text) > 0 {
		piece := text[:min(len(text), pieceBytes)]
		text = text[len(piece):]
		s.seen++
		at := s.random.IntN(s.seen)
		switch {
		case len(s.pieces) < samplePieces:
			s.pieces = append(s.pieces, piece)
			last := len(s.pieces) - 1
			s.pieces[at], s.pieces[last] = s.pieces[last], s.pieces[at]
		case at < samplePieces:
			s.pieces[at] = piece
		}
	}
}

// cost is what a model takes for each byte.
type cost struct{ tokens, nanoseconds float64 }

// measure embeds pieces for about the given time, at least one chunk, two chunks at once like an embedding run.
func (s *sample) measure(ctx context.Context, m embed.Embedder, budget time.Duration) (cost, error) {
	if len(s.pieces) == 0 {
		return cost{}, nil
	}
	if _, err := m.Embed(ctx, s.pieces[:1]); err != nil { // reads the weights
		return cost{}, err
	}
	var mu sync.Mutex // guards what follows
	rest, bytes, tokens := s.pieces, 0, 0
	var failure error
	begun := time.Now()
	next := func() (chunk []string) {
		mu.Lock()
		defer mu.Unlock()
		if bytes > 0 && time.Since(begun) > budget || failure != nil {
			return nil
		}
		n := min(chunkPieces, len(rest))
		chunk, rest = rest[:n], rest[n:]
		return chunk
	}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for chunk := next(); len(chunk) > 0; chunk = next() {
				results, err := m.Embed(ctx, chunk)
				mu.Lock()
				for i, r := range results {
					bytes, tokens = bytes+len(chunk[i]), tokens+r.Tokens
				}
				if err != nil {
					failure = err
				}
				mu.Unlock()
			}
		})
	}
	both.Wait()
	spent := time.Since(begun)
	if failure != nil || bytes == 0 {
		return cost{}, failure
	}
	return cost{float64(tokens) / float64(bytes), float64(spent) / float64(bytes)}, nil
}

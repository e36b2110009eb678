package offline

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store/terms"
)

// Conclusion is a pinned answer of the chat model: what the user concluded, not evidence for it. It is never a hit,
// and no answer rests on it.
type Conclusion struct {
	Text      string      `json:"text"`
	At        time.Time   `json:"asked_at"`  // when the question was asked
	Turns     []uuid.UUID `json:"turn_ids"`  // that it cites
	Citations []Citation  `json:"citations"` // of Turns, in their order
	Numbers   []int       `json:"-"`         // of Turns in the stored text; an answer shows names instead
}

// ConclusionReader reads conclusions. An implementation fills in everything but Citations, and writes nothing.
type ConclusionReader interface {
	// Conclusions returns all stored conclusions, in no order. Errors: locked; others mean that they cannot be
	// read.
	Conclusions(ctx context.Context) ([]Conclusion, error)
}

// maxConclusions is how many are shown with an answer.
const maxConclusions = 3

// relevantConclusions returns the conclusions that rest on a turn of hits, or hold at least half of the words of
// prompt: those with most hits first, then by words, then the latest. It skips one that cites a deleted turn,
// because its text may repeat what is gone.
func relevantConclusions(
	ctx context.Context, searcher Searcher, all []Conclusion, hits []Hit, prompt string,
) ([]Conclusion, error) {
	type candidate struct {
		Conclusion
		hits, words int
	}
	wanted := terms.Query(prompt)
	var analyzer terms.Analyzer
	var found []candidate
	for _, c := range all {
		b := candidate{Conclusion: c}
		for _, h := range hits {
			if slices.Contains(c.Turns, h.ChunkID) {
				b.hits++
			}
		}
		for _, t := range analyzer.Document(c.Text) {
			if slices.Contains(wanted, t.Term) {
				b.words++
			}
		}
		if b.hits > 0 || b.words > 0 && 2*b.words >= len(wanted) {
			found = append(found, b)
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.hits, a.hits), cmp.Compare(b.words, a.words), b.At.Compare(a.At))
	})
	shown := []Conclusion{}
	for _, b := range found {
		if len(shown) == maxConclusions {
			break
		}
		switch err := b.cite(ctx, searcher); {
		case errs.CodeOf(err) == errs.NotFound:
		case err != nil:
			return nil, err
		default:
			shown = append(shown, b.Conclusion)
		}
	}
	return shown, nil
}

// cite reads the conclusion's turns and names them.
func (c *Conclusion) cite(ctx context.Context, searcher Searcher) error {
	hits := make([]Hit, len(c.Turns))
	for i, id := range c.Turns {
		hits[i].ChunkID = id
	}
	turns, err := hydrate(ctx, searcher, hits)
	if err != nil {
		return err
	}
	c.Turns, c.Citations = append([]uuid.UUID{}, c.Turns...), []Citation{}
	for i := range turns {
		hits[i].describe(&turns[i])
		c.Citations = append(c.Citations, hits[i].Citation())
	}
	c.Text = nameCitations(c.Text, func(n int) (Citation, bool) {
		i := slices.Index(c.Numbers, n)
		if i < 0 || i >= len(c.Citations) {
			return Citation{}, false
		}
		return c.Citations[i], true
	})
	return nil
}

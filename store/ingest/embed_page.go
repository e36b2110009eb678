package ingest

import (
	"context"
	"crypto/sha256"
	"errors"

	"lens/store"
)

// errNoAnswer is the error of a text for which the model returned neither a vector nor an error.
var errNoAnswer = errors.New("the model returned no vector")

// embedPage embeds turns and stores the vectors, even when the model also returned an error: they have been paid for.
// For the same reason storing ignores the cancellation of ctx.
func (r *embedRun) embedPage(ctx context.Context, turns []store.Turn) error {
	texts, at := distinct(turns)
	answers, failure := r.ask(ctx, texts)
	r.mu.Lock()
	defer r.mu.Unlock()
	vectors := r.collectVectors(turns, texts, at, answers, failure)
	if len(vectors) > 0 {
		if err := r.store(context.WithoutCancel(ctx), vectors); err != nil {
			return errors.Join(failure, err)
		}
	}
	r.report.Embedded += len(vectors)
	r.meter.now.Done += int64(len(turns))
	r.meter.now.Turns = r.report.Embedded
	r.meter.tick()
	return failure
}

// distinct returns the distinct texts of turns, and for each turn the index of its text.
func distinct(turns []store.Turn) (texts []string, at []int) {
	seen := make(map[string]int, len(turns))
	at = make([]int, len(turns))
	for i := range turns {
		text := turns[i].EmbeddedText()
		index, again := seen[text]
		if !again {
			index = len(texts)
			seen[text] = index
			texts = append(texts, text)
		}
		at[i] = index
	}
	return texts, at
}

// collectVectors makes vectors of answers and adds costs and failures to the report. at holds the index of each turn's
// text. When a failure concerns all texts, turns without a vector stay pending and do not count as failed.
func (r *embedRun) collectVectors(
	turns []store.Turn, texts []string, at []int, answers []embedding, failure error,
) []store.Vector {
	for i := range answers {
		r.report.Tokens += answers[i].Tokens
		r.report.Truncated += boolToInt(answers[i].Truncated)
	}
	vectors := make([]store.Vector, 0, len(turns))
	for i := range turns {
		unit, err := vectorOf(answers, at[i])
		switch {
		case err == nil:
			vectors = append(vectors, store.Vector{
				Turn:        turns[i].ID,
				Content:     contentHash(texts[at[i]]),
				UsedSummary: turns[i].Summary != "",
				Values:      unit,
			})
		case failure == nil:
			r.report.Failed = append(r.report.Failed, FailedTurn{turns[i].ID, err})
		}
	}
	return vectors
}

func vectorOf(answers []embedding, i int) ([]float32, error) {
	switch {
	case i >= len(answers):
		return nil, errNoAnswer
	case answers[i].Err != nil:
		return nil, answers[i].Err
	}
	return store.Unit(answers[i].Values)
}

func contentHash(text string) (h store.Hash) {
	sum := sha256.Sum256([]byte(text))
	copy(h[:], sum[:])
	return h
}

// store writes vectors to the generation of their dimension. The first vectors of a run set that dimension.
func (r *embedRun) store(ctx context.Context, vectors []store.Vector) error {
	gen := r.report.Generation
	if r.target.Dim == 0 {
		r.target.Dim = len(vectors[0].Values)
	}
	err := r.st.Update(ctx, func(tx store.Tx) error {
		var err error
		if gen, err = tx.PutGeneration(ctx, r.target); err != nil {
			return err
		}
		if err := tx.PutVectors(ctx, gen.ID, vectors); err != nil || r.active {
			return err
		}
		gen.Active = true
		return tx.Activate(ctx, gen.ID)
	})
	if err != nil {
		return err
	}
	r.report.Generation, r.active = gen, true
	return nil
}

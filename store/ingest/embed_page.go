package ingest

import (
	"context"
	"errors"

	"lens/store"
)

// errNoAnswer is the error of a text for which the model returned neither a vector nor an error.
var errNoAnswer = errors.New("the model returned no vector")

// embedPage embeds turns and stores the vectors as they arrive, even when the model then returns an error: they have
// been paid for. Vectors that cannot be stored end the page, so that no more are paid for.
func (r *embedRun) embedPage(ctx context.Context, turns []store.Turn) error {
	p := newEmbedPage(turns)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var unstored error
	failure := r.ask(ctx, p.texts, func(at []int, results []embedding) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if err := r.keep(ctx, p, at, results); err != nil {
			unstored = errors.Join(unstored, err)
			stop()
		}
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if unstored != nil {
		return unstored
	}
	if failure == nil {
		r.report.Failed = append(r.report.Failed, p.failed()...)
	}
	r.meter.now.Done += int64(len(turns) - p.done)
	r.meter.tick()
	return failure
}

// embedPage is the turns of a page and what the model said of them.
type embedPage struct {
	turns []store.Turn
	texts []string // distinct
	of    [][]int  // for each text, the indexes of its turns
	errs  []error  // for each turn, why it has no vector; nil: it has one
	done  int      // turns whose result has arrived
}

func newEmbedPage(turns []store.Turn) *embedPage {
	p := &embedPage{turns: turns, errs: make([]error, len(turns))}
	seen := make(map[string]int, len(turns))
	for i := range turns {
		p.errs[i] = errNoAnswer
		text := turns[i].EmbeddedText()
		at, again := seen[text]
		if !again {
			at = len(p.texts)
			seen[text] = at
			p.texts, p.of = append(p.texts, text), append(p.of, nil)
		}
		p.of[at] = append(p.of[at], i)
	}
	return p
}

// failed lists the turns without a vector.
func (p *embedPage) failed() (all []FailedTurn) {
	for i, err := range p.errs {
		if err != nil {
			all = append(all, FailedTurn{p.turns[i].ID, err})
		}
	}
	return all
}

// keep stores the vectors among the results of the texts at, and counts them. They have been paid for, so it ignores
// the cancellation of ctx.
func (r *embedRun) keep(ctx context.Context, p *embedPage, at []int, results []embedding) error {
	var vectors []store.Vector
	turns := 0
	for i, result := range results {
		r.report.Tokens += result.Tokens
		r.report.Truncated += boolToInt(result.Truncated)
		vectors = append(vectors, p.vectors(at[i], result)...)
		turns += len(p.of[at[i]])
	}
	if len(vectors) > 0 {
		if err := r.store(context.WithoutCancel(ctx), vectors); err != nil {
			return err
		}
	}
	p.done += turns
	r.report.Embedded += len(vectors)
	r.meter.now.Done += int64(turns)
	r.meter.now.Turns = r.report.Embedded
	r.meter.tick()
	return nil
}

// vectors returns the vectors of the turns with a text, none if the result is an error, which it remembers.
func (p *embedPage) vectors(at int, result embedding) (all []store.Vector) {
	unit, err := vectorOf(result)
	text := p.texts[at]
	if result.Truncated {
		text = result.Text
	}
	for _, i := range p.of[at] {
		p.errs[i] = err
		if err == nil {
			all = append(all, store.Vector{
				Turn:        p.turns[i].ID,
				Text:        text,
				UsedSummary: p.turns[i].Summary != "",
				Values:      unit,
			})
		}
	}
	return all
}

func vectorOf(result embedding) ([]float32, error) {
	if result.Err != nil {
		return nil, result.Err
	}
	return store.Unit(result.Values)
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

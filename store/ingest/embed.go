package ingest

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"lens/store"
)

// Embedder makes vectors. It is declared over the shape of an embedding instead of its type, so that every model whose answers have
// this shape fits as it is: E holds the Values, or says in Err why there are none.
type Embedder[E Embedding] interface {
	// Embed returns one E a text. An error beside the slice concerns all texts; what was obtained before it is in the slice.
	Embed(ctx context.Context, texts []string) ([]E, error)

	// Model names the model that all vectors come from.
	Model() (provider, name string)
}

// Embedding is the shape of what became of one text: Values of the model's dim, or Err; what it cost; whether the text was cut.
type Embedding interface {
	~struct {
		Values    []float32
		Tokens    int
		Truncated bool
		Err       error
	}
}

// embedding is an Embedding as this package handles it.
type embedding struct {
	Values    []float32
	Tokens    int
	Truncated bool
	Err       error
}

// EmbedOptions shapes an embedding run. The zero value is usable.
type EmbedOptions struct {
	Filter   store.Filter   // only these turns; the zero value: all of active paths
	Page     int            // turns that are read, asked for and stored together; 0: 512
	AtOnce   int            // pages that are under way at once; 0: 2
	Progress func(Progress) // never called twice at a time, ten times a second at most and once at the end; nil: never
}

// EmbedReport says what an embedding run did.
type EmbedReport struct {
	Generation store.Generation // the zero value when there was nothing to embed, or nothing came
	Embedded   int              // turns that have a vector now
	Tokens     int
	Truncated  int          // texts that were cut at the model's limit
	Failed     []FailedTurn // tried again by the next run
	Pending    int          // turns that the filter lets through and that still have none; told by a run that came to its end
}

// FailedTurn is a turn that the model refused.
type FailedTurn struct {
	Turn uuid.UUID
	Err  error
}

// Embed gives a vector to every turn that has none in the generation of model. It goes on where an earlier run stopped, because what is
// pending is asked of the archive, page by page. A turn that the model refuses fails alone.
//
// The vectors form the generation of the model's name, dim (learnt from its first answer) and recipe. It is built beside the active
// one, which queries go on using, and takes its place when nothing is pending any more. The very first generation is
// active from its first vector on: there is nothing better that it could displace, and search by meaning works on what is there.
func Embed[E Embedding](ctx context.Context, st store.Store, model Embedder[E], opts EmbedOptions) (*EmbedReport, error) {
	provider, name := model.Model()
	run := &embedRun{
		st: st, opts: opts, report: new(EmbedReport),
		target: store.Generation{Provider: provider, Model: name, Recipe: store.Recipe},
		meter:  meter{report: opts.Progress, started: time.Now()},
		ask: func(ctx context.Context, texts []string) ([]embedding, error) {
			answers, err := model.Embed(ctx, texts)
			out := make([]embedding, len(answers))
			for i := range answers {
				out[i] = embedding(answers[i])
			}
			return out, err
		},
	}
	run.opts.Page, run.opts.AtOnce = cmp.Or(opts.Page, 512), cmp.Or(opts.AtOnce, 2)
	err := run.embedAll(ctx)
	run.meter.done()
	return run.report, err
}

// embedRun is one embedding run under way.
type embedRun struct {
	st     store.Store
	opts   EmbedOptions
	ask    func(context.Context, []string) ([]embedding, error)
	target store.Generation // without id, and without dim until the first answer

	mu     sync.Mutex // held by the one page that is being written
	report *EmbedReport
	meter  meter
	active bool // some generation is active
}

// embedAll asks for the first page alone: it shows whether the model answers at all, and its dim.
func (r *embedRun) embedAll(ctx context.Context) error {
	gen, err := r.resume(ctx)
	if err != nil {
		return err
	}
	first, err := r.st.Pending(ctx, gen.ID, r.opts.Filter, 0, r.opts.Page)
	if err != nil {
		return err
	}
	if len(first) > 0 {
		if err := r.embedPage(ctx, first); err != nil {
			return err
		}
		if err := r.embedRest(ctx, gen, first[len(first)-1].Ord); err != nil {
			return err
		}
	}
	return r.complete(ctx)
}

// resume finds the generation to go on with, and counts what is pending in it. One of another dim is found out by the first page.
func (r *embedRun) resume(ctx context.Context) (store.Generation, error) {
	gen, active, err := generationOf(ctx, r.st, r.target)
	if err != nil {
		return gen, err
	}
	r.active, r.report.Generation = active, gen
	pending, err := r.st.CountPending(ctx, gen.ID, r.opts.Filter)
	r.meter.now.Total = int64(pending)
	return gen, err
}

// generationOf returns the generation of wanted's provider, model and recipe, the active one first; a zero one when there is none.
// active tells whether any generation is.
func generationOf(ctx context.Context, st store.Reader, target store.Generation) (gen store.Generation, active bool, err error) {
	all, err := st.Generations(ctx)
	if err != nil {
		return gen, false, err
	}
	for _, g := range all {
		active = active || g.Active
		same := g.Provider == target.Provider && g.Model == target.Model && g.Recipe == target.Recipe
		if same && gen.ID == 0 {
			gen = g
		}
	}
	return gen, active, nil
}

// embedRest embeds what is pending after the first page, several pages at once. Where the first page made a generation of another dim
// than guessed, what was before it is pending too, except for that page.
func (r *embedRun) embedRest(ctx context.Context, guessed store.Generation, after store.Ord) error {
	gen := r.report.Generation
	if gen.ID != guessed.ID && guessed.ID != 0 {
		after = 0
		pending, err := r.st.CountPending(ctx, gen.ID, r.opts.Filter)
		if err != nil {
			return err
		}
		r.meter.now.Total = r.meter.now.Done + int64(pending)
	}
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(r.opts.AtOnce)
	for groupCtx.Err() == nil {
		page, err := r.st.Pending(groupCtx, gen.ID, r.opts.Filter, after, r.opts.Page)
		if err != nil || len(page) == 0 {
			group.Go(func() error { return err })
			break
		}
		after = page[len(page)-1].Ord
		group.Go(func() error {
			if groupCtx.Err() != nil { // waited for its turn, and meanwhile another page failed
				return nil
			}
			return r.embedPage(groupCtx, page)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// complete activates the generation when nothing is pending in it but what the model refused, and that is little.
func (r *embedRun) complete(ctx context.Context) error {
	gen := &r.report.Generation
	if gen.ID == 0 {
		var err error
		r.report.Pending, err = r.st.CountPending(ctx, 0, r.opts.Filter)
		return err
	}
	left, err := r.st.CountPending(ctx, gen.ID, store.Filter{})
	if err != nil {
		return err
	}
	if r.report.Pending, err = r.st.CountPending(ctx, gen.ID, r.opts.Filter); err != nil || gen.Active {
		return err
	}
	if failed := len(r.report.Failed); left > failed || failed > r.report.Embedded+gen.Vectors {
		return nil
	}
	gen.Active = true
	return r.st.Update(ctx, func(tx store.Tx) error { return tx.Activate(ctx, gen.ID) })
}

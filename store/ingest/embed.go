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

// Embedder makes vectors. It is generic over the shape of an embedding, so that any model whose results have this shape
// fits without an adapter: E holds the Values, or the reason in Err.
type Embedder[E Embedding] interface {
	// Embed returns one E per text. An error concerns all texts; the slice then holds the results until it occurred.
	Embed(ctx context.Context, texts []string) ([]E, error)

	// Model names the model that makes the vectors.
	Model() (provider, name string)
}

// BatchEmbedder is an Embedder that asks a server, batch by batch. Embed stores each batch as it arrives, so that a
// process that dies has paid in vain only for the batches that were under way.
type BatchEmbedder[E Embedding] interface {
	Embedder[E]

	// EmbedBatches is Embed, with the results in one or more calls of arrived, which may be concurrent: results[i] is that
	// of texts[at[i]]. After an error, texts that were in no call have no result.
	EmbedBatches(ctx context.Context, texts []string, arrived func(at []int, results []E)) error
}

// Embedding is the shape of the result for one text: Values of the model's dimension or Err, its cost in tokens, and
// whether the text was cut for the model; Text is then the part that was embedded.
type Embedding interface {
	~struct {
		Values    []float32
		Tokens    int
		Truncated bool
		Text      string
		Err       error
	}
}

// embedding is the concrete Embedding of this package.
type embedding struct {
	Values    []float32
	Tokens    int
	Truncated bool
	Text      string
	Err       error
}

// EmbedOptions configures an embedding run. The zero value is usable.
type EmbedOptions struct {
	Filter   store.Filter   // only these turns; the zero value: all turns of active paths
	Prefixes store.Prefixes // of the generation; Document goes before each text
	Page     int            // turns that are read and embedded together; 0: 512
	AtOnce   int            // pages in flight at the same time; 0: 2
	Progress func(Progress) // never called concurrently, at most ten times a second and once at the end; nil: never
}

// EmbedReport says what an embedding run did.
type EmbedReport struct {
	Generation store.Generation // the zero value when there was nothing to embed, or no vector came back
	Embedded   int              // turns that got a vector
	Reused     int              // of those, the ones that got the vector of another turn with the same text, at no cost
	Tokens     int
	Truncated  int          // texts that were cut at the model's limit
	Failed     []FailedTurn // the next run tries them again
	Pending    int          // turns of the filter that still have no vector; set when the run completes
}

// FailedTurn is a turn for which the model returned an error.
type FailedTurn struct {
	Turn uuid.UUID
	Err  error
}

// Embed gives a vector to every turn that has none in the generation of model. It resumes where an earlier run stopped,
// because it asks the archive, page by page, which turns are pending. When the model refuses a turn, only that turn
// fails.
//
// A text is sent once: turns with a text that has a vector in the generation get that one. A text that was cut for the
// model is recognized only within a run, because the archive has the hash of what is left of it.
//
// A generation is identified by the model's name, its dimension (learned from the first answer), the recipe and the
// prefixes. It is built beside the active one, which queries keep using, and replaces it when no turn is pending. The
// very first generation is active from its first vector on, so that search by meaning works with the vectors there are.
func Embed[E Embedding](
	ctx context.Context, st store.Store, model Embedder[E], opts EmbedOptions,
) (*EmbedReport, error) {
	provider, name := model.Model()
	run := &embedRun{
		st: st, opts: opts, report: new(EmbedReport),
		target: store.Generation{Provider: provider, Model: name, Recipe: store.Recipe, Prefixes: opts.Prefixes},
		meter:  meter{report: opts.Progress, started: time.Now()},
		ask:    asker(model),
		cut:    make(map[store.Hash]store.Hash),
	}
	run.opts.Page, run.opts.AtOnce = cmp.Or(opts.Page, 512), cmp.Or(opts.AtOnce, 2)
	err := run.embedAll(ctx)
	run.meter.done()
	return run.report, err
}

// arrived takes the results of the texts at; see BatchEmbedder.
type arrived = func(at []int, results []embedding)

// asker returns a function that embeds texts with model. A model without batches is one batch.
func asker[E Embedding](model Embedder[E]) func(context.Context, []string, arrived) error {
	convert := func(then arrived) func(at []int, results []E) {
		return func(at []int, results []E) {
			converted := make([]embedding, len(results))
			for i := range results {
				converted[i] = embedding(results[i])
			}
			then(at, converted)
		}
	}
	if batches, ok := model.(BatchEmbedder[E]); ok {
		return func(ctx context.Context, texts []string, then arrived) error {
			return batches.EmbedBatches(ctx, texts, convert(then))
		}
	}
	return func(ctx context.Context, texts []string, then arrived) error {
		results, err := model.Embed(ctx, texts)
		at := make([]int, len(results))
		for i := range at {
			at[i] = i
		}
		convert(then)(at, results)
		return err
	}
}

// embedRun is one embedding run under way.
type embedRun struct {
	st     store.Store
	opts   EmbedOptions
	ask    func(context.Context, []string, arrived) error
	target store.Generation // without id, and without dimension until the first answer
	claims claims

	mu     sync.Mutex // guards what follows; held while vectors are written
	report *EmbedReport
	meter  meter
	active bool                      // some generation is active
	cut    map[store.Hash]store.Hash // of texts that were cut for the model: the hashes of what is left
}

// embedAll embeds one page after the other until the model has answered: that shows its dimension.
func (r *embedRun) embedAll(ctx context.Context) error {
	gen, err := r.resume(ctx)
	if err != nil {
		return err
	}
	var after store.Ord
	for r.target.Dim == 0 {
		page, err := r.st.Pending(ctx, gen.ID, r.opts.Filter, after, r.opts.Page)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return r.complete(ctx)
		}
		if err := r.embedPage(ctx, page); err != nil {
			return err
		}
		after = page[len(page)-1].Ord
	}
	if err := r.embedRest(ctx, gen, after); err != nil {
		return err
	}
	return r.complete(ctx)
}

// resume finds the generation to continue and counts its pending turns. Only the first answer shows whether the model's
// dimension still is that of the generation.
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

// generationOf returns the generation with the provider, model, recipe and prefixes of target, preferably the active
// one; the zero value for none. active reports whether any generation is active.
func generationOf(
	ctx context.Context, st store.Reader, target store.Generation,
) (gen store.Generation, active bool, err error) {
	all, err := st.Generations(ctx)
	if err != nil {
		return gen, false, err
	}
	for _, g := range all {
		active = active || g.Active
		same := g.Provider == target.Provider && g.Model == target.Model && g.Recipe == target.Recipe &&
			g.Prefixes == target.Prefixes
		if same && gen.ID == 0 {
			gen = g
		}
	}
	return gen, active, nil
}

// embedRest embeds the pages after the first answer, several at the same time. When that started a generation of
// another dimension than guessed, it begins again from the start; only the page of the answer is done.
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
			if groupCtx.Err() != nil { // another page failed while this one waited
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

// complete activates the generation when only turns that the model refused are pending, and they are few.
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

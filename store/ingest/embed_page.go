package ingest

import (
	"context"
	"errors"
	"strings"

	"lens/internal/errs"
	"lens/store"
)

// errNoAnswer is the error of a text for which the model returned neither a vector nor an error.
var errNoAnswer = errors.New("the model returned no vector")

// embedPage gives turns the vectors of their texts. Texts that another page is asking for come last.
func (r *embedRun) embedPage(ctx context.Context, turns []store.Turn) error {
	p := newEmbedPage(turns)
	failure := r.embedTexts(ctx, p)
	r.mu.Lock()
	defer r.mu.Unlock()
	if failure == nil {
		r.report.Failed = append(r.report.Failed, p.failed()...)
	}
	r.meter.now.Done += int64(len(turns) - p.done)
	r.meter.tick()
	return failure
}

func (r *embedRun) embedTexts(ctx context.Context, p *embedPage) error {
	for open := p.all(); len(open) > 0; {
		mine, others := r.claims.take(p, open)
		err := r.embedClaimed(ctx, p, mine.texts)
		mine.release()
		if err != nil {
			return err
		}
		if open, err = others.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// embedClaimed embeds texts of a page, by their indexes. It takes vectors of equal texts from the generation, and
// stores them after the model has answered for the others: only then is it certain that the model still is the
// generation's.
func (r *embedRun) embedClaimed(ctx context.Context, p *embedPage, texts []int) error {
	gen := r.generation()
	found, missing, err := r.lookUp(ctx, gen, p, texts)
	if err != nil {
		return err
	}
	if err := r.askFor(ctx, p, missing); err != nil {
		return err
	}
	if r.generation().ID != gen.ID {
		return r.askFor(ctx, p, found.texts)
	}
	return r.reuse(ctx, gen, p, found)
}

func (r *embedRun) generation() store.Generation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.report.Generation
}

// reusable are texts of a page that have a vector.
type reusable struct {
	texts   []int // indexes in the page
	vectors []store.Vector
}

// lookUp divides texts into those that have a vector in gen, and the others.
func (r *embedRun) lookUp(
	ctx context.Context, gen store.Generation, p *embedPage, texts []int,
) (found reusable, missing []int, err error) {
	if gen.ID == 0 {
		return found, texts, nil
	}
	contents := make([]store.Hash, len(texts))
	r.mu.Lock()
	for i, at := range texts {
		contents[i] = p.hashes[at]
		if cut, ok := r.cut[contents[i]]; ok {
			contents[i] = cut
		}
	}
	r.mu.Unlock()
	vectors, err := r.st.VectorsOfTexts(ctx, gen.ID, contents)
	if err != nil {
		return found, nil, err
	}
	for i, at := range texts {
		if vectors[i] == nil {
			missing = append(missing, at)
			continue
		}
		found.texts = append(found.texts, at)
		found.vectors = append(found.vectors, store.Vector{Content: contents[i], Values: vectors[i], Stored: true})
	}
	return found, missing, nil
}

// reuse stores the vectors that were found in gen for the turns of the page.
func (r *embedRun) reuse(ctx context.Context, gen store.Generation, p *embedPage, found reusable) error {
	var vectors []store.Vector
	for i, at := range found.texts {
		vectors = append(vectors, p.vectors(at, found.vectors[i], nil)...)
	}
	if len(vectors) == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.store(ctx, gen, vectors); err != nil {
		return err
	}
	r.report.Reused += len(vectors)
	r.count(p, len(vectors), len(vectors))
	return nil
}

// askFor asks the model for the vectors of texts and stores them as they arrive, even when the model then returns an
// error: they have been paid for. Vectors that cannot be stored end it, so that no more are paid for.
func (r *embedRun) askFor(ctx context.Context, p *embedPage, texts []int) error {
	if len(texts) == 0 {
		return nil
	}
	asked := make([]string, len(texts))
	for i, at := range texts {
		asked[i] = r.opts.Prefixes.Document + p.texts[at]
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var unstored error
	failure := r.ask(ctx, asked, func(at []int, results []embedding) {
		r.mu.Lock()
		defer r.mu.Unlock()
		inPage := make([]int, len(at))
		for i := range at {
			inPage[i] = texts[at[i]]
		}
		if err := r.keep(ctx, p, inPage, results); err != nil {
			unstored = errors.Join(unstored, err)
			stop()
		}
	})
	r.mu.Lock() // a call may still be under way
	defer r.mu.Unlock()
	if unstored != nil {
		return unstored
	}
	return failure
}

// embedPage is the turns of a page and what the model said of them.
type embedPage struct {
	turns  []store.Turn
	texts  []string // distinct
	hashes []store.Hash
	of     [][]int // for each text, the indexes of its turns
	errs   []error // for each turn, why it has no vector; nil: it has one
	done   int     // turns whose result has arrived
}

func newEmbedPage(turns []store.Turn) *embedPage {
	p := &embedPage{turns: turns, errs: make([]error, len(turns))}
	seen := make(map[store.Hash]int, len(turns))
	for i := range turns {
		p.errs[i] = errNoAnswer
		text := turns[i].EmbeddedText()
		hash := store.ContentHash(text)
		at, again := seen[hash]
		if !again {
			at = len(p.texts)
			seen[hash] = at
			p.texts, p.hashes, p.of = append(p.texts, text), append(p.hashes, hash), append(p.of, nil)
		}
		p.of[at] = append(p.of[at], i)
	}
	return p
}

// all returns the indexes of all texts.
func (p *embedPage) all() []int {
	all := make([]int, len(p.texts))
	for i := range all {
		all[i] = i
	}
	return all
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
	turns, paid := 0, 0
	for i, result := range results {
		r.report.Tokens += result.Tokens
		r.report.Truncated += boolToInt(result.Truncated)
		v, err := r.vectorOf(p, at[i], result)
		paid += boolToInt(err == nil)
		vectors = append(vectors, p.vectors(at[i], v, err)...)
		turns += len(p.of[at[i]])
	}
	if len(vectors) > 0 {
		r.learnDim(len(vectors[0].Values))
		if err := r.store(context.WithoutCancel(ctx), r.target, vectors); err != nil {
			return err
		}
	}
	r.report.Reused += len(vectors) - paid
	r.count(p, turns, len(vectors))
	return nil
}

// learnDim takes the dimension of the model's first answer. If it is another than the generation's, the vectors that
// were reused until then do not count: another generation begins.
func (r *embedRun) learnDim(dim int) {
	if r.target.Dim != 0 {
		return
	}
	r.target.Dim = dim
	if dim != r.report.Generation.Dim {
		r.report.Embedded, r.report.Reused = 0, 0
	}
}

// count counts turns of a page whose results have arrived, and those of them that have got vectors.
func (r *embedRun) count(p *embedPage, turns, embedded int) {
	p.done += turns
	r.report.Embedded += embedded
	r.meter.now.Done += int64(turns)
	r.meter.now.Turns = r.report.Embedded
	r.meter.tick()
}

// vectorOf returns the vector of a text, without its turn, or the error of its result.
func (r *embedRun) vectorOf(p *embedPage, at int, result embedding) (store.Vector, error) {
	if result.Err != nil {
		return store.Vector{}, result.Err
	}
	unit, err := store.Unit(result.Values)
	v := store.Vector{Text: p.texts[at], Values: unit}
	if result.Truncated && err == nil {
		text, ok := strings.CutPrefix(result.Text, r.opts.Prefixes.Document)
		if !ok {
			return store.Vector{}, errOnlyPrefix
		}
		v.Text = text
		r.cut[p.hashes[at]] = store.ContentHash(v.Text)
	}
	return v, err
}

var errOnlyPrefix = &errs.Error{
	Code: errs.Invalid, Op: "ingest: embed", Message: "the model read the prefix alone", Hint: "set a shorter prefix",
}

// vectors returns v for each turn with the text at, none if err is not nil, which it remembers.
func (p *embedPage) vectors(at int, v store.Vector, err error) (all []store.Vector) {
	for _, i := range p.of[at] {
		p.errs[i] = err
		if err == nil {
			v.Turn, v.UsedSummary = p.turns[i].ID, p.turns[i].Summary != ""
			all = append(all, v)
		}
	}
	return all
}

// store writes vectors to the generation with the model and the dimension of target.
func (r *embedRun) store(ctx context.Context, target store.Generation, vectors []store.Vector) error {
	gen := r.report.Generation
	err := r.st.Update(ctx, func(tx store.Tx) error {
		var err error
		if gen, err = tx.PutGeneration(ctx, target); err != nil {
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

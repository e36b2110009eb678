package store

import (
	"context"

	"github.com/google/uuid"

	"lens/internal/errs"
)

// An older Lens kept the hash of an embedded text, but not the text. FillEmbeddedTexts makes it again from the messages
// and keeps it if the hash proves it.

// WholeText reports whether a model gets a text as it is, rather than cut.
type WholeText func(provider, model, text string) bool

// CountVectorsWithoutText returns the number of vectors whose text is unknown: was looked for in vain if lost, else not
// looked for yet.
func CountVectorsWithoutText(ctx context.Context, r Reader, lost bool) (n int, err error) {
	const page = 10_000
	for after := (Embedded{}); ; {
		some, err := r.VectorsWithoutText(ctx, lost, after, page)
		if n += len(some); err != nil || len(some) < page {
			return n, err
		}
		after = some[len(some)-1]
	}
}

// FillEmbeddedTexts looks for the texts of all vectors for which nothing has done so. It keeps a text that has the
// vector's hash, unless the model got it cut: which part that was, the hash does not say. All others are lost. Reads
// go on meanwhile, and other writers go between two transactions. Once interrupted, it goes on where it stopped.
// progress, unless nil, is called after each transaction with the numbers of vectors that are done and of all that
// were to do. Errors: errs.Unavailable if another process is writing; errs.Invalid for an archive that is open for
// reading only.
func FillEmbeddedTexts(ctx context.Context, st Store, whole WholeText, progress func(done, total int)) error {
	total, err := CountVectorsWithoutText(ctx, st, false)
	if err != nil || total == 0 {
		return err
	}
	f := textFill{st: st, whole: whole}
	if f.generations, err = st.Generations(ctx); err != nil {
		return err
	}
	for done := 0; !f.finished; {
		err := st.Update(ctx, func(tx Tx) error {
			n, err := f.some(ctx, tx)
			done += n
			return err
		})
		if err != nil {
			return err
		}
		if progress != nil {
			progress(min(done, total), total)
		}
	}
	return nil
}

// The numbers of vectors that are read and filled in one transaction, and of turns that are read at a time. All vectors
// of one text belong together: there may be more of them than perWrite.
const (
	textsPerRead  = 256
	textsPerWrite = 8 * textsPerRead
)

// textFill is one run of FillEmbeddedTexts.
type textFill struct {
	st          Store
	whole       WholeText
	generations []Generation
	after       Embedded
	finished    bool
}

// some fills the next texts and returns for how many vectors. While tx lasts, there is no other writer: st reads the
// present state.
func (f *textFill) some(ctx context.Context, tx Tx) (vectors int, err error) {
	page, err := f.st.VectorsWithoutText(ctx, false, f.after, textsPerWrite)
	if err != nil {
		return 0, err
	}
	if f.finished = len(page) < textsPerWrite; !f.finished {
		page = withoutLastText(page)
	}
	if len(page) == 0 {
		return 0, nil
	}
	f.after = page[len(page)-1]
	texts := make([]EmbeddedText, 0, len(page))
	for rest := page; len(rest) > 0; rest = rest[min(len(rest), textsPerRead):] {
		found, err := f.find(ctx, rest[:min(len(rest), textsPerRead)])
		if err != nil {
			return 0, err
		}
		for i, text := range found {
			texts = addText(texts, rest[i].Content, text)
		}
	}
	return len(page), tx.PutEmbeddedTexts(ctx, texts)
}

// withoutLastText leaves out the vectors of the last text, which may go on behind the page, unless there is no other.
func withoutLastText(page []Embedded) []Embedded {
	for n := len(page) - 1; n > 0; n-- {
		if page[n-1].Content != page[n].Content {
			return page[:n]
		}
	}
	return page
}

// addText adds the text of a vector, whose hash follows those before. One turn is enough to prove it.
func addText(texts []EmbeddedText, content Hash, text string) []EmbeddedText {
	last := len(texts) - 1
	if last < 0 || texts[last].Content != content {
		return append(texts, EmbeddedText{Content: content, Text: text})
	}
	if texts[last].Text == "" {
		texts[last].Text = text
	}
	return texts
}

// find returns the proven texts of vectors, "" where there is none.
func (f *textFill) find(ctx context.Context, vectors []Embedded) ([]string, error) {
	ids := make([]uuid.UUID, len(vectors))
	for i := range vectors {
		ids[i] = vectors[i].Turn
	}
	turns, err := f.turns(ctx, ids)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(turns))
	for i := range turns {
		v, text := vectors[i], turns[i].EmbeddedText()
		if turns[i].ID == v.Turn && ContentHash(text) == v.Content && f.gotWhole(v.Generation, text) {
			texts[i] = text
		}
	}
	return texts, nil
}

// turns returns turns in the order of ids. One that is missing is zero: an archive of an older Lens may hold its
// vector, whose text is lost.
func (f *textFill) turns(ctx context.Context, ids []uuid.UUID) ([]Turn, error) {
	turns, err := f.st.Turns(ctx, ids)
	if errs.CodeOf(err) != errs.NotFound {
		return turns, err
	}
	turns = make([]Turn, len(ids))
	for i := range ids {
		switch one, err := f.st.Turns(ctx, ids[i:i+1]); {
		case err == nil:
			turns[i] = one[0]
		case errs.CodeOf(err) != errs.NotFound:
			return nil, err
		}
	}
	return turns, nil
}

func (f *textFill) gotWhole(id GenerationID, text string) bool {
	for _, g := range f.generations {
		if g.ID == id {
			return f.whole(g.Provider, g.Model, text)
		}
	}
	return false
}

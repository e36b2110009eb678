// Package transfer copies an archive from one store to another, whichever backends they are.
//
// The copy has the same conversations, messages, turns, ordinals, vectors, embedded texts, times and import runs, and
// leaves the same turns out of later imports. It therefore gives the same answers and the same export. The keyword
// index is made again. It is one transaction: an interrupted copy leaves the other store empty.
package transfer

import (
	"context"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/terms"
)

// Copy copies an archive into an empty one, and returns what it copied. progress, unless nil, is called now and then
// with the number of copied turns. Errors: errs.Invalid if to is not empty; those of both stores.
func Copy(ctx context.Context, from store.Dumper, to store.Store, progress func(turns int)) (store.Counts, error) {
	var c *copying
	err := to.Update(ctx, func(tx store.Tx) (err error) {
		c = &copying{ctx: ctx, tx: tx, generations: make(map[store.GenerationID]store.GenerationID), progress: progress}
		// While tx lasts, there is no other writer: to reads the present state.
		if err := MustBeEmpty(ctx, to); err != nil {
			return err
		}
		next, err := tx.ReserveOrds(ctx, 0)
		if err != nil {
			return err
		}
		c.offset = next - 1
		err = from.Dump(ctx, store.Dump{
			Generation: c.generation, Conversation: c.conversation, Versions: c.versions,
			Vectors: c.vectors, Texts: c.texts, Run: c.run,
			Forgotten: c.forgotten, Imported: c.imported,
		})
		if err != nil {
			return err
		}
		return c.finish()
	})
	if err != nil {
		return store.Counts{}, err
	}
	return c.copied, to.Optimize(ctx)
}

// MustBeEmpty returns an error if an archive holds anything. Errors: errs.Invalid.
func MustBeEmpty(ctx context.Context, st store.Reader) error {
	conversations, err := st.ConversationIDs(ctx, "")
	if err != nil {
		return err
	}
	generations, err := st.Generations(ctx)
	if err != nil {
		return err
	}
	runs, err := st.ImportRuns(ctx, 1)
	if err != nil {
		return err
	}
	if len(conversations)+len(generations)+len(runs) == 0 {
		return nil
	}
	return &errs.Error{
		Code: errs.Invalid, Op: "transfer: copy", Message: "the archive to copy to is not empty",
		Hint: "name another one; nothing was changed",
	}
}

// turnsPerSegment is how many turns a keyword segment holds at first.
const turnsPerSegment = 4096

// copying is one run of Copy.
type copying struct {
	ctx         context.Context
	tx          store.Tx
	generations map[store.GenerationID]store.GenerationID // from one archive to the other
	active      store.GenerationID                        // in the other; 0: none
	offset      store.Ord                                 // of ordinals: they are never used twice
	last        store.Ord                                 // the greatest one in use, without offset

	analyzer terms.Analyzer
	ords     []store.Ord
	terms    []store.Terms

	copied   store.Counts
	progress func(turns int)
}

func (c *copying) generation(g store.Generation) error {
	put, err := c.tx.PutGeneration(c.ctx, g)
	c.generations[g.ID] = put.ID
	if g.Active {
		c.active = put.ID
	}
	return err
}

func (c *copying) conversation(one store.Conversation) error {
	if err := c.tx.PutConversations(c.ctx, []store.Conversation{one}); err != nil {
		return err
	}
	if err := c.tx.PutMessages(c.ctx, one.ID, one.Messages); err != nil {
		return err
	}
	for i := range one.Turns {
		t := &one.Turns[i]
		counts := c.analyzer.Turn(t)
		c.last = max(c.last, t.Ord)
		t.Ord += c.offset
		t.Length = counts.Length()
		c.ords, c.terms = append(c.ords, t.Ord), append(c.terms, counts)
	}
	c.copied.Conversations++
	c.copied.Messages += len(one.Messages)
	c.copied.Turns += len(one.Turns)
	if c.progress != nil {
		c.progress(c.copied.Turns)
	}
	if err := c.tx.PutTurns(c.ctx, one.Turns); err != nil || len(c.ords) < turnsPerSegment {
		return err
	}
	return c.addTerms()
}

func (c *copying) versions(conversation uuid.UUID, body []byte) error {
	return c.tx.PutVersions(c.ctx, conversation, body)
}

func (c *copying) addTerms() error {
	ords, counts := c.ords, c.terms
	c.ords, c.terms = nil, nil // the transaction keeps them
	if len(ords) == 0 {
		return nil
	}
	return c.tx.AddTerms(c.ctx, ords, counts)
}

func (c *copying) vectors(gen store.GenerationID, page []store.Vector) error {
	c.copied.Vectors += len(page)
	return c.tx.PutVectors(c.ctx, c.generations[gen], page)
}

func (c *copying) texts(page []store.EmbeddedText) error { return c.tx.PutEmbeddedTexts(c.ctx, page) }

func (c *copying) run(r store.ImportRun) error { return c.tx.PutImportRun(c.ctx, r) }

func (c *copying) forgotten(f store.Forgotten) error { return c.tx.PutForgotten(c.ctx, f) }

// imported writes what is known of files: the copy holds all that came from them.
func (c *copying) imported(all store.Imported) error {
	epoch, err := c.tx.ImportedEpoch(c.ctx)
	if err != nil {
		return err
	}
	return c.tx.PutImportedFiles(c.ctx, epoch, all.Files)
}

func (c *copying) finish() error {
	if err := c.addTerms(); err != nil {
		return err
	}
	if c.active != 0 {
		if err := c.tx.Activate(c.ctx, c.active); err != nil {
			return err
		}
	}
	_, err := c.tx.ReserveOrds(c.ctx, int(c.last))
	return err
}

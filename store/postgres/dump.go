package postgres

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"lens/store"
)

var _ store.Dumper = (*Store)(nil)

// The numbers of conversations, and of vectors or texts, that Dump reads at a time.
const (
	conversationsPerRead = 64
	dumpPage             = 256
)

// Dump implements store.Dumper.
func (s *Store) Dump(ctx context.Context, to store.Dump) error {
	return s.stream(ctx, "dump", func(c *conn) (begun bool, err error) {
		generations, err := collect(ctx, c, row.generation, "Generations")
		if err != nil {
			return false, err
		}
		slices.SortFunc(generations, func(a, b store.Generation) int { return int(a.ID - b.ID) })
		for _, g := range generations {
			if err := to.Generation(g); err != nil {
				return true, err
			}
		}
		if err := c.dumpConversations(ctx, to); err != nil {
			return true, err
		}
		for _, g := range generations {
			if err := c.dumpVectors(ctx, g.ID, to); err != nil {
				return true, err
			}
		}
		if err := c.dumpTexts(ctx, to); err != nil {
			return true, err
		}
		if err := c.dumpRuns(ctx, to); err != nil {
			return true, err
		}
		forgotten, err := c.forgotten(ctx)
		if err != nil {
			return true, err
		}
		if err := to.Forgotten(forgotten); err != nil {
			return true, err
		}
		imported, err := c.imported(ctx, "AllImportedFiles")
		if err != nil || len(imported.Files) == 0 {
			return true, err
		}
		return true, to.Imported(imported)
	})
}

func (c *conn) dumpConversations(ctx context.Context, to store.Dump) error {
	ids, err := collect(ctx, c, row.firstID, "ConversationIDs", "")
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids, conversationsPerRead) {
		page, err := collect(ctx, c, row.conversation, "ConversationsByID", some)
		if err == nil {
			err = c.fillDocuments(ctx, page)
		}
		if err != nil {
			return err
		}
		for _, one := range page {
			if err := c.fillConversation(ctx, &one); err != nil {
				return err
			}
			if err := to.Conversation(one); err != nil {
				return err
			}
			versions, err := c.versions(ctx, one.ID)
			if err == nil && versions != nil {
				err = to.Versions(one.ID, versions)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// fillConversation reads the messages and turns of a conversation.
func (c *conn) fillConversation(ctx context.Context, one *store.Conversation) (err error) {
	if one.Messages, err = collect(ctx, c, row.message, "Messages", one.ID); err != nil {
		return err
	}
	turns, err := collect(ctx, c, row.firstID, "TurnStates", []uuid.UUID{one.ID})
	if err == nil {
		one.Turns, err = c.turns(ctx, turns)
	}
	return err
}

func (c *conn) dumpVectors(ctx context.Context, gen store.GenerationID, to store.Dump) error {
	for last, more := (uuid.UUID{}), true; more; {
		page, err := collect(ctx, c, row.storedVector, "VectorsFrom", gen, [16]byte(last), dumpPage)
		if err == nil && len(page) > 0 {
			last = page[len(page)-1].Turn
			err = to.Vectors(gen, page)
		}
		if err != nil {
			return err
		}
		more = len(page) == dumpPage
	}
	return nil
}

// storedVector reads the columns of VectorsFrom.
func (r row) storedVector() store.Vector {
	return store.Vector{
		Turn: r.id(0), Content: r.hash(1), UsedSummary: r.bool(2), Created: r.time(3), Stored: true, Values: r.widened(4),
	}
}

func (c *conn) dumpTexts(ctx context.Context, to store.Dump) error {
	for after, more := (store.Hash{}), true; more; {
		page, err := collect(ctx, c, func(r row) store.EmbeddedText {
			return store.EmbeddedText{Content: r.hash(0), Text: r.text(1)}
		}, "EmbeddedTexts", after, dumpPage)
		if err == nil && len(page) > 0 {
			after = page[len(page)-1].Content
			err = to.Texts(page)
		}
		if err != nil {
			return err
		}
		more = len(page) == dumpPage
	}
	return nil
}

func (c *conn) dumpRuns(ctx context.Context, to store.Dump) error {
	runs, err := collect(ctx, c, row.importRun, "ImportRuns", math.MaxInt32)
	if err != nil {
		return err
	}
	for _, run := range slices.Backward(runs) {
		if err := to.Run(run); err != nil {
			return err
		}
	}
	return nil
}

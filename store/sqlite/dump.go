package sqlite

import (
	"context"
	"math"
	"slices"

	"github.com/google/uuid"

	"lens/store"
)

var _ store.Dumper = (*Store)(nil)

// dumpPage is how many vectors or texts Dump reads at a time.
const dumpPage = 256

// Dump implements store.Dumper.
func (s *Store) Dump(ctx context.Context, to store.Dump) error {
	return s.read(ctx, "dump", func(c *conn) error {
		generations, err := collect(c, row.generation, "Generations")
		if err != nil {
			return err
		}
		slices.SortFunc(generations, func(a, b store.Generation) int { return int(a.ID - b.ID) })
		for _, g := range generations {
			if err := to.Generation(g); err != nil {
				return err
			}
		}
		if err := c.dumpConversations(to); err != nil {
			return err
		}
		for _, g := range generations {
			if err := c.dumpVectors(g.ID, to); err != nil {
				return err
			}
		}
		if err := c.dumpTexts(to); err != nil {
			return err
		}
		if err := c.dumpRuns(to); err != nil {
			return err
		}
		forgotten, err := c.forgotten()
		if err != nil {
			return err
		}
		if err := to.Forgotten(forgotten); err != nil {
			return err
		}
		imported, err := c.imported("AllImportedFiles")
		if err != nil || len(imported.Files) == 0 {
			return err
		}
		return to.Imported(imported)
	})
}

func (c *conn) dumpConversations(to store.Dump) error {
	ids, err := collect(c, row.firstID, "ConversationIDs", "")
	if err != nil {
		return err
	}
	for _, id := range ids {
		one, err := c.wholeConversation(id)
		if err == nil {
			err = to.Conversation(one)
		}
		var versions []byte
		if err == nil {
			versions, err = c.versions(id)
		}
		if err == nil && versions != nil {
			err = to.Versions(id, versions)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wholeConversation returns a conversation with its messages and turns.
func (c *conn) wholeConversation(id uuid.UUID) (one store.Conversation, err error) {
	err = c.each("ConversationByID", []any{id}, func(r row) error {
		one = r.conversation()
		return nil
	})
	if err != nil {
		return one, err
	}
	err = c.each("Messages", []any{id}, func(r row) error {
		m, err := r.message()
		one.Messages = append(one.Messages, m)
		return err
	})
	if err != nil {
		return one, err
	}
	turns, err := collect(c, row.firstID, "TurnStates", id)
	if err == nil {
		one.Turns, err = c.turns(turns)
	}
	return one, err
}

func (c *conn) dumpVectors(gen store.GenerationID, to store.Dump) error {
	for last, more := int64(math.MinInt64), true; more; {
		var page []store.Vector
		err := c.each("VectorsFrom", []any{gen, last, dumpPage}, func(r row) error {
			last = r.ColumnInt64(0)
			page = append(page, store.Vector{
				Turn: r.id(1), Content: r.hash(2), UsedSummary: r.ColumnBool(3), Created: r.time(4), Stored: true,
				Values: store.Widened(r.ColumnRawBlob(5)),
			})
			return nil
		})
		if err == nil && len(page) > 0 {
			err = to.Vectors(gen, page)
		}
		if err != nil {
			return err
		}
		more = len(page) == dumpPage
	}
	return nil
}

func (c *conn) dumpTexts(to store.Dump) error {
	for after, more := (store.Hash{}), true; more; {
		var page []store.EmbeddedText
		err := c.each("EmbeddedTexts", []any{after, dumpPage}, func(r row) error {
			text, err := r.packedText(1)
			page = append(page, store.EmbeddedText{Content: r.hash(0), Text: text})
			return err
		})
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

func (c *conn) dumpRuns(to store.Dump) error {
	runs, err := collect(c, row.importRun, "ImportRuns", math.MaxInt)
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

package postgres

import (
	"context"
	"iter"
	"slices"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/failure"
)

// Turns: reading, finding, streaming and writing them.

// Turns implements store.Reader.
func (s *Store) Turns(ctx context.Context, ids []uuid.UUID) (turns []store.Turn, err error) {
	err = s.read(ctx, "turns", func(c *conn) error {
		turns, err = c.turns(ctx, ids)
		return err
	})
	return turns, err
}

// turns loads the turns of ids with one statement, which returns one row per text.
func (c *conn) turns(ctx context.Context, ids []uuid.UUID) ([]store.Turn, error) {
	turns := make([]store.Turn, 0, len(ids))
	err := c.each(ctx, "TurnsByID", []any{ids}, func(r row) error {
		switch n := len(turns); r.int(0) {
		case n:
		case n + 1:
			turns = append(turns, r.turn())
		default:
			return failure.NotFound("postgres: turns", "turn", ids[n])
		}
		r.addText(&turns[len(turns)-1])
		return nil
	})
	if n := len(turns); err == nil && n < len(ids) {
		err = failure.NotFound("postgres: turns", "turn", ids[n])
	}
	if err != nil {
		return nil, err
	}
	return turns, nil
}

// turn reads the turn's columns of TurnsByID.
func (r row) turn() store.Turn {
	t := store.Turn{
		Ord: store.Ord(r.number(1)), ID: r.id(2), Conversation: r.id(3), UserMessage: r.id(4), Assistant: r.id(5),
		Position: r.int(6), OnPath: r.bool(7), Embeddable: r.bool(8), Length: r.int(9),
		Time: r.time(10), TimeSource: store.TimeSource(r.number(11)), Model: r.text(12), Hash: r.hash(13),
		Title: r.text(14), Source: store.Source(r.text(15)), Created: r.time(31),
	}
	const document, chunk = 19, 26
	if !r.null(chunk) {
		t.Chunk = &store.Chunk{
			Document: r.document(document), ID: r.text(chunk), Seq: r.int(chunk + 1),
			Pages: store.PageSpan{First: r.int(chunk + 2), Last: r.int(chunk + 3)}, Meta: r.bytes(chunk + 4),
		}
	}
	return t
}

// addText adds the text of one message to its turn.
func (r row) addText(t *store.Turn) {
	text := r.text(17)
	t.CodeType = t.CodeType || r.bool(32)
	if !r.null(33) {
		t.UserText = r.text(33)
	}
	switch role := store.Role(r.text(16)); {
	case role == store.User:
		t.UserText = text
		return
	case t.AssistantText == "":
		t.AssistantText = text
	case text != "":
		t.AssistantText += "\n\n" + text
	}
	if summary := r.text(18); summary != "" {
		t.Summary = summary
	}
}

// Answers implements store.Reader.
func (s *Store) Answers(ctx context.Context, conversation, userMessage uuid.UUID) ([]store.Answer, error) {
	answer := func(r row) store.Answer { return store.Answer{Turn: r.id(0), First: r.id(1)} }
	return list(ctx, s, "answers", answer, "Answers", conversation, userMessage)
}

// FindAnswer implements store.Reader.
func (s *Store) FindAnswer(ctx context.Context, id uuid.UUID) (turn uuid.UUID, err error) {
	err = s.read(ctx, "find an answer", func(c *conn) error {
		turn = uuid.Nil
		return c.each(ctx, "AnswersOffPath", nil, func(r row) error {
			if first := r.id(2); turn == uuid.Nil && first != uuid.Nil && store.AnswerID(r.id(1), first) == id {
				turn = r.id(0)
			}
			return nil
		})
	})
	if err == nil && turn == uuid.Nil {
		err = failure.NotFound("postgres: find an answer", "answer", id)
	}
	return turn, err
}

// FindTurns implements store.Reader. Ids with a common prefix form a range.
func (s *Store) FindTurns(ctx context.Context, prefix string, limit int) ([]uuid.UUID, error) {
	first, last, ok := store.PrefixRange(prefix)
	if !ok {
		return nil, nil
	}
	return list(ctx, s, "find turns", row.firstID, "TurnIDsBetween", [16]byte(first), [16]byte(last), limit)
}

// Models implements store.Reader.
func (s *Store) Models(ctx context.Context) (models []string, err error) {
	err = s.read(ctx, "models", func(c *conn) error {
		models = nil
		return c.each(ctx, "Models", nil, func(r row) error {
			models = append(models, r.text(0))
			return nil
		})
	})
	return store.Slugs(models), err
}

// Tags implements store.Reader.
func (s *Store) Tags(ctx context.Context) ([]string, error) {
	tags, err := list(ctx, s, "tags", func(r row) string { return r.text(0) }, "Tags")
	slices.Sort(tags)
	return tags, err
}

// turnsPerRead is the number of turns that EachTurn loads at a time.
const turnsPerRead = 256

// EachTurn implements store.Reader. It reads everything from the same commit.
func (s *Store) EachTurn(ctx context.Context, f store.Filter) iter.Seq2[store.Turn, error] {
	return func(yield func(store.Turn, error) bool) {
		stopped := false
		err := s.stream(ctx, "each turn", func(c *conn) (begun bool, err error) {
			scope, err := s.scopeIn(ctx, c, f)
			if err != nil {
				return false, err
			}
			for ids := range scope.Batches(turnsPerRead) {
				turns, err := c.turns(ctx, ids)
				if err != nil {
					return begun, err
				}
				for _, t := range turns {
					begun = true
					if stopped = !yield(t, nil); stopped {
						return begun, nil
					}
				}
			}
			return begun, nil
		})
		if err != nil && !stopped {
			yield(store.Turn{}, err)
		}
	}
}

// TurnStates implements store.Tx.
func (t *tx) TurnStates(ctx context.Context, conversations []uuid.UUID) (map[uuid.UUID]store.TurnState, error) {
	states := make(map[uuid.UUID]store.TurnState)
	err := t.each(ctx, "TurnStates", []any{conversations}, func(r row) error {
		states[r.id(0)] = store.TurnState{
			Conversation: r.id(1), Ord: store.Ord(r.number(2)), Hash: r.hash(3), OnPath: r.bool(4),
		}
		return nil
	})
	return states, err
}

// ReserveOrds implements store.Tx.
func (t *tx) ReserveOrds(ctx context.Context, n int) (store.Ord, error) {
	next, err := t.number(ctx, "ReserveOrds", n)
	return store.Ord(next - int64(n)), err
}

// PutTurns implements store.Tx.
func (t *tx) PutTurns(ctx context.Context, turns []store.Turn) error {
	if err := t.putChunks(ctx, turns); err != nil {
		return err
	}
	b, made := t.bulk("CopyTurns", "DeleteTurns"), now()
	for i := range turns {
		u := &turns[i]
		err := b.add(ctx, u.ID, int64(u.Ord), u.ID, u.Conversation, u.UserMessage, u.Assistant, int32(u.Position),
			u.OnPath, u.Embeddable, int32(u.Length), u.Time, int16(u.TimeSource), u.Model, u.Hash,
			store.MadeAt(u.Created, made))
		if err != nil {
			return err
		}
	}
	err := b.flush(ctx)
	t.turns = t.turns || len(turns) > 0
	t.moved = t.moved || b.replaced > 0
	return err
}

package sqlite

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/failure"
)

// Turns implements store.Reader.
func (s *Store) Turns(ctx context.Context, ids []uuid.UUID) (turns []store.Turn, err error) {
	err = s.read(ctx, "turns", func(c *conn) error {
		turns, err = c.turns(ids)
		return err
	})
	return turns, err
}

// turns loads the turns of ids.
func (c *conn) turns(ids []uuid.UUID) ([]store.Turn, error) {
	turns := make([]store.Turn, len(ids))
	for i, id := range ids {
		found, err := c.readTurn(&turns[i], "TurnByID", id)
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, failure.NotFound("sqlite: turns", "turn", id)
		}
	}
	return turns, nil
}

// readTurn loads the turn that a named query finds by key.
func (c *conn) readTurn(t *store.Turn, query string, key any) (found bool, err error) {
	conversation, asked := int64(0), false
	var replies []string
	err = c.each(query, []any{key}, func(r row) error {
		if !found {
			*t, conversation, found = r.turn(), r.ColumnInt64(15), true
		}
		if r.null(17) { // the turn has no text of its own
			return nil
		}
		summary := r.ColumnText(18)
		t.CodeType = t.CodeType || r.ColumnBool(19)
		text, err := unpackText(r.ColumnRawBlob(20))
		switch {
		case err != nil:
			return err
		case store.Role(r.ColumnText(17)) == store.User:
			t.UserText, asked = text, true
			return nil
		case text != "":
			replies = append(replies, text)
		}
		if summary != "" {
			t.Summary = summary
		}
		return nil
	})
	if err != nil || !found {
		return false, err
	}
	t.AssistantText = strings.Join(replies, "\n\n")
	if !asked && !t.OnPath {
		err = c.readQuestion(t)
	}
	if err == nil && t.Source.Chunked() {
		err = c.fillChunk(t, conversation)
	}
	return true, err
}

// turn reads the columns of the turn of TurnByID and TurnByOrd.
func (r row) turn() store.Turn {
	return store.Turn{
		Ord: store.Ord(r.ColumnInt64(0)), ID: r.id(1), Conversation: r.id(2), UserMessage: r.id(3), Assistant: r.id(4),
		Position: r.ColumnInt(5), OnPath: r.ColumnBool(6), Embeddable: r.ColumnBool(7), Length: r.ColumnInt(8),
		Time: r.time(9), TimeSource: store.TimeSource(r.ColumnInt64(10)), Model: r.ColumnText(11), Hash: r.hash(12),
		Title: r.ColumnText(13), Source: store.Source(r.ColumnText(14)), Created: r.time(16),
	}
}

// readQuestion fills in the user message of a turn that has none of its own.
func (c *conn) readQuestion(t *store.Turn) error {
	return c.each("AskedText", []any{t.UserMessage}, func(r row) (err error) {
		t.CodeType = t.CodeType || r.ColumnBool(0)
		t.UserText, err = unpackText(r.ColumnRawBlob(1))
		return err
	})
}

// Answers implements store.Reader.
func (s *Store) Answers(ctx context.Context, conversation, userMessage uuid.UUID) ([]store.Answer, error) {
	answer := func(r row) store.Answer { return store.Answer{Turn: r.id(0), First: r.id(1)} }
	return list(ctx, s, "answers", answer, "Answers", conversation, userMessage)
}

// FindAnswer implements store.Reader.
func (s *Store) FindAnswer(ctx context.Context, id uuid.UUID) (turn uuid.UUID, err error) {
	err = s.read(ctx, "find an answer", func(c *conn) error {
		return c.each("AnswersOffPath", nil, func(r row) error {
			if first := r.id(2); turn == uuid.Nil && first != uuid.Nil && store.AnswerID(r.id(1), first) == id {
				turn = r.id(0)
			}
			return nil
		})
	})
	if err == nil && turn == uuid.Nil {
		err = failure.NotFound("sqlite: find an answer", "answer", id)
	}
	return turn, err
}

// FindTurns implements store.Reader. Ids with a common prefix form a range.
func (s *Store) FindTurns(ctx context.Context, prefix string, limit int) ([]uuid.UUID, error) {
	first, last, ok := store.PrefixRange(prefix)
	if !ok {
		return nil, nil
	}
	return list(ctx, s, "find turns", row.firstID, "TurnIDsBetween", first[:], last[:], limit)
}

// Models implements store.Reader.
func (s *Store) Models(ctx context.Context) (models []string, err error) {
	err = s.read(ctx, "models", func(c *conn) error {
		return c.each("Models", nil, func(r row) error {
			models = append(models, r.ColumnText(0))
			return nil
		})
	})
	return store.Slugs(models), err
}

// Tags implements store.Reader.
func (s *Store) Tags(ctx context.Context) ([]string, error) {
	tags, err := list(ctx, s, "tags", func(r row) string { return r.ColumnText(0) }, "Tags")
	slices.Sort(tags)
	return tags, err
}

// turnsPerRead is the number of turns that EachTurn loads at a time.
const turnsPerRead = 64

// EachTurn implements store.Reader. It reads everything from the same commit.
func (s *Store) EachTurn(ctx context.Context, f store.Filter) iter.Seq2[store.Turn, error] {
	return func(yield func(store.Turn, error) bool) {
		stopped := false
		err := s.read(ctx, "each turn", func(c *conn) error {
			scope, err := s.scopeIn(ctx, c, f)
			if err != nil {
				return err
			}
			for ids := range scope.Batches(turnsPerRead) {
				turns, err := c.turns(ids)
				if err != nil {
					return err
				}
				for _, t := range turns {
					if stopped = !yield(t, nil); stopped {
						return nil
					}
				}
			}
			return nil
		})
		if err != nil && !stopped {
			yield(store.Turn{}, err)
		}
	}
}

// TurnStates implements store.Tx.
func (t *tx) TurnStates(_ context.Context, conversations []uuid.UUID) (map[uuid.UUID]store.TurnState, error) {
	states := make(map[uuid.UUID]store.TurnState)
	for _, id := range conversations {
		err := t.each("TurnStates", []any{id}, func(r row) error {
			states[r.id(0)] = store.TurnState{
				Conversation: id, Ord: store.Ord(r.ColumnInt64(1)), Hash: r.hash(2), OnPath: r.ColumnBool(3),
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return states, nil
}

// ReserveOrds implements store.Tx.
func (t *tx) ReserveOrds(_ context.Context, n int) (store.Ord, error) {
	next, err := t.number("ReserveOrds", n)
	return store.Ord(next - int64(n)), err
}

// PutTurns implements store.Tx.
func (t *tx) PutTurns(_ context.Context, turns []store.Turn) (err error) {
	defer recoverPanic(&err)
	stmt, release, err := t.statement("InsertTurn")
	if err != nil {
		return err
	}
	b, before, now := binder{stmt: stmt}, (*store.Turn)(nil), time.Now()
	for i := range turns {
		u := &turns[i]
		added, err := t.insertTurn(&b, u, before, now)
		if err == nil && !added {
			err = t.replaceTurn(&b, u, now)
		}
		if err != nil {
			_ = release()
			return err
		}
		t.turns, before = true, u
	}
	return release()
}

// insertTurn inserts a turn; false if its id exists. It binds only what differs from before, which b bound last; nil:
// everything.
func (t *tx) insertTurn(b *binder, u, before *store.Turn, now time.Time) (added bool, err error) {
	conversation, err := t.numberOf(u.Conversation)
	if err != nil {
		return false, err
	}
	all := before == nil
	b.int(1, int64(u.Ord))
	b.id(2, u.ID)
	if all || u.Conversation != before.Conversation {
		b.int(3, conversation)
	}
	b.id(4, u.UserMessage)
	b.id(5, u.Assistant)
	b.int(6, int64(u.Position))
	b.bool(7, u.OnPath)
	b.bool(8, u.Embeddable)
	b.int(9, int64(u.Length))
	b.time(10, u.Time)
	b.int(11, int64(u.TimeSource))
	if all || u.Model != before.Model {
		b.text(12, u.Model)
	}
	b.blob(13, u.Hash[:])
	b.time(14, store.MadeAt(u.Created, now))
	if err := b.exec(); err != nil {
		return false, fmt.Errorf("InsertTurn: %w", err)
	}
	added = t.Changes() > 0
	if c := u.Chunk; added && c != nil {
		err = t.run("PutChunk", conversation, u.ID, c.Seq, c.Pages.First, c.Pages.Last, c.ID, string(c.Meta))
	}
	return added, err
}

func (t *tx) replaceTurn(b *binder, u *store.Turn, now time.Time) error {
	if err := t.run("DeleteTurn", u.ID); err != nil {
		return err
	}
	t.moved = true
	_, err := t.insertTurn(b, u, nil, now)
	return err
}

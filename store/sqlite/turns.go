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

// turnsAtOnce is how many rows InsertTurns has: see messagesAtOnce.
const turnsAtOnce = 8

// PutTurns implements store.Tx.
func (t *tx) PutTurns(_ context.Context, turns []store.Turn) error {
	now := time.Now()
	var before []store.Turn // bound to InsertTurns; nil: nothing
	for some := range slices.Chunk(turns, turnsAtOnce) {
		added := 0
		if len(some) == turnsAtOnce {
			var err error
			if added, err = t.insertTurns("InsertTurns", some, before, now); err != nil {
				return err
			}
			before = some
		}
		all := added == len(some) // else some replace others, and it is not known which
		for i := range some {
			if err := t.finishTurn(&some[i], all, now); err != nil {
				return err
			}
		}
	}
	t.turns = t.turns || len(turns) > 0
	return nil
}

// finishTurn makes sure that a turn is stored as it is now, and stores its chunk. added: its row is already there.
func (t *tx) finishTurn(u *store.Turn, added bool, now time.Time) error {
	if !added {
		if err := t.putTurn(u, now); err != nil {
			return err
		}
	}
	c := u.Chunk
	if c == nil {
		return nil
	}
	conversation, err := t.numberOf(u.Conversation)
	if err != nil {
		return err
	}
	return t.run("PutChunk", conversation, u.ID, c.Seq, c.Pages.First, c.Pages.Last, c.ID, string(c.Meta))
}

// putTurn inserts a turn, or replaces the one with its id.
func (t *tx) putTurn(u *store.Turn, now time.Time) error {
	one := []store.Turn{*u}
	n, err := t.insertTurns("InsertTurn", one, nil, now)
	if err != nil || n > 0 {
		return err
	}
	if err := t.run("DeleteTurn", u.ID); err != nil {
		return err
	}
	t.moved = true
	_, err = t.insertTurns("InsertTurn", one, nil, now)
	return err
}

// insertTurns inserts those of as many turns as a named query has rows whose ids do not exist, and returns how many
// those are. It does not bind what it finds in before, which it bound last; nil: it binds everything.
func (t *tx) insertTurns(query string, turns, before []store.Turn, now time.Time) (n int, err error) {
	defer recoverPanic(&err)
	stmt, release, err := t.statement(query)
	if err != nil {
		return 0, err
	}
	b, at, parameters := binder{stmt: stmt}, 0, stmt.BindCount()/len(turns)
	for i := range turns {
		u := &turns[i]
		conversation, err := t.numberOf(u.Conversation)
		if err != nil {
			_ = release()
			return 0, err
		}
		b.int(at+1, int64(u.Ord))
		b.id(at+2, u.ID)
		b.int(at+3, conversation)
		b.id(at+4, u.UserMessage)
		b.id(at+5, u.Assistant)
		b.int(at+6, int64(u.Position))
		b.bool(at+7, u.OnPath)
		b.bool(at+8, u.Embeddable)
		b.int(at+9, int64(u.Length))
		b.time(at+10, u.Time)
		b.int(at+11, int64(u.TimeSource))
		if before == nil || u.Model != before[i].Model {
			b.text(at+12, u.Model)
		}
		b.blob(at+13, u.Hash[:])
		b.time(at+14, store.MadeAt(u.Created, now))
		at += parameters
	}
	if err := b.exec(); err != nil {
		_ = release()
		return 0, fmt.Errorf("%s: %w", query, err)
	}
	n = int(t.Changes())
	return n, release()
}

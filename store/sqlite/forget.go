package sqlite

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/ncruces/go-sqlite3"
)

// forgetQueries remove a conversation without vectors, in an order that references allow.
var forgetQueries = []string{
	"ForgetTurns", "ForgetChunks", "ForgetDocument", "ForgetMessages", "DropVersions", "ForgetConversation",
}

// forgetAllQueries empty the archive.
var forgetAllQueries = []string{
	"ForgetAllVectors", "ForgetAllEmbeddedTexts", "ForgetAllGenerations", "ForgetAllBlocks", "ForgetAllSegments",
	"ForgetAllTurns", "ForgetAllChunks", "ForgetAllDocuments", "ForgetAllMessages", "ForgetAllConversations",
	"ForgetAllImportRuns", "ForgetAllVersions", "ForgetAllImportedFiles", "RaiseImportedEpoch", "DropKept",
}

// Forget implements store.Tx. It also merges the keyword index into one segment without the removed
// turns.
func (t *tx) Forget(_ context.Context, conversations []uuid.UUID) (int, error) {
	t.wiped = true
	if err := t.writeMessages(0); err != nil {
		return 0, err
	}
	turns := 0
	for _, id := range conversations {
		if err := t.deleteVectors("ForgetVectors", id); err != nil {
			return 0, err
		}
		for _, name := range forgetQueries {
			if err := t.run(name, id); err != nil {
				return 0, err
			}
			if name == "ForgetTurns" {
				turns += int(t.Changes())
			}
		}
	}
	clear(t.numbers)
	return turns, t.forgetWords()
}

// ForgetTurns implements store.Tx. It also merges the keyword index, as Forget does.
func (t *tx) ForgetTurns(ctx context.Context, turns, messages []uuid.UUID) error {
	t.wiped = true
	if err := t.Remove(ctx, turns, messages); err != nil {
		return err
	}
	return t.forgetWords()
}

// Remove implements store.Tx.
func (t *tx) Remove(ctx context.Context, turns, messages []uuid.UUID) error {
	if err := t.writeMessages(0); err != nil {
		return err
	}
	t.turns = t.turns || len(turns) > 0
	if err := t.DeleteVectors(ctx, turns); err != nil {
		return err
	}
	for _, id := range turns {
		if err := t.run("ForgetTurn", id); err != nil {
			return err
		}
	}
	for _, id := range messages {
		if err := t.deleteVectors("ForgetMessageVectors", id); err != nil {
			return err
		}
		if err := t.run("ForgetMessage", id); err != nil {
			return err
		}
	}
	return nil
}

// forgetWords drops the words and vectors of turns that are gone from the indexes, and drops what is kept.
func (t *tx) forgetWords() error {
	t.turns, t.vectors, t.moved = true, true, true
	if err := t.run("DropKept"); err != nil {
		return err
	}
	segments, err := t.segments()
	if err != nil || len(segments) == 0 {
		return err
	}
	return t.merge(segments)
}

// ForgetEverything implements store.Tx.
func (t *tx) ForgetEverything(context.Context) error {
	t.wiped = true
	if err := t.writeMessages(0); err != nil {
		return err
	}
	for _, name := range forgetAllQueries {
		if err := t.run(name); err != nil {
			return err
		}
	}
	if err := t.dropForgotten(); err != nil {
		return err
	}
	t.turns, t.vectors, t.moved = true, true, true
	clear(t.numbers)
	return nil
}

// purge erases forgotten text from the database file, whose rebuilt pages may still hold pieces of
// rows, and from the files beside it: the vector indexes and the log. If a reader still uses the log,
// or it cannot be emptied now, the next commit tries again. The text is forgotten in any case, so none
// of this makes forgetting fail.
func (s *Store) purge() {
	s.purgePending = errors.Join(s.vacuum(), s.truncateLog()) != nil
	if err := s.dropIndexes(); err != nil {
		s.purgePending = true
	}
}

// vacuum rewrites the database file through a temporary file, since an archive may be larger than
// memory. secure_delete overwrites deleted cells, but not the bytes that a page keeps behind cells
// that moved.
func (s *Store) vacuum() (err error) {
	defer recoverPanic(&err)
	err = s.writer.Exec("PRAGMA temp_store = FILE; VACUUM")
	return errors.Join(err, s.writer.beWriter(s.newPage))
}

// truncateLog folds the log into the database file and truncates it. It does not wait for readers.
func (s *Store) truncateLog() (err error) {
	defer recoverPanic(&err)
	if err := s.writer.Exec("PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	_, _, err = s.writer.WALCheckpoint("main", sqlite3.CHECKPOINT_TRUNCATE)
	return errors.Join(err, s.writer.beWriter(s.newPage))
}

package sqlite

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/ncruces/go-sqlite3"
)

// Forget implements store.Tx. The keyword index forgets too: it is merged into one segment without the turns that went.
func (t *tx) Forget(_ context.Context, conversations []uuid.UUID) (int, error) {
	t.wiped = true
	if err := t.writeMessages(0); err != nil {
		return 0, err
	}
	turns := 0
	for _, id := range conversations {
		for _, name := range []string{"ForgetVectors", "ForgetTurns", "ForgetChunks", "ForgetDocument", "ForgetMessages", "ForgetConversation"} {
			if err := t.run(name, id); err != nil {
				return 0, err
			}
			if name == "ForgetTurns" {
				turns += int(t.Changes())
			}
		}
	}
	t.turns, t.vectors, t.moved, t.lastConversation = true, true, true, numberedConversation{}
	segments, err := t.segments()
	if err != nil || len(segments) == 0 {
		return turns, err
	}
	return turns, t.merge(segments)
}

// ForgetEverything implements store.Tx.
func (t *tx) ForgetEverything(context.Context) error {
	t.wiped = true
	if err := t.writeMessages(0); err != nil {
		return err
	}
	for _, table := range []string{"Vectors", "Generations", "Blocks", "Segments", "Turns", "Chunks", "Documents", "Messages", "Conversations", "Runs"} {
		if err := t.run("ForgetAll" + table); err != nil {
			return err
		}
	}
	t.turns, t.vectors, t.moved, t.lastConversation = true, true, true, numberedConversation{}
	return nil
}

// purge takes forgotten text out of the archive's file, whose rebuilt pages may still hold pieces of rows, and out of what lies beside
// it: the vector indexes, and the log, unless somebody still reads from it, or it cannot be emptied now; then the next commit tries
// again. What was forgotten is committed all the same, so none of this
// is a failure of forgetting.
func (s *Store) purge() {
	s.purgePending = errors.Join(s.vacuum(), s.truncateLog()) != nil
	if err := s.dropIndexes(); err != nil {
		s.purgePending = true
	}
}

// vacuum writes the archive's file anew, by way of a temporary file: an archive may be larger than memory. secure_delete overwrites
// what is deleted, but not what a page keeps behind its cells when they are moved.
func (s *Store) vacuum() (err error) {
	defer recoverPanic(&err)
	err = s.writer.Exec("PRAGMA temp_store = FILE; VACUUM")
	return errors.Join(err, s.writer.Exec(writerPragmas))
}

// truncateLog folds the log into the archive's file and cuts it to nothing. It does not wait for readers.
func (s *Store) truncateLog() (err error) {
	defer recoverPanic(&err)
	if err := s.writer.Exec("PRAGMA busy_timeout = 0"); err != nil {
		return err
	}
	_, _, err = s.writer.WALCheckpoint("main", sqlite3.CHECKPOINT_TRUNCATE)
	return errors.Join(err, s.writer.Exec(writerPragmas))
}

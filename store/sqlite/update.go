package sqlite

import (
	"context"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/failure"
	"lens/store/termindex"
)

// tx is a write transaction. It records which parts of the archive it changed.
type tx struct {
	*conn
	chats   bool                    // a chat was written, no document
	turns   bool                    // a turn was added, changed or removed
	terms   bool                    // terms were added
	vectors bool                    // a vector or a generation was added, changed or removed
	moved   bool                    // vectors were removed, or a turn got a new ordinal: existing indexes are stale
	wiped   bool                    // text was forgotten and must leave the file too
	unused  map[store.Hash]struct{} // what deleted vectors were made of: other vectors may have it too

	newOrds      []store.Ord // by AddTerms, in no segment yet
	newTerms     []store.Terms
	newPostings  int // in newTerms
	building     buildingSegment
	packing      []packingMessages
	pack         chan<- packingMessages // to packAll; nil: it was not started
	packingBytes int                    // bytes of packing
	waiting      messageRows
	forAll       bool                // bodies are those that every Lens can read
	numbers      map[uuid.UUID]int64 // of conversations, as far as they were needed
	known        *knownIDs
	knownIsFresh bool // what other processes wrote before is in it
	builder      *termindex.Builder
}

// Update implements store.Store.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	if s.readOnly {
		return s.explain(ctx, "update", failure.ErrReadOnly)
	}
	if err := s.beginWriting(ctx); err != nil {
		return s.explain(ctx, "update", err)
	}
	defer s.endWriting()
	var t *tx
	err := s.writer.inTransaction(ctx, "BeginImmediate", func(c *conn) error {
		t = &tx{
			conn: c, builder: &s.builder, known: &s.known, numbers: map[uuid.UUID]int64{},
			forAll: s.schema < packedOnceSchema,
		}
		defer t.awaitSegment() // also if fn fails: it owns the terms
		defer t.endPacking()   // and the messages
		if err := fn(t); err != nil {
			return err
		}
		if err := t.writeMessages(0); err != nil {
			return err
		}
		if err := t.writeSegments(); err != nil {
			return err
		}
		if err := t.dropUnusedTexts(); err != nil {
			return err
		}
		return t.stamp()
	})
	if err != nil {
		s.known = knownIDs{} // it may lack rows that the rollback brought back
	} else if t.wiped || s.purgePending {
		s.purge()
	}
	return s.explain(ctx, "update", err)
}

// beginWriting reserves the writer connection, first among this process's goroutines, then among
// processes.
func (s *Store) beginWriting(ctx context.Context) error {
	timer := time.NewTimer(s.lock.wait)
	defer timer.Stop()
	select {
	case _, open := <-s.writing:
		if !open {
			return failure.ErrClosed
		}
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return s.lock.busyError()
	}
	if err := s.lock.take(ctx); err != nil {
		s.writing <- struct{}{}
		return err
	}
	return nil
}

func (s *Store) endWriting() {
	s.lock.releaseLater()
	s.writing <- struct{}{}
}

// stamp gives the changed parts new version numbers, which readers compare. The numbers follow the
// clock, so that an archive restored from a backup never reuses a number that a cache file already
// has.
func (t *tx) stamp() error {
	now := time.Now().UnixMicro()
	if t.moved {
		if err := t.run("MoveVectors", now); err != nil {
			return err
		}
	}
	if t.turns {
		if err := t.run("Stamp", now, "turns"); err != nil {
			return err
		}
	}
	if t.turns || t.terms || t.vectors || t.moved {
		return t.run("Stamp", now, "version")
	}
	return nil
}

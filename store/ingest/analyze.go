package ingest

import (
	"context"
	"runtime"
	"sync/atomic"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/terms"
)

// analysis turns the texts of batches into terms, on its own goroutines, while others read and write.
type analysis struct {
	existing  existing
	analyzers []*terms.Analyzer // one per worker: each keeps a cache
}

func newAnalysis(known existing) *analysis {
	a := &analysis{existing: known}
	for range max(1, min(runtime.GOMAXPROCS(0)-1, 4)) {
		a.analyzers = append(a.analyzers, new(terms.Analyzer))
	}
	return a
}

// run analyzes the batches from in and sends them to out.
func (a *analysis) run(ctx context.Context, in <-chan *batch, out chan<- *batch) error {
	for b := range in {
		if err := a.analyze(ctx, b); err != nil {
			return err
		}
		select {
		case out <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// analyze fills in the terms of the conversations in b that are likely to be written. The writer makes those that a
// wrong guess leaves out, and those of large documents, which take more memory than their text.
func (a *analysis) analyze(ctx context.Context, b *batch) error {
	stored, err := a.existing.hashes(ctx, b)
	if err != nil {
		return err
	}
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for _, analyzer := range a.analyzers {
		group.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(b.entries) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				e := &b.entries[i]
				if e.parsed != nil && !e.isLargeDocument() && stored[e.parsed.ID] != e.parsed.Hash {
					e.terms = conversationTerms(analyzer, e.parsed)
					e.derived = ofParsed(e.parsed)
					for i := range e.derived {
						e.derived[i].terms = conversationTerms(analyzer, e.derived[i].Parsed)
					}
				}
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}

// conversationTerms returns the terms of each turn and sets the turn's Length.
func conversationTerms(a *terms.Analyzer, p *chat.Parsed) []store.Terms {
	all := make([]store.Terms, len(p.Turns))
	for i := range p.Turns {
		all[i] = turnTerms(a, &p.Turns[i])
	}
	return all
}

// existing knows which conversations the archive held when the import began. That may be out of date: it only saves the
// analysis of unchanged conversations. The transaction reads what decides.
type existing struct {
	st      store.Reader
	ids     map[uuid.UUID]struct{}
	forgets bool // something was forgotten
}

func newExisting(ctx context.Context, st store.Store) (existing, error) {
	e := existing{st: st, ids: map[uuid.UUID]struct{}{}}
	if st == nil {
		return e, nil
	}
	ids, err := st.ConversationIDs(ctx, "")
	if err != nil {
		return e, err
	}
	for _, id := range ids {
		e.ids[id] = struct{}{}
	}
	forgotten, err := st.Forgotten(ctx)
	e.forgets = len(forgotten.Hashes) > 0
	return e, err
}

func (e existing) hashes(ctx context.Context, b *batch) (map[uuid.UUID]store.Hash, error) {
	stored, err := e.conversations(ctx, b)
	hashes := make(map[uuid.UUID]store.Hash, len(stored))
	for i := range stored {
		hashes[stored[i].ID] = stored[i].Hash
	}
	return hashes, err
}

// conversations returns the conversations of b that the archive held, as they are stored now.
func (e existing) conversations(ctx context.Context, b *batch) ([]store.Conversation, error) {
	var ids []uuid.UUID
	for _, id := range b.conversations() {
		if _, there := e.ids[id]; there {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	stored, err := e.st.Conversations(ctx, ids)
	if errs.CodeOf(err) == errs.NotFound { // forgotten since the import began: assume that none is stored
		return nil, nil
	}
	return stored, err
}

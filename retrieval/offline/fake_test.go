package offline_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"lens/internal/audit"
	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/retrieval"
	"lens/retrieval/offline"
)

// fake is an archive of a few texts.
type fake struct {
	candidates []retrieval.Candidate
	turns      map[uuid.UUID]retrieval.Turn
	synonyms   []string // of the last shortlist
	fail       error    // of the next shortlist
}

func (f *fake) CheckEmbedded(context.Context) error { return f.fail }

func (f *fake) Shortlist(_ context.Context, _ string, synonyms []string) ([]retrieval.Candidate, error) {
	f.synonyms = synonyms
	return f.candidates, f.fail
}

func (f *fake) Hydrate(_ context.Context, ids []uuid.UUID) ([]retrieval.Turn, error) {
	var all []retrieval.Turn
	for _, id := range ids {
		t, ok := f.turns[id]
		if !ok {
			return nil, &errs.Error{Code: errs.NotFound, Op: "fake", Message: "no such turn"}
		}
		all = append(all, t)
	}
	return all, nil
}

func (f *fake) add(n byte, cosine, keyword float64, modified *time.Time, t retrieval.Turn) {
	t.TurnID, t.Time = id(n), modified
	c := retrieval.Candidate{TurnID: id(n), Keyword: keyword, Time: modified}
	if cosine != 0 {
		c.Cosine = &cosine
	}
	if f.turns == nil {
		f.turns = map[uuid.UUID]retrieval.Turn{}
	}
	f.candidates, f.turns[id(n)] = append(f.candidates, c), t
}

// bread is an archive of two documents and a chat.
func bread() *fake {
	f := new(fake)
	f.add(1, .5, 9, ago(365), retrieval.Turn{
		Title: "notes", Assistant: "Flour matters. A sourdough starter wants feeding twice a day in summer. It smells of apples.",
		Chunk: &retrieval.Chunk{Filename: "notes.md", Path: "/home/ada/notes.md", ClientTag: "home", Modified: ago(365), MIME: "text/markdown"},
	})
	f.add(2, .45, 4, ago(0), retrieval.Turn{
		Title: "Bread", User: "Why does my sourdough starter smell?", Assistant: "Your starter is hungry. Feed the sourdough starter more often!",
	})
	f.add(3, 0, 2, nil, retrieval.Turn{
		Title: "scan", Assistant: "The oven is hot.",
		Chunk: &retrieval.Chunk{Filename: "scan.pdf", Path: "/home/ada/scan.pdf", MIME: "application/pdf", Pages: []int{2, 3}},
	})
	return f
}

// ledger keeps decisions, or fails.
type ledger struct {
	mu    sync.Mutex
	lines []audit.Decision
	fail  error
}

func (l *ledger) Append(d audit.Decision) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		return 0, l.fail
	}
	l.lines = append(l.lines, d)
	return uint64(len(l.lines)), nil
}

// blocked is the evidence of a process without network.
func blocked() (sandbox.Evidence, error) {
	return sandbox.Evidence{Mechanism: sandbox.Seccomp, Probes: 4, Sockets: 1}, nil
}

func guarded() (sandbox.Evidence, error) { return sandbox.Evidence{Mechanism: sandbox.Guard}, nil }

// retriever returns one over f, and what it records. change may be nil.
func retriever(f *fake, change func(*offline.Options)) (*offline.Retriever, *ledger) {
	l := new(ledger)
	opts := offline.Options{
		Archive: func(context.Context) (offline.Searcher, error) { return f, nil },
		Audit:   l, Verify: blocked, Now: func() time.Time { return now },
	}
	if change != nil {
		change(&opts)
	}
	return offline.New(opts), l
}

var errDown = errors.New("down")

// Package offline answers queries without a network: in this process, or in a child process for each query. It keeps
// the synonyms and the audit log of that.
package offline

import (
	"context"

	"lens/agent"
	"lens/internal/sandbox"
	"lens/retrieval"
	"lens/retrieval/offline"
	"lens/store"
)

// Archive opens an archive: for reading, which fails with not_found if there is none, or for writing.
type Archive interface {
	Reading(ctx context.Context) (store.Store, error)
	Writing(ctx context.Context) (store.Store, error)
	Engine(ctx context.Context) (*retrieval.Engine, error)
	Opened() store.Store // nil: it is not open
	Close() error        // the next call opens it again
}

// Keys holds the key of an archive.
type Keys interface {
	Encrypted() bool
	Locked() bool
	Export() []byte // nil: the archive is locked or not encrypted
	Import(key []byte)
}

// Service answers queries over an archive.
type Service struct {
	Folders     Folders
	Cut         func() error // cuts this process off from the network
	Archive     Archive
	Keys        Keys
	Audit       *Audit
	Keywords    *Keywords
	Conclusions offline.ConclusionReader
	Chat        LocalModel
	Level       string // of queries that name none; "": standard
}

// Folders are where a child process finds the archive and the built-in models.
type Folders struct {
	DataDir     string
	DatabaseURL string // "": SQLite in DataDir
	ModelsDir   string
}

// LocalModel opens the chat model if it is on this machine.
type LocalModel interface{ OpenLocal() agent.Model } // nil: it is not

// Retriever returns a retriever. singleQuery says that this process was started for one query: then it answers paranoid
// queries itself.
func (s *Service) Retriever(singleQuery bool) *Retriever {
	opts := offline.Options{
		Archive: s.searcher, Audit: s.Audit.Log(), Keywords: offline.NewKeywords(s.Keywords.Read),
		SingleQuery: singleQuery, Conclusions: s.Conclusions,
	}
	if m := s.Chat.OpenLocal(); m != nil {
		opts.Writer = &modelWriter{m}
	}
	workers := &pool{start: s.startWorker, keys: s.Keys}
	return &Retriever{
		level: offline.Level(s.Level), local: offline.New(opts), single: singleQuery, workers: workers, child: workers.ask,
	}
}

func (s *Service) searcher(ctx context.Context) (offline.Searcher, error) {
	engine, err := s.Archive.Engine(ctx)
	if err != nil {
		return nil, err // not a typed nil in an interface
	}
	return engine, nil
}

// CutOff cuts off a process that answers a query of a level. If the process cannot be cut off, it must not
// answer, and the refusal is recorded. Errors: *offline.Revert, and those of Search for an unknown level.
func (s *Service) CutOff(ctx context.Context, level offline.Level) error {
	failed := s.Cut()
	if failed == nil {
		return nil
	}
	verify := func() (sandbox.Evidence, error) { return sandbox.Evidence{Mechanism: sandbox.None}, failed }
	refusing := offline.New(offline.Options{Audit: s.Audit.Log(), Verify: verify})
	_, err := refusing.Search(ctx, "", offline.SearchOptions{Level: level})
	return err
}

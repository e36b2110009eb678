package app

import (
	"context"

	"lens/retrieval/offline"
)

// Offline is the offline retriever over an archive. It runs in this process, or in a child process for a single query.
type Offline struct {
	lens  *App
	here  *offline.Retriever
	fresh bool

	// child answers a query in a child process; nil: never.
	child func(ctx context.Context, q OfflineQuery) (OfflineReply, error)
	ready *standby // nil: no child process waits
}

// The types of the offline retriever that front ends need.
type (
	OfflineLevel  = offline.Level
	OfflineFound  = offline.Found
	OfflineAnswer = offline.Answer
	OfflineHit    = offline.Hit
)

// Offline returns the retriever. fresh says that this process was started for one query; then it answers paranoid
// queries itself.
func (l *App) Offline(fresh bool) *Offline {
	opts := offline.Options{
		Archive: l.offlineArchive, Audit: l.Audit(), Keywords: offline.NewKeywords(l.Keywords), SingleQuery: fresh,
		Conclusions: ledger{l},
	}
	if w := l.writer(); w != nil {
		opts.Writer = w
	}
	o := &Offline{lens: l, here: offline.New(opts), fresh: fresh}
	o.child = o.ask
	return o
}

func (l *App) offlineArchive(ctx context.Context) (offline.Searcher, error) {
	engine, err := l.Engine(ctx)
	if err != nil {
		return nil, err // not a typed nil in an interface
	}
	return engine, nil
}

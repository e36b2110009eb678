package archive

import (
	"context"

	"golang.org/x/sync/singleflight"

	"lens/retrieval"
	"lens/retrieval/query"
)

// Server searches an archive for concurrent requests. The archive is opened by the first call that finds one, so that a
// server can start before the first import. If it cannot be opened, the next request tries again. The methods fail like
// Archive.Engine and those of retrieval.Engine.
type Server struct {
	archive *Archive
	opening singleflight.Group
}

// ForServer returns the archive for a server. Call OnSecret of its key holder before.
func (a *Archive) ForServer() *Server {
	a.keys.ForServer()
	return &Server{archive: a}
}

// Engine calls Archive.Engine. Concurrent calls share one opening; each waits no longer than its ctx.
func (s *Server) Engine(ctx context.Context) (*retrieval.Engine, error) {
	opened := s.opening.DoChan("", func() (any, error) { return s.archive.Engine(context.WithoutCancel(ctx)) })
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-opened:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*retrieval.Engine), nil
	}
}

// Peek calls retrieval.Engine.Peek.
func (s *Server) Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error) {
	engine, err := s.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Peek(ctx, q)
}

// Turn calls retrieval.Engine.Turn.
func (s *Server) Turn(ctx context.Context, prefix string) (*retrieval.Turn, error) {
	engine, err := s.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Turn(ctx, prefix)
}

// Retrieve calls retrieval.Engine.Retrieve.
func (s *Server) Retrieve(
	ctx context.Context, q query.Query, opts retrieval.RetrieveOptions,
) (*retrieval.Retrieved, error) {
	engine, err := s.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Retrieve(ctx, q, opts)
}

// Activity calls retrieval.Engine.Activity.
func (s *Server) Activity(ctx context.Context, opts query.Query) (*retrieval.Activity, error) {
	engine, err := s.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Activity(ctx, opts)
}

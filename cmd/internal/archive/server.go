package archive

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

// Server searches an archive for concurrent requests. The archive is opened by the first call that finds one, so that a
// server can start before the first import. If it cannot be opened, the next request tries again. The methods fail like
// Archive.Engine and those of retrieval.Engine.
type Server struct {
	archive *Archive
	opening singleflight.Group
	warming singleflight.Group
	warm    atomic.Pointer[retrieval.Engine] // the last one that was warmed; nil: none
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

// Ready makes sure that the first search is as fast as the second, as retrieval.Engine.Warm does. Concurrent calls
// share the work, which goes on after ctx. Errors: as Engine; unavailable if the work takes longer than ctx.
func (s *Server) Ready(ctx context.Context) error {
	engine, err := s.Engine(ctx)
	if err != nil {
		return err
	}
	if s.warm.Load() == engine {
		_, err := engine.Overview(ctx)
		return err
	}
	select {
	case <-ctx.Done():
		return &errs.Error{
			Code: errs.Unavailable, Op: "open archive", Message: "the archive is being read for the first search",
			Hint: "try again in a few seconds", Err: ctx.Err(),
		}
	case done := <-s.warmUp(context.WithoutCancel(ctx), engine):
		return done.Err
	}
}

func (s *Server) warmUp(ctx context.Context, engine *retrieval.Engine) <-chan singleflight.Result {
	return s.warming.DoChan("", func() (any, error) {
		err := engine.Warm(ctx)
		if err == nil {
			s.warm.Store(engine)
		}
		return nil, err
	})
}

// KeepReady looks every watchPause whether the archive has been unlocked or opened again, and after a failure only when
// failurePause is over.
const (
	watchPause   = 500 * time.Millisecond
	failurePause = 10 * time.Second
)

// KeepReady makes the archive Ready, now and each time that it has been unlocked, until ctx ends. It reports no errors:
// requests do.
func (s *Server) KeepReady(ctx context.Context) {
	for ctx.Err() == nil {
		pause := watchPause
		if !s.archive.keys.Locked() && !s.isWarm() && s.warmNow(ctx) != nil {
			pause = failurePause
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// isWarm reports whether the open archive has been warmed.
func (s *Server) isWarm() bool {
	s.archive.mu.Lock()
	defer s.archive.mu.Unlock()
	return s.archive.engine != nil && s.archive.engine == s.warm.Load()
}

func (s *Server) warmNow(ctx context.Context) error {
	engine, err := s.Engine(ctx)
	if err != nil {
		return err
	}
	return (<-s.warmUp(ctx, engine)).Err
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

// Turns calls retrieval.Engine.Turns.
func (s *Server) Turns(ctx context.Context, prefixes []string) (*retrieval.Turns, error) {
	engine, err := s.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Turns(ctx, prefixes)
}

// Compare calls retrieval.Engine.Compare.
func (s *Server) Compare(ctx context.Context, queries []query.Query) (*retrieval.Comparison, error) {
	engine, err := s.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Compare(ctx, queries)
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

// Topics calls retrieval.Engine.Topics.
func (s *Server) Topics(ctx context.Context, q query.Query) (*retrieval.Topics, error) {
	engine, err := s.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Topics(ctx, q)
}

// WindowNamed calls retrieval.Engine.WindowNamed.
func (s *Server) WindowNamed(ctx context.Context, text string, now time.Time) (retrieval.Window, error) {
	engine, err := s.Engine(ctx)
	if err != nil {
		return retrieval.Window{}, err
	}
	return engine.WindowNamed(ctx, text, now)
}

// About calls retrieval.Engine.About.
func (s *Server) About(ctx context.Context, w retrieval.Window) (*retrieval.About, error) {
	engine, err := s.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.About(ctx, w)
}

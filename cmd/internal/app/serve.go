package app

import (
	"context"

	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"lens/agent"
	"lens/retrieval"
)

// Service is a Lens for a server with concurrent requests. If the archive cannot be opened, the next request tries
// again.
type Service struct {
	*App
	opening singleflight.Group
}

// Service returns l for a server. Call OnSecret before.
func (l *App) Service() *Service {
	l.Keys.ForServer()
	return &Service{App: l}
}

// Engine calls App.Engine. Concurrent calls share one opening; each waits no longer than its ctx.
func (s *Service) Engine(ctx context.Context) (*retrieval.Engine, error) {
	opened := s.opening.DoChan("", func() (any, error) { return s.App.Engine(context.WithoutCancel(ctx)) })
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

// Investigation calls Investigator.Request.
func (s *Service) Investigation(ctx context.Context, conversation uuid.UUID) (agent.Request, error) {
	if _, err := s.Engine(ctx); err != nil {
		return agent.Request{}, err
	}
	return s.Investigator.Request(ctx, conversation)
}

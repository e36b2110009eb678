package app

import (
	"context"

	"lens/retrieval"
)

// Archive searches with the engine of a Service, which is opened by the first call that finds an archive, so that a
// server can start before the first import. Its methods fail like Service.Engine and those of retrieval.Engine.
type Archive struct{ service *Service }

// Archive returns the archive without opening it.
func (s *Service) Archive() Archive { return Archive{s} }

// Peek calls retrieval.Engine.Peek.
func (a Archive) Peek(ctx context.Context, query string, opts retrieval.PeekOptions) (*retrieval.Peek, error) {
	engine, err := a.service.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Peek(ctx, query, opts)
}

// Turn calls retrieval.Engine.Turn.
func (a Archive) Turn(ctx context.Context, prefix string) (*retrieval.Turn, error) {
	engine, err := a.service.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Turn(ctx, prefix)
}

// Activity calls retrieval.Engine.Activity.
func (a Archive) Activity(ctx context.Context, opts retrieval.ActivityOptions) (*retrieval.Activity, error) {
	engine, err := a.service.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Activity(ctx, opts)
}

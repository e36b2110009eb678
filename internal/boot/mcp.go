package boot

import (
	"context"

	"lens/retrieval"
)

// Archive asks the engine of a Service, which is opened by the first question that finds an archive: so a server may be up before anything
// was imported. Its methods fail like Service.Engine and those of retrieval.Engine.
type Archive struct{ service *Service }

// Archive returns the archive, which is not opened yet.
func (s *Service) Archive() Archive { return Archive{s} }

// Peek is retrieval.Engine's.
func (a Archive) Peek(ctx context.Context, query string, opts retrieval.PeekOptions) (*retrieval.Peek, error) {
	engine, err := a.service.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Peek(ctx, query, opts)
}

// Turn is retrieval.Engine's.
func (a Archive) Turn(ctx context.Context, prefix string) (*retrieval.Turn, error) {
	engine, err := a.service.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Turn(ctx, prefix)
}

// Activity is retrieval.Engine's.
func (a Archive) Activity(ctx context.Context, opts retrieval.ActivityOptions) (*retrieval.Activity, error) {
	engine, err := a.service.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Activity(ctx, opts)
}

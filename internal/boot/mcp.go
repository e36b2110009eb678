package boot

import (
	"context"

	"lens/retrieval"
)

// Archive is the archive as a server asks it: opened by the first question that finds one, so that a server may be up before anything
// was imported. Its methods fail like Engine's and those of retrieval.Engine.
type Archive struct{ lens *Lens }

// Archive returns the archive, which is not opened yet.
func (l *Lens) Archive() Archive { return Archive{l} }

// Peek is retrieval.Engine's.
func (a Archive) Peek(ctx context.Context, query string, opts retrieval.PeekOptions) (*retrieval.Peek, error) {
	engine, err := a.lens.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Peek(ctx, query, opts)
}

// Turn is retrieval.Engine's.
func (a Archive) Turn(ctx context.Context, prefix string) (*retrieval.Turn, error) {
	engine, err := a.lens.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Turn(ctx, prefix)
}

// Activity is retrieval.Engine's.
func (a Archive) Activity(ctx context.Context, opts retrieval.ActivityOptions) (*retrieval.Activity, error) {
	engine, err := a.lens.Engine(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Activity(ctx, opts)
}

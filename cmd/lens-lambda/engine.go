package main

import (
	"context"

	"lens/internal/boot"
	"lens/internal/httpapi"
	"lens/retrieval"
)

// indexEngine is an engine over a published index only.
type indexEngine struct{ index *boot.Shelf }

// retriever returns the retriever of /retrieve.
func (x indexEngine) retriever(ctx context.Context) (httpapi.Retriever, error) {
	r, err := x.index.Retriever(ctx)
	if err != nil {
		return nil, err // an interface with a nil retriever in it would not be nil
	}
	return r, nil
}

// Overview checks the index. /readyz calls it.
func (x indexEngine) Overview(ctx context.Context) (*retrieval.Overview, error) {
	return &retrieval.Overview{}, x.index.Check(ctx)
}

// Peek, Turn and Activity return noArchive.
func (indexEngine) Peek(context.Context, string, retrieval.PeekOptions) (*retrieval.Peek, error) {
	return nil, noArchive{}
}

func (indexEngine) Turn(context.Context, string) (*retrieval.Turn, error) { return nil, noArchive{} }

func (indexEngine) Activity(context.Context, retrieval.ActivityOptions) (*retrieval.Activity, error) {
	return nil, noArchive{}
}

// noArchive is the error of every route but /retrieve.
type noArchive struct{}

func (noArchive) Error() string     { return "no archive" }
func (noArchive) ErrorCode() string { return "not_found" }

// explain is boot.ExplainAfar with a message for noArchive.
func explain(err error) string {
	if err == error(noArchive{}) {
		return "There is no archive here: only /retrieve is available."
	}
	return boot.ExplainAfar(err)
}

package main

import (
	"context"

	"lens/cmd/internal/httpapi"
	"lens/cmd/internal/published"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

// indexEngine serves a published index; it has no archive.
type indexEngine struct{ index *published.Index }

// retriever returns the retriever of /retrieve.
func (e indexEngine) retriever(ctx context.Context) (httpapi.Retriever, error) {
	r, err := e.index.Retriever(ctx)
	if err != nil {
		return nil, err // do not wrap a nil pointer in the interface
	}
	return r, nil
}

// Overview checks the index. /readyz calls it.
func (e indexEngine) Overview(ctx context.Context) (*retrieval.Overview, error) {
	return &retrieval.Overview{}, e.index.Check(ctx)
}

// Peek, Turn and Activity return errNoArchive.
func (indexEngine) Peek(context.Context, query.Query) (*retrieval.Peek, error) {
	return nil, errNoArchive
}

func (indexEngine) Turn(context.Context, string) (*retrieval.Turn, error) { return nil, errNoArchive }

func (indexEngine) Activity(context.Context, query.Query) (*retrieval.Activity, error) {
	return nil, errNoArchive
}

// errNoArchive is the error of every route but /retrieve.
var errNoArchive = &errs.Error{
	Code: errs.NotFound, Op: "index", Message: "this server has no archive; only /retrieve is available",
}

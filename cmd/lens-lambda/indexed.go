package main

import (
	"context"

	"lens/internal/boot"
	"lens/internal/httpapi"
	"lens/retrieval"
)

// indexed is what an archive is here: an index that was published, and nothing besides.
type indexed struct{ shelf *boot.Shelf }

// retriever returns what /retrieve asks.
func (x indexed) retriever(ctx context.Context) (httpapi.Retriever, error) {
	r, err := x.shelf.Retriever(ctx)
	if err != nil {
		return nil, err // and no nil of a retriever's type in an interface
	}
	return r, nil
}

// Overview is asked by /readyz.
func (x indexed) Overview(ctx context.Context) (*retrieval.Overview, error) {
	return &retrieval.Overview{}, x.shelf.Check(ctx)
}

// Peek, Turn and Activity have nothing to look at.
func (indexed) Peek(context.Context, string, retrieval.PeekOptions) (*retrieval.Peek, error) {
	return nil, noArchive{}
}

func (indexed) Turn(context.Context, string) (*retrieval.Turn, error) { return nil, noArchive{} }

func (indexed) Activity(context.Context, retrieval.ActivityOptions) (*retrieval.Activity, error) {
	return nil, noArchive{}
}

// noArchive is why nothing but /retrieve is answered.
type noArchive struct{}

func (noArchive) Error() string     { return "no archive" }
func (noArchive) ErrorCode() string { return "not_found" }

// explain is boot.ExplainAfar, which knows nothing of noArchive.
func explain(err error) string {
	if err == error(noArchive{}) {
		return "There is no archive here: only /retrieve is answered."
	}
	return boot.ExplainAfar(err)
}

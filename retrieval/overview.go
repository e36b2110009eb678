package retrieval

import (
	"context"
	"slices"
	"time"

	"lens/store"
)

// Overview is an archive at a glance.
type Overview struct {
	Turns         int        `json:"turns"` // on active paths
	OffPath       int        `json:"off_path"`
	Undated       int        `json:"undated"` // of Turns
	Conversations int        `json:"conversations"`
	First         *time.Time `json:"first"` // time of the first dated turn; null for none
	Last          *time.Time `json:"last"`
	Embedded      float64    `json:"embedded_share"`  // of the turns that can be, 0..1
	Model         string     `json:"embedding_model"` // "" for none
}

// HasChunks reports whether the archive has documents or records, which Retrieve finds. Errors: those of reading it.
func (e *Engine) HasChunks(ctx context.Context) (bool, error) {
	a, err := e.snapshot(ctx)
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(a.Sources, func(s store.Source) bool { return slices.Contains(chunkSources, s) }), nil
}

// Overview counts the archive and returns its first and last times.
func (e *Engine) Overview(ctx context.Context) (*Overview, error) {
	a, err := e.snapshot(ctx)
	if err != nil {
		return nil, err
	}
	o := &Overview{
		Turns: a.turns, OffPath: a.Len() - a.turns, Undated: a.turns - len(a.pathTimes), Conversations: a.conversations(),
		Embedded: a.embeddedShare(false), Model: a.active.Model,
	}
	if s := dateRangeOf(a.pathTimes); s.dated {
		first, last := fromSecond(s.first), fromSecond(s.last)
		o.First, o.Last = &first, &last
	}
	return o, nil
}

// conversations counts the conversations, without what derives from them.
func (a *snapshot) conversations() (n int) {
	for _, source := range a.SourceOf {
		if !a.Sources[source].Derived() {
			n++
		}
	}
	return n
}

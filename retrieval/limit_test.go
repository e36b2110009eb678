package retrieval_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

// waiting is a source whose reads of the postings of words block until goOn.
type waiting struct {
	*fakeSource
	asked chan struct{}
	goOn  chan error
}

func (w waiting) Postings(ctx context.Context, terms []string) ([]store.Postings, error) {
	if !slices.ContainsFunc(terms, store.IsFact) {
		w.asked <- struct{}{}
		if err := <-w.goOn; err != nil {
			return nil, err
		}
	}
	return w.fakeSource.Postings(ctx, terms)
}

// A peek that fails releases its slot, a waiting peek can be canceled, and none overtakes another.
func TestLimit_OneAtATime(t *testing.T) {
	w := waiting{fakeSource: kitchen(), asked: make(chan struct{}), goOn: make(chan error)}
	e := retrieval.New(w, nil)
	e.Limit(1)
	peek := func(ctx context.Context, text string) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := e.Peek(ctx, query.Literal(text))
			done <- err
		}()
		return done
	}
	first := peek(t.Context(), "bread")
	<-w.asked
	ctx, cancel := context.WithCancel(t.Context())
	given := peek(ctx, "butter")
	cancel()
	if err := <-given; !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled peek returned %v", err)
	}
	second := peek(t.Context(), "cheese")
	failure := errors.New("no words today")
	w.goOn <- failure
	if err := <-first; !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	<-w.asked
	w.goOn <- nil
	if err := <-second; err != nil {
		t.Error(err)
	}
}

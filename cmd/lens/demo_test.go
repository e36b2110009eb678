package main

import (
	"context"
	"errors"
	"testing"
)

// The explorer follows the embedding of the demo, which has begun before it, as a job.
func TestDemoJobs_FollowTheEmbedding(t *testing.T) {
	for name, c := range map[string]struct {
		fails error
		says  string
	}{
		"to its end":     {nil, everyTurnEmbedded},
		"until it fails": {errors.New("the disk is full"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := &backgroundEmbedding{cancel: func() {}, ended: make(chan struct{})}
			b.done.Store(3)
			b.total.Store(10)
			work := demoJobs{begun: b}.Upkeep(t.Context())
			if work == nil || work.Name != embeddingJob {
				t.Fatalf("the job is %+v", work)
			}
			var reported []int64
			said, err := work.Do(t.Context(), func(done, total int64) {
				if reported == nil {
					b.err = c.fails
					close(b.ended)
				}
				reported = append(reported, done, total)
			})
			if said != c.says || !errors.Is(err, c.fails) || len(reported) < 2 || reported[0] != 3 || reported[1] != 10 {
				t.Errorf("it says %q, %v, and reported %v", said, err, reported)
			}
		})
	}
}

// A person who cancels the job cancels the embedding.
func TestDemoJobs_Cancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := &backgroundEmbedding{ended: make(chan struct{})}
	b.cancel = func() {
		b.err = context.Canceled
		close(b.ended)
	}
	cancel()
	if _, err := (demoJobs{begun: b}).Upkeep(ctx).Do(ctx, func(int64, int64) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
}

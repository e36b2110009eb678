package published

import (
	"context"
	"errors"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"lens/cmd/internal/models"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store/shard"
)

// silent is a bucket that never responds.
type silent struct{ shard.Bucket }

func (silent) List(ctx context.Context, _ string) iter.Seq2[shard.Info, error] {
	return func(yield func(shard.Info, error) bool) {
		<-ctx.Done()
		yield(shard.Info{}, ctx.Err())
	}
}

func TestPublishedIndex_SilentBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Index{models: models.New(models.Options{}), index: shard.NewIndex(silent{}, nil, shard.Options{})}
		begun, prepared := time.Now(), make(chan time.Duration)
		go func() {
			s.Prepare(t.Context())
			prepared <- time.Since(begun)
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := s.Retrieve(ctx, query.Literal("lentils"), retrieval.RetrieveOptions{})
		if took := time.Since(begun); !errors.Is(err, context.DeadlineExceeded) || took != time.Second {
			t.Errorf("after %v: %v", took, err)
		}
		if took := <-prepared; took != preparing {
			t.Errorf("Prepare took %v", took)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

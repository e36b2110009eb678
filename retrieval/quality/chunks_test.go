package quality

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/google/uuid"

	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/shard"
)

// What GET /retrieve answers, from the archive and from published shards.
const (
	denseChunks  query.Mode = "dense chunks"
	hybridChunks query.Mode = "hybrid chunks"
)

// publish publishes the archive as one shard and as several.
func (a *archive) publish(t *testing.T) {
	t.Helper()
	for _, size := range []int64{shard.DefaultShardBytes, 1_000_000} {
		folder := shard.NewFolder(t.TempDir())
		report, err := shard.Publish(t.Context(), a.Store, folder, shard.PublishOptions{ShardBytes: size})
		testenv.Must(t, err)
		if (report.Shards == 1) != (size == shard.DefaultShardBytes) {
			t.Fatalf("shards of %d bytes: %+v", size, report)
		}
		index := shard.NewIndex(folder, folder, shard.Options{})
		t.Cleanup(func() { testenv.Must(t, index.Close()) })
		a.published = append(a.published, retrieval.NewRetriever(corpus{index}, a.questions))
	}
}

// corpus is a published index as a retrieval.Corpus.
type corpus struct{ *shard.Index }

func (c corpus) Narrow(ctx context.Context, f store.Filter) (retrieval.Subset, func(), error) {
	return c.View(ctx, f)
}

// askChunks retrieves from the archive. Shards must answer the same.
func (a *archive) askChunks(ctx context.Context, text string, mode query.Mode) (turns, conversations []uuid.UUID, err error) {
	q, opts := query.Query{Text: text, Mode: mode}, retrieval.RetrieveOptions{K: depth}
	found, err := a.engine.Retrieve(ctx, q, opts)
	if err != nil {
		return nil, nil, err
	}
	for i, index := range a.published {
		other, err := index.Retrieve(ctx, q, opts)
		if err != nil {
			return nil, nil, err
		}
		if !reflect.DeepEqual(other.Results, found.Results) {
			return nil, nil, fmt.Errorf("%s, index %d: got %v, the archive has %v", mode, i, other.Results, found.Results)
		}
	}
	for _, r := range found.Results {
		turns = append(turns, a.records[r.ID])
	}
	return turns, nil, nil
}

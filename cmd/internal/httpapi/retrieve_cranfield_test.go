package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/query"
	"lens/store/archivetest"
	"lens/store/shard"
)

// Cranfield has 1,400 abstracts and 225 judged questions. It is stored next to the repository, if at all.
var cranfield = testenv.SharedPath("cranfield")

type abstract struct{ ID, Text string }

func lines[T any](t *testing.T, name string) (all []T) {
	t.Helper()
	f, err := os.Open(filepath.Join(cranfield, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var one T
		if err := d.Decode(&one); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
}

// wordy is a model by embedtest.Vector.
type wordy int

func (m wordy) Model() (provider, name string) { return "test", "wordy" }

func (m wordy) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	return embedtest.Vector(text, int(m)), nil
}

func (m wordy) Embed(_ context.Context, texts []string) ([]embed.Embedding, error) {
	all := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		all[i].Values = embedtest.Vector(text, int(m))
	}
	return all, nil
}

// TestRetrieve_CranfieldFromShardsAndArchive compares whole responses in all modes. How good they are with a real model is
// measured in retrieval/quality.
func TestRetrieve_CranfieldFromShardsAndArchive(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT with -short")
	}
	testenv.Shared(t, "cranfield")
	all := servers(t)
	for _, q := range lines[abstract](t, "queries.jsonl") {
		for _, mode := range retrieval.RetrieveModes {
			want := all["archive"].retrieved(parametersOf(q, mode))
			for _, other := range []string{"one shard", "many shards"} {
				if got := all[other].retrieved(parametersOf(q, mode)); got != want {
					t.Fatalf("question %s, %s:\narchive %s\n%s %s", q.ID, mode, want, other, got)
				}
			}
		}
	}
}

// servers imports and embeds the abstracts, publishes them as one shard and as several, and serves the archive and both.
func servers(t *testing.T) map[string]*service {
	t.Helper()
	const dim, small = 64, 500_000
	st := archivetest.New(t, filepath.Join(cranfield, "chunks.jsonl"))
	archivetest.Embed(t, st, wordy(dim))
	asked := embed.NewCache(wordy(dim), 0) // every question is embedded once
	all := map[string]*service{"archive": serveFrom(t, retrieval.New(st, asked), nil)}
	for name, size := range map[string]int64{"one shard": shard.DefaultShardBytes, "many shards": small} {
		folder := shard.NewFolder(t.TempDir())
		p, err := shard.Publish(t.Context(), st, folder, shard.PublishOptions{ShardBytes: size})
		if err != nil || (p.Shards == 1) != (name == "one shard") {
			t.Fatalf("%s: %+v, %v", name, p, err)
		}
		index := shard.NewIndex(folder, folder, shard.Options{})
		t.Cleanup(func() { index.Close() })
		all[name] = serveFrom(t, retrieval.NewRetriever(published{index}, asked), nil)
	}
	return all
}

func parametersOf(q abstract, mode query.Mode) string {
	return "k=10&mode=" + string(mode) + "&q=" + url.QueryEscape(q.Text)
}

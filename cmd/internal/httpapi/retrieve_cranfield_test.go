package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/query"
	"lens/store/archivetest"
	"lens/store/ingest"
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

// embeds is a model for texts and queries.
type embeds interface {
	ingest.Embedder[embed.Embedding]
	retrieval.Embedder
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

// TestRetrieve_CranfieldFromShardsAndArchive compares whole responses in both modes and, with a real model, their quality.
func TestRetrieve_CranfieldFromShardsAndArchive(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT with -short")
	}
	if _, err := os.Stat(cranfield); errors.Is(err, os.ErrNotExist) {
		t.Skip("SKIPPED: nothing is asked of Cranfield: it is not there")
	}
	questions, model := lines[abstract](t, "queries.jsonl"), embedtest.UseLite(t)
	if model == nil {
		sameAnswers(t, servers(t, wordy(64), 500_000), questions)
		t.Skip("SKIPPED: how good the answers of /retrieve are: LENS_TEST_USE_LITE names no model")
	}
	all := servers(t, model, 1_000_000)
	sameAnswers(t, all, questions)
	goodAnswers(t, all["many shards"], questions)
}

// servers imports and embeds the abstracts, publishes them as one shard and as several, and serves the archive and both.
func servers(t *testing.T, model embeds, size int64) map[string]*service {
	t.Helper()
	st := archivetest.New(t, filepath.Join(cranfield, "chunks.jsonl"))
	archivetest.Embed(t, st, model)
	asked := embed.NewCache(model, 0) // every question is embedded once
	all := map[string]*service{"archive": serveFrom(t, retrieval.New(st, asked), nil)}
	for name, size := range map[string]int64{"one shard": shard.DefaultShardBytes, "many shards": size} {
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

var bothModes = []query.Mode{query.Dense, query.Hybrid}

func parametersOf(q abstract, mode query.Mode) string {
	return "k=10&mode=" + string(mode) + "&q=" + url.QueryEscape(q.Text)
}

func sameAnswers(t *testing.T, all map[string]*service, questions []abstract) {
	t.Helper()
	for _, q := range questions {
		for _, mode := range bothModes {
			want := all["archive"].retrieved(parametersOf(q, mode))
			for _, other := range []string{"one shard", "many shards"} {
				if got := all[other].retrieved(parametersOf(q, mode)); got != want {
					t.Fatalf("question %s, %s:\narchive %s\n%s %s", q.ID, mode, want, other, got)
				}
			}
		}
	}
}

// goodAnswers compares nDCG@10 with binary relevance to the recorded value; keywords alone reach .516.
func goodAnswers(t *testing.T, s *service, questions []abstract) {
	t.Helper()
	relevant := judgments(t)
	var figures bytes.Buffer
	for _, mode := range bothModes {
		sum := 0.0
		for _, q := range questions {
			var found retrieval.Retrieved
			if err := json.Unmarshal([]byte(s.retrieved(parametersOf(q, mode))), &found); err != nil {
				t.Fatal(err)
			}
			gain, ideal := 0.0, 0.0
			for i, hit := range found.Results {
				if relevant[q.ID][hit.ID] {
					gain += 1 / math.Log2(float64(i+2))
				}
			}
			for i := range min(10, len(relevant[q.ID])) {
				ideal += 1 / math.Log2(float64(i+2))
			}
			sum += gain / ideal
		}
		mean := sum / float64(len(questions))
		fmt.Fprintf(&figures, "%-6s %d questions, nDCG@10 %.4f\n", mode, len(questions), mean)
		if mode == query.Hybrid && mean < .516 {
			t.Errorf("%s: nDCG@10 %.4f, want at least .516", mode, mean)
		}
	}
	golden.RequireEqual(t, figures.Bytes())
}

// judgments returns the abstracts that are relevant to each question: all that were judged.
func judgments(t *testing.T) map[string]map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(cranfield, "qrels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	relevant := map[string]map[string]bool{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if relevant[fields[0]] == nil {
			relevant[fields[0]] = map[string]bool{}
		}
		relevant[fields[0]][fields[1]] = true
	}
	return relevant
}

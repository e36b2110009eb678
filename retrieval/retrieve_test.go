package retrieval_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/embed"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/query"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/ingest"
	"lens/store/shard"
)

// wordy is a model that embeds in this process, by embedtest.Vector.
type wordy struct {
	name string
	dim  int
}

func (m *wordy) Model() (provider, name string) { return "test", cmp.Or(m.name, "wordy") }

func (m *wordy) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	return embedtest.Vector(text, m.dim), nil
}

func (m *wordy) Embed(_ context.Context, texts []string) ([]embed.Embedding, error) {
	all := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		all[i].Values = embedtest.Vector(text, m.dim)
	}
	return all, nil
}

// retriever retrieves: an engine, or a Retriever over shards.
type retriever interface {
	Retrieve(ctx context.Context, q query.Query, opts retrieval.RetrieveOptions) (*retrieval.Retrieved, error)
}

// shards is a published index as a corpus.
type shards struct{ *shard.Index }

func (s shards) Narrow(ctx context.Context, f store.Filter) (retrieval.Subset, func(), error) {
	v, release, err := s.Index.View(ctx, f)
	if err != nil {
		return nil, nil, err
	}
	return v, release, nil
}

// fromArchiveAndShards imports, embeds and publishes files, and returns retrievers over the archive, one shard and
// many shards, by name.
func fromArchiveAndShards(t *testing.T, files []string, model *wordy, size int64) map[string]retriever {
	t.Helper()
	st := archivetest.New(t, files...)
	archivetest.Embed(t, st, model)
	all := map[string]retriever{"archive": retrieval.New(st, model)}
	for name, size := range map[string]int64{"one shard": shard.DefaultShardBytes, "many shards": size} {
		folder := shard.NewFolder(t.TempDir())
		p, err := shard.Publish(t.Context(), st, folder, shard.PublishOptions{ShardBytes: size})
		if err != nil || (p.Shards == 1) != (name == "one shard") {
			t.Fatalf("%s: %+v, %v", name, p, err)
		}
		index := shard.NewIndex(folder, folder, shard.Options{})
		t.Cleanup(func() { index.Close() })
		all[name] = retrieval.NewRetriever(shards{index}, model)
	}
	return all
}

// skipIfShort skips single-threaded tests with -short: under the race detector publishing takes long and finds nothing.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT with -short")
	}
}

// resultJSON is what must be equal: everything but the timing.
func resultJSON(t *testing.T, from retriever, q query.Query, opts retrieval.RetrieveOptions) string {
	t.Helper()
	r, err := from.Retrieve(t.Context(), q, opts)
	if err != nil {
		t.Fatal(err)
	}
	r.Timing = retrieval.Timing{}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// meta restricts to chunks with these facts, written key=value.
func meta(facts ...string) query.Filter {
	var f query.Filter
	for _, fact := range facts {
		key, value, _ := strings.Cut(fact, "=")
		f.Meta.Add(query.Pair{Key: key, Value: value}, false)
	}
	return f
}

var retrieved = []struct {
	filter query.Filter
	opts   retrieval.RetrieveOptions
}{
	{},
	{opts: retrieval.RetrieveOptions{K: 50}},
	{meta("entity=roll"), retrieval.RetrieveOptions{K: 20}},
	{meta("entity=roll", "shelf=4"), retrieval.RetrieveOptions{K: 20}},
	{filter: meta("id=7")},
	{filter: meta("client_tag=acme")},
	{
		query.Filter{Meta: meta("entity=bun").Meta, Since: midnight(2024, 3, 1), Until: midnight(2024, 4, 1)},
		retrieval.RetrieveOptions{K: 50},
	},
	{query.Filter{Since: midnight(2024, 12, 1)}, retrieval.RetrieveOptions{K: 50}},
	{filter: query.Filter{Until: midnight(1999, 1, 1)}},
	{filter: meta("entity=planet")},
	{opts: retrieval.RetrieveOptions{K: 50, Threshold: 0.5}},
}

func TestRetrieve_ShardsEqualArchive(t *testing.T) {
	all := fromArchiveAndShards(t, corpus(t), &wordy{dim: 32}, 60_000)
	for _, text := range []string{"bread rises", "yeast number 17", "herons over night", "nothing like it"} {
		for _, c := range retrieved {
			for _, mode := range []query.Mode{query.Dense, query.Hybrid} {
				q := query.Query{Text: text, Mode: mode, Filter: c.filter}
				want := resultJSON(t, all["archive"], q, c.opts)
				for _, other := range []string{"one shard", "many shards"} {
					if got := resultJSON(t, all[other], q, c.opts); got != want {
						t.Errorf("%s, %+v:\narchive %s\n%s %s", q, c.opts, want, other, got)
					}
				}
			}
		}
	}
}

func TestRetrieve_Metadata(t *testing.T) {
	skipIfShort(t)
	all := fromArchiveAndShards(t, corpus(t), &wordy{dim: 32}, 60_000)
	for name, from := range all {
		r, err := from.Retrieve(t.Context(), query.Query{Text: "bread number 7 rises", Filter: query.Filter{Meta: meta("entity=roll").Meta, Since: midnight(2024, 8, 1)}}, retrieval.RetrieveOptions{K: 3})
		if err != nil {
			t.Fatal(err)
		}
		first := r.Results[0]
		if len(r.Results) != 3 || first.ID != "7" || string(first.Meta) != `{"entity":"roll","shelf":7}` || first.Snippet != "Bread number 7 rises with yeast." {
			t.Errorf("%s: %+v", name, r.Results)
		}
		if r.Model != (retrieval.RetrievalModel{ID: "wordy", Dims: 32}) || r.K != 3 || r.Query != "bread number 7 rises" {
			t.Errorf("%s: %+v", name, r)
		}
		if f := r.Filters; len(f) != 2 || f["entity"] != "roll" || f["since"] != "2024-08-01T00:00:00Z" {
			t.Errorf("%s: filters %v", name, f)
		}
		documents, err := from.Retrieve(t.Context(), query.Query{Text: "our bread rises over night", Filter: meta("filename=bread.md")}, retrieval.RetrieveOptions{})
		if err != nil || len(documents.Results) != 1 {
			t.Fatalf("%s: %+v, %v", name, documents, err)
		}
		var chunk retrieval.Chunk
		if err := json.Unmarshal(documents.Results[0].Meta, &chunk); err != nil || chunk.Filename != "bread.md" || chunk.ClientTag != "acme" {
			t.Errorf("%s: %s, %v", name, documents.Results[0].Meta, err)
		}
	}
}

// What must be found is ranked here, text by text.
func TestRetrieve_FilterEqualsSubset(t *testing.T) {
	skipIfShort(t)
	model := &wordy{dim: 32}
	all := fromArchiveAndShards(t, corpus(t), model, 60_000)
	const text = "bread number 4 rises"
	asked := embedtest.Vector(text, 32)
	type scored struct {
		id     string
		cosine float64
	}
	for entity, first := range map[string]int{"loaf": 0, "roll": 1, "bun": 2} {
		var subset []scored
		for i := first; i < 300; i += 3 {
			half := store.Halves(embedtest.Vector(fmt.Sprintf("Bread number %d rises with yeast.", i), 32))
			subset = append(subset, scored{fmt.Sprint(i), store.Dot(asked, half)})
		}
		slices.SortFunc(subset, func(a, b scored) int { return cmp.Compare(b.cosine, a.cosine) })
		for name, from := range all {
			r, err := from.Retrieve(t.Context(), query.Query{Text: text, Mode: query.Dense, Filter: meta("entity=" + entity)}, retrieval.RetrieveOptions{K: 20})
			if err != nil || len(r.Results) != 20 {
				t.Fatalf("%s: %+v, %v", name, r, err)
			}
			for i, hit := range r.Results {
				if hit.ID != subset[i].id || hit.Score != subset[i].cosine {
					t.Errorf("%s, %s: result %d is %s at %v instead of %s at %v", name, entity, i, hit.ID, hit.Score, subset[i].id, subset[i].cosine)
				}
			}
		}
	}
}

func TestRetrieve_Threshold(t *testing.T) {
	skipIfShort(t)
	all := fromArchiveAndShards(t, corpus(t), &wordy{dim: 32}, 60_000)
	for _, mode := range []query.Mode{query.Dense, query.Hybrid} {
		whole, err := all["archive"].Retrieve(t.Context(), query.Query{Text: "bread number 12 rises", Mode: mode}, retrieval.RetrieveOptions{K: 50})
		if err != nil {
			t.Fatal(err)
		}
		for i, hit := range whole.Results {
			if mode == query.Hybrid && (hit.Score < 0 || hit.Score > 1) || i > 0 && hit.Score > whole.Results[i-1].Score {
				t.Errorf("%s: result %d has %v", mode, i, hit.Score)
			}
		}
		bar := whole.Results[9].Score
		cut, err := all["archive"].Retrieve(t.Context(), query.Query{Text: "bread number 12 rises", Mode: mode}, retrieval.RetrieveOptions{K: 50, Threshold: bar})
		if err != nil {
			t.Fatal(err)
		}
		n := len(cut.Results)
		if n < 10 || n == 50 || cut.Results[n-1].Score < bar || n < 50 && whole.Results[n].Score >= bar || cut.Results[0].ID != whole.Results[0].ID {
			t.Errorf("%s: %d results from %v on", mode, n, bar)
		}
	}
}

func TestRetrieve_Errors(t *testing.T) {
	skipIfShort(t)
	files := corpus(t)
	all := fromArchiveAndShards(t, files, &wordy{dim: 32}, 60_000)
	empty := openSQLite(t)
	folder := shard.NewFolder(t.TempDir())
	nowhere := shard.NewIndex(folder, folder, shard.Options{})
	defer nowhere.Close()
	published := shard.NewFolder(t.TempDir())
	other := openSQLite(t)
	if _, err := ingest.Import(t.Context(), other, files, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := ingest.Embed(t.Context(), other, &wordy{dim: 32}, ingest.EmbedOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := shard.Publish(t.Context(), other, published, shard.PublishOptions{}); err != nil {
		t.Fatal(err)
	}
	index := shard.NewIndex(published, published, shard.Options{})
	defer index.Close()
	for name, c := range map[string]struct {
		from    retriever
		query   query.Query
		opts    retrieval.RetrieveOptions
		want    errs.Code
		message string
	}{
		"an empty query":             {all["archive"], query.Literal(" \n"), retrieval.RetrieveOptions{}, errs.Invalid, ""},
		"a long query":               {all["archive"], query.Literal(strings.Repeat("x", 8<<10+1)), retrieval.RetrieveOptions{}, errs.TooLarge, ""},
		"k too large":                {all["archive"], query.Literal("q"), retrieval.RetrieveOptions{K: 51}, errs.Invalid, ""},
		"negative k":                 {all["archive"], query.Literal("q"), retrieval.RetrieveOptions{K: -1}, errs.Invalid, ""},
		"a high threshold":           {all["archive"], query.Literal("q"), retrieval.RetrieveOptions{Threshold: 1.1}, errs.Invalid, ""},
		"NaN threshold":              {all["archive"], query.Literal("q"), retrieval.RetrieveOptions{Threshold: math.NaN()}, errs.Invalid, ""},
		"another mode":               {all["archive"], query.Query{Text: "q", Mode: query.Keyword}, retrieval.RetrieveOptions{}, errs.Invalid, ""},
		"since after until":          {all["archive"], query.Query{Text: "q", Filter: query.Filter{Since: midnight(2024, 2, 1), Until: midnight(2024, 1, 1)}}, retrieval.RetrieveOptions{}, errs.Invalid, ""},
		"an archive without vectors": {retrieval.New(empty, &wordy{dim: 32}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.NotFound, "nothing is embedded yet"},
		"no index":                   {retrieval.NewRetriever(shards{nowhere}, &wordy{dim: 32}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.NotFound, "no index"},
		"no model":                   {retrieval.NewRetriever(shards{index}, nil), query.Literal("q"), retrieval.RetrieveOptions{}, errs.Unavailable, "no embedding model"},
		"another model":              {retrieval.NewRetriever(shards{index}, &wordy{name: "other", dim: 32}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.Unavailable, "embedded with wordy"},
		"other dims of shards":       {retrieval.NewRetriever(shards{index}, &wordy{dim: 48}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.DimensionMismatch, "Expected 32, got 48"},
		"other dims":                 {retrieval.New(other, &wordy{dim: 48}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.DimensionMismatch, "Expected 32, got 48"},
	} {
		_, err := c.from.Retrieve(t.Context(), c.query, c.opts)
		if errs.CodeOf(err) != c.want || !strings.Contains(fmt.Sprint(err), c.message) {
			t.Errorf("%s: %v (%s)", name, err, errs.CodeOf(err))
		}
	}
}

package retrieval_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/internal/testenv"
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
			for _, mode := range retrieval.RetrieveModes {
				if mode == query.Keyword && c.opts.Threshold > 0 {
					continue
				}
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
		if r.Model != (retrieval.RetrievalModel{ID: "wordy@recipe-1", Dims: 32}) || r.K != 3 || r.Query != "bread number 7 rises" {
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
				if hit.ID != subset[i].id || *hit.Score != subset[i].cosine || hit.RankScore != nil {
					t.Errorf("%s, %s: result %d is %s at %v instead of %s at %v", name, entity, i, hit.ID, *hit.Score, subset[i].id, subset[i].cosine)
				}
			}
		}
	}
}

// The threshold acts before the list is cut to k, and is a cosine in both modes: hybrid mode lists in the same order,
// with the same scores, what reaches it.
func TestRetrieve_Threshold(t *testing.T) {
	skipIfShort(t)
	all := fromArchiveAndShards(t, corpus(t), &wordy{dim: 32}, 60_000)
	for name, from := range all {
		for _, mode := range []query.Mode{query.Dense, query.Hybrid} {
			q := query.Query{Text: "bread number 12 rises", Mode: mode}
			find := func(k int, threshold float64) []retrieval.RetrievedChunk {
				r, err := from.Retrieve(t.Context(), q, retrieval.RetrieveOptions{K: k, Threshold: threshold})
				if err != nil {
					t.Fatal(err)
				}
				return r.Results
			}
			whole := find(50, 0)
			for i, hit := range whole {
				order, last := hit.Score, whole[max(i-1, 0)].Score
				if mode == query.Hybrid {
					order, last = hit.RankScore, whole[max(i-1, 0)].RankScore
				}
				if *order > *last || *hit.Score < 0 || *hit.Score > 1 {
					t.Errorf("%s, %s: result %d has %v and %v", name, mode, i, *hit.Score, *order)
				}
			}
			least := *whole[9].Score
			want := slices.DeleteFunc(slices.Clone(whole), func(hit retrieval.RetrievedChunk) bool { return *hit.Score < least })
			got := find(50, least)
			same := func(a, b retrieval.RetrievedChunk) bool {
				return a.ID == b.ID && *a.Score == *b.Score && (mode == query.Dense || *a.RankScore == *b.RankScore)
			}
			if len(got) < len(want) || !slices.EqualFunc(got[:len(want)], want, same) || *got[len(got)-1].Score < least {
				t.Errorf("%s, %s: %d results from %v on, want %d or more", name, mode, len(got), least, len(want))
			}
			if first := find(5, least); !slices.EqualFunc(first, got[:5], same) {
				t.Errorf("%s, %s: with k = 5 other results", name, mode)
			}
			if none := find(50, 1); len(none) != 0 {
				t.Errorf("%s, %s: %d results from 1 on", name, mode, len(none))
			}
		}
	}
}

// records writes a file of records.
func records(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records.jsonl")
	testenv.Must(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return path
}

// The best texts by words have nothing of the query's meaning, and fill every place before the threshold acts.
func TestRetrieve_ThresholdBehindWords(t *testing.T) {
	st := openSQLite(t)
	var lines []string
	for i := range 120 {
		lines = append(lines, fmt.Sprintf(`{"id":"words %d","text":"sourdough sourdough %d","vector":[0,1]}`, i, i))
		lines = append(lines, fmt.Sprintf(`{"id":"meaning %d","text":"a leaven, number %d","vector":[1,0.%03d]}`, i, i, i))
	}
	lines = append(lines, `{"id":"against","text":"sourdough","vector":[-1,0]}`, `{"id":"none","text":"sourdough"}`)
	_, err := ingest.Import(t.Context(), st, []string{records(t, lines...)}, ingest.Options{VectorsOf: ingest.Model{Provider: "test", Name: "east"}})
	testenv.Must(t, err)
	e := retrieval.New(st, east{})
	r, err := e.Retrieve(t.Context(), query.Query{Text: "sourdough", Mode: query.Hybrid}, retrieval.RetrieveOptions{K: 50, Threshold: 0.5})
	if err != nil || len(r.Results) != 50 {
		t.Fatalf("%+v, %v", r, err)
	}
	for i, hit := range r.Results {
		if !strings.HasPrefix(hit.ID, "meaning") || *hit.Score < 0.5 {
			t.Errorf("result %d is %s at %v", i, hit.ID, *hit.Score)
		}
	}
	for id, want := range map[string]string{"none": "null", "against": "0", "meaning 0": "1"} {
		q := query.Query{Text: "sourdough", Mode: query.Hybrid, Filter: meta("id=" + id)}
		r, err := e.Retrieve(t.Context(), q, retrieval.RetrieveOptions{})
		if err != nil || len(r.Results) != 1 {
			t.Fatalf("%s: %+v, %v", id, r, err)
		}
		if score, err := json.Marshal(r.Results[0].Score); err != nil || string(score) != want {
			t.Errorf("%s has score %s, %v", id, score, err)
		}
	}
}

// east is a model to which every query means the same.
type east struct{}

func (east) Model() (provider, name string) { return "test", "east" }

func (east) EmbedQuery(context.Context, string) ([]float32, error) { return []float32{1, 0}, nil }

// Without a model or vectors, words rank, and hybrid mode says why; what needs a cosine fails.
func TestRetrieve_WithoutModel(t *testing.T) {
	skipIfShort(t)
	files := corpus(t)
	empty := openSQLite(t)
	archivetest.Import(t, empty, files...)
	folder := shard.NewFolder(t.TempDir())
	embedded := openSQLite(t)
	archivetest.Import(t, embedded, files...)
	archivetest.Embed(t, embedded, &wordy{dim: 32})
	_, err := shard.Publish(t.Context(), embedded, folder, shard.PublishOptions{})
	testenv.Must(t, err)
	index := shards{shard.NewIndex(folder, folder, shard.Options{})}
	defer index.Close()
	const text = "bread number 7 rises"
	want, err := retrieval.NewRetriever(index, &wordy{dim: 32}).Retrieve(t.Context(), query.Query{Text: text, Mode: query.Keyword}, retrieval.RetrieveOptions{})
	if err != nil || len(want.Results) != 5 || want.Results[0].ID != "7" || want.Notice != "" || want.Timing.Embed != 0 {
		t.Fatalf("%+v, %v", want, err)
	}
	last := math.Inf(1)
	for _, hit := range want.Results {
		if hit.Score != nil || !(*hit.RankScore > 0 && *hit.RankScore <= last) {
			t.Errorf("%+v", hit)
		}
		last = *hit.RankScore
	}
	for name, c := range map[string]struct {
		from   retriever
		notice string
		code   errs.Code
	}{
		"no vectors":    {retrieval.New(empty, &wordy{dim: 32}), "By words only: nothing is embedded yet.", errs.NotFound},
		"neither":       {retrieval.New(empty, nil), "By words only: nothing is embedded yet.", errs.NotFound},
		"no model":      {retrieval.NewRetriever(index, nil), "By words only: no embedding model is configured.", errs.Unavailable},
		"another model": {retrieval.NewRetriever(index, &wordy{name: "other", dim: 32}), "By words only: the archive is embedded with wordy (test), but queries with other (test).", errs.Unavailable},
	} {
		for _, mode := range []query.Mode{query.Hybrid, query.Keyword} {
			got, err := c.from.Retrieve(t.Context(), query.Query{Text: text, Mode: mode}, retrieval.RetrieveOptions{})
			if err != nil || got.Notice != c.notice || !reflect.DeepEqual(got.Results, want.Results) {
				t.Errorf("%s, %s: %+v, %v", name, mode, got, err)
			}
		}
		for _, opts := range []retrieval.RetrieveOptions{{}, {Threshold: 0.1}} {
			for _, mode := range []query.Mode{"", query.Dense, query.Hybrid} {
				_, err := c.from.Retrieve(t.Context(), query.Query{Text: text, Mode: mode}, opts)
				if fails := mode != query.Hybrid || opts.Threshold > 0; fails && errs.CodeOf(err) != c.code || !fails && err != nil {
					t.Errorf("%s, %q from %v on: %v", name, mode, opts.Threshold, err)
				}
			}
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
		"an empty query":              {all["archive"], query.Literal(" \n"), retrieval.RetrieveOptions{}, errs.Invalid, ""},
		"a filter alone":              {all["archive"], query.Query{Filter: query.Filter{Since: midnight(2024, 1, 1)}}, retrieval.RetrieveOptions{}, errs.Invalid, "the query is empty"},
		"a long query":                {all["archive"], query.Literal(strings.Repeat("x", 8<<10+1)), retrieval.RetrieveOptions{}, errs.TooLarge, ""},
		"k too large":                 {all["archive"], query.Literal("q"), retrieval.RetrieveOptions{K: 51}, errs.Invalid, ""},
		"negative k":                  {all["archive"], query.Literal("q"), retrieval.RetrieveOptions{K: -1}, errs.Invalid, ""},
		"a high threshold":            {all["archive"], query.Literal("q"), retrieval.RetrieveOptions{Threshold: 1.1}, errs.Invalid, ""},
		"NaN threshold":               {all["archive"], query.Literal("q"), retrieval.RetrieveOptions{Threshold: math.NaN()}, errs.Invalid, ""},
		"another mode":                {all["archive"], query.Query{Text: "q", Mode: query.Auto}, retrieval.RetrieveOptions{}, errs.Invalid, ""},
		"a threshold for words":       {all["archive"], query.Query{Text: "q", Mode: query.Keyword}, retrieval.RetrieveOptions{Threshold: .1}, errs.Invalid, "which keyword mode does not have"},
		"since after until":           {all["archive"], query.Query{Text: "q", Filter: query.Filter{Since: midnight(2024, 2, 1), Until: midnight(2024, 1, 1)}}, retrieval.RetrieveOptions{}, errs.Invalid, ""},
		"an archive without vectors":  {retrieval.New(empty, &wordy{dim: 32}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.NotFound, "nothing is embedded yet"},
		"no index":                    {retrieval.NewRetriever(shards{nowhere}, &wordy{dim: 32}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.NotFound, "no index"},
		"no model":                    {retrieval.NewRetriever(shards{index}, nil), query.Literal("q"), retrieval.RetrieveOptions{}, errs.Unavailable, "no embedding model"},
		"another model":               {retrieval.NewRetriever(shards{index}, &wordy{name: "other", dim: 32}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.Unavailable, "embedded with wordy"},
		"other dims of shards":        {retrieval.NewRetriever(shards{index}, &wordy{dim: 48}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.DimensionMismatch, "Expected 32, got 48"},
		"other dims of another model": {retrieval.NewRetriever(shards{index}, &wordy{name: "other", dim: 48}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.DimensionMismatch, "Expected 32, got 48"},
		"other dims in hybrid mode":   {retrieval.NewRetriever(shards{index}, &wordy{dim: 48}), query.Query{Text: "q", Mode: query.Hybrid}, retrieval.RetrieveOptions{}, errs.DimensionMismatch, "Expected 32, got 48"},
		"other dims":                  {retrieval.New(other, &wordy{dim: 48}), query.Literal("q"), retrieval.RetrieveOptions{}, errs.DimensionMismatch, "Expected 32, got 48"},
	} {
		_, err := c.from.Retrieve(t.Context(), c.query, c.opts)
		if errs.CodeOf(err) != c.want || !strings.Contains(fmt.Sprint(err), c.message) {
			t.Errorf("%s: %v (%s)", name, err, errs.CodeOf(err))
		}
	}
}

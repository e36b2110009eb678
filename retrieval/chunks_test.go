package retrieval_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
)

// corpus writes a folder of documents and a file of records, and returns both with a chat export.
func corpus(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	var records strings.Builder
	for i := range 300 {
		fmt.Fprintf(&records, `{"id":"%d","text":"Bread number %d rises with yeast.","meta":{"entity":"%s","shelf":%d},"modified":"2024-%02d-01"}`+"\n",
			i, i, []string{"loaf", "roll", "bun"}[i%3], i%10, 1+i%12)
	}
	notes, lines := filepath.Join(dir, "notes"), filepath.Join(dir, "breads.jsonl")
	for name, data := range map[string]string{
		filepath.Join(notes, "acme", "bread.md"): "# Bread\n\nOur bread rises over night.", filepath.Join(notes, "pond.txt"): "Herons wade.", lines: records.String(),
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return []string{testenv.Demo(t, demo.Options{Turns: 300}), notes, lines}
}

var filtered = []struct {
	opts       query.Query
	candidates int // 0: any number
}{
	{query.Query{Filter: query.Filter{Sources: query.Values[string]{In: []string{"documents"}}}}, 2},
	{query.Query{Filter: query.Filter{Sources: query.Values[string]{In: []string{"chunks", "documents"}}}}, 302},
	{query.Query{TopK: new(1000), Filter: query.Filter{Sources: query.Values[string]{In: []string{"chatgpt"}}}}, 0},
	{query.Query{TopK: new(200), Filter: meta("entity=roll")}, 100},
	{query.Query{Filter: meta("entity=roll", "shelf=4")}, 10},
	{query.Query{Filter: meta("id=7")}, 1},
	{query.Query{Filter: query.Filter{Meta: meta("client_tag=acme").Meta, Branches: true}}, 1},
	{query.Query{Filter: query.Filter{Meta: meta("entity=bun").Meta, Since: midnight(2024, 3, 1), Until: midnight(2024, 4, 1)}}, 25},
	{query.Query{Mode: query.Keyword, TopK: new(5), Filter: query.Filter{Meta: meta("entity=loaf").Meta, Sources: query.Values[string]{In: []string{"chunks"}}}}, 100},
}

func TestPeek_SourceFilterInBothStores(t *testing.T) {
	model, files := scriptedModel(t), corpus(t)
	lite, full := fill(t, openSQLite(t), files, model), fill(t, openPostgres(t), files, model)
	for _, f := range filtered {
		for _, mode := range []query.Mode{query.Keyword, query.Dense, query.Hybrid} {
			f.opts.Mode = mode
			if a, b := answer(t, lite, "bread rises", f.opts), answer(t, full, "bread rises", f.opts); a != b {
				t.Errorf("%s, %+v:\nSQLite   %s\nPostgres %s", mode, f.opts, a, b)
			}
			p := peek(t, lite, "bread rises", f.opts)
			if f.candidates > 0 && p.Coverage.Candidates != f.candidates {
				t.Errorf("%s, %+v: %d candidates, want %d", mode, f.opts, p.Coverage.Candidates, f.candidates)
			}
			if f.candidates > 0 && mode == query.Dense && p.Histogram.Total != min(f.candidates, f.opts.Limit()) {
				t.Errorf("%+v: %d found of %d", f.opts, p.Histogram.Total, f.candidates)
			}
			checkMatches(t, p, f.opts)
		}
	}
}

// checkMatches checks that every match passes the filter.
func checkMatches(t *testing.T, p *retrieval.Peek, opts query.Query) {
	t.Helper()
	for _, m := range p.Matches {
		chat := slices.Equal(opts.Filter.Sources.In, []string{"chatgpt"})
		if chat != (m.Chunk == nil || m.Chunk.Origin != nil) {
			t.Errorf("%+v found %+v", opts, m)
			continue
		}
		entity := slices.IndexFunc(opts.Filter.Meta.In, func(p query.Pair) bool { return p.Key == "entity" })
		if entity >= 0 && !strings.Contains(string(m.Chunk.Meta), `"entity":"`+opts.Filter.Meta.In[entity].Value+`"`) {
			t.Errorf("%+v found %s", opts, m.Chunk.Meta)
		}
	}
}

func TestPeek_ChunkWithItsDocument(t *testing.T) {
	e := fill(t, openSQLite(t), corpus(t), scriptedModel(t))
	found := peek(t, e, "bread over night", query.Query{Filter: query.Filter{Sources: query.Values[string]{In: []string{"documents"}}}}).Matches[0]
	turn, err := e.Turn(t.Context(), found.TurnID.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*retrieval.Chunk{found.Chunk, turn.Chunk} {
		if c == nil || c.Filename != "bread.md" || c.ClientTag != "acme" || c.MIME != "text/markdown" || c.Modified == nil || c.Meta != nil || c.Pages != nil {
			t.Errorf("got %+v", c)
		}
	}
	record := peek(t, e, "bread", query.Query{Filter: meta("id=7")}).Matches[0]
	if record.Chunk.ID != "7" || string(record.Chunk.Meta) != `{"entity":"roll","shelf":7}` {
		t.Errorf("got %+v with %s", record.Chunk, record.Chunk.Meta)
	}
	activity, err := e.Activity(t.Context(), query.Query{Bin: "month", Filter: query.Filter{Sources: query.Values[string]{In: []string{"chunks"}}}})
	if err != nil || activity.Histogram.Total != 300 || len(activity.Histogram.Bins) != 12 {
		t.Errorf("activity %+v, %v", activity, err)
	}
}

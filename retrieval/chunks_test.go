package retrieval_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
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
	opts       retrieval.PeekOptions
	candidates int // 0: any number
}{
	{retrieval.PeekOptions{Sources: []string{"documents"}}, 2},
	{retrieval.PeekOptions{Sources: []string{"chunks", "documents"}}, 302},
	{retrieval.PeekOptions{Sources: []string{"chatgpt"}, TopK: 1000}, 0},
	{retrieval.PeekOptions{Meta: map[string]string{"entity": "roll"}, TopK: 200}, 100},
	{retrieval.PeekOptions{Meta: map[string]string{"entity": "roll", "shelf": "4"}}, 10},
	{retrieval.PeekOptions{Meta: map[string]string{"id": "7"}}, 1},
	{retrieval.PeekOptions{Meta: map[string]string{"client_tag": "acme"}, AllBranches: true}, 1},
	{retrieval.PeekOptions{Meta: map[string]string{"entity": "bun"}, Since: midnight(2024, 3, 1), Until: midnight(2024, 4, 1)}, 25},
	{retrieval.PeekOptions{Meta: map[string]string{"entity": "loaf"}, Sources: []string{"chunks"}, Mode: retrieval.Keyword, TopK: 5}, 100},
}

func TestPeek_SourceFilterInBothStores(t *testing.T) {
	model, files := scriptedModel(t), corpus(t)
	lite, full := fill(t, openSQLite(t), files, model), fill(t, openPostgres(t), files, model)
	for _, f := range filtered {
		for _, mode := range []retrieval.Mode{retrieval.Keyword, retrieval.Dense, retrieval.Hybrid} {
			f.opts.Mode = mode
			if a, b := answer(t, lite, "bread rises", f.opts), answer(t, full, "bread rises", f.opts); a != b {
				t.Errorf("%s, %+v:\nSQLite   %s\nPostgres %s", mode, f.opts, a, b)
			}
			p := peek(t, lite, "bread rises", f.opts)
			if f.candidates > 0 && p.Coverage.Candidates != f.candidates {
				t.Errorf("%s, %+v: %d candidates, want %d", mode, f.opts, p.Coverage.Candidates, f.candidates)
			}
			if f.candidates > 0 && mode == retrieval.Dense && p.Histogram.Total != min(f.candidates, max(f.opts.TopK, 100)) && f.opts.TopK != 5 {
				t.Errorf("%+v: %d found of %d", f.opts, p.Histogram.Total, f.candidates)
			}
			checkMatches(t, p, f.opts)
		}
	}
}

// checkMatches checks that every match passes the filter.
func checkMatches(t *testing.T, p *retrieval.Peek, opts retrieval.PeekOptions) {
	t.Helper()
	for _, m := range p.Matches {
		chat := len(opts.Sources) > 0 && opts.Sources[0] == "chatgpt"
		if chat != (m.Chunk == nil) {
			t.Errorf("%+v found %+v", opts, m)
			continue
		}
		if entity := opts.Meta["entity"]; entity != "" && !strings.Contains(string(m.Chunk.Meta), `"entity":"`+entity+`"`) {
			t.Errorf("%+v found %s", opts, m.Chunk.Meta)
		}
	}
}

func TestPeek_ChunkWithItsDocument(t *testing.T) {
	e := fill(t, openSQLite(t), corpus(t), scriptedModel(t))
	found := peek(t, e, "bread over night", retrieval.PeekOptions{Sources: []string{"documents"}}).Matches[0]
	turn, err := e.Turn(t.Context(), found.TurnID.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*retrieval.Chunk{found.Chunk, turn.Chunk} {
		if c == nil || c.Filename != "bread.md" || c.ClientTag != "acme" || c.MIME != "text/markdown" || c.Modified == nil || c.Meta != nil || c.Pages != nil {
			t.Errorf("got %+v", c)
		}
	}
	record := peek(t, e, "bread", retrieval.PeekOptions{Meta: map[string]string{"id": "7"}}).Matches[0]
	if record.Chunk.ID != "7" || string(record.Chunk.Meta) != `{"entity":"roll","shelf":7}` {
		t.Errorf("got %+v with %s", record.Chunk, record.Chunk.Meta)
	}
	activity, err := e.Activity(t.Context(), retrieval.ActivityOptions{Sources: []string{"chunks"}, Bin: "month"})
	if err != nil || activity.Histogram.Total != 300 || len(activity.Histogram.Bins) != 12 {
		t.Errorf("activity %+v, %v", activity, err)
	}
}

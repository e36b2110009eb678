package retrieval_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestPeek_Golden(t *testing.T) {
	for _, mode := range []query.Mode{query.Keyword, query.Hybrid, query.Dense} {
		t.Run(string(mode), func(t *testing.T) {
			p := peek(t, retrieval.New(kitchen(), &words{}), "Freezing a sourdough starter", query.Query{Mode: mode, Bin: "quarter"})
			p.Timing = retrieval.Timing{} // differs every time
			wantGolden(t, "peek_"+string(mode)+".json", p)
		})
	}
}

func TestLike_Golden(t *testing.T) {
	a := kitchen()
	p := like(t, retrieval.New(a, nil), turnWith(t, a, "Can a sourdough").String(), query.Query{Bin: "year", Snippets: new(2)})
	p.Timing = retrieval.Timing{}
	wantGolden(t, "like.json", p)
}

func TestContrast_Golden(t *testing.T) {
	c := contrast(t, retrieval.New(diary(12, "About the garden"), nil), year(2022), year(2023), query.Query{Bin: "quarter", Snippets: new(1)})
	c.Then.Peek.Timing, c.Now.Peek.Timing = retrieval.Timing{}, retrieval.Timing{}
	wantGolden(t, "contrast.json", c)
}

func TestTurn_Golden(t *testing.T) {
	a := kitchen()
	turn, err := retrieval.New(a, nil).Turn(t.Context(), turnWith(t, a, "Can a sourdough").String())
	if err != nil {
		t.Fatal(err)
	}
	wantGolden(t, "turn.json", turn)
}

func wantGolden(t *testing.T, name string, value any) {
	t.Helper()
	got, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s has changed (go test -update writes it anew):\n%s", file, got)
	}
}

func ExampleEngine_Peek() {
	engine := retrieval.New(kitchen(), nil)
	p, err := engine.Peek(context.Background(), query.Query{Text: "sourdough starter", Bin: "year", Snippets: new(1)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Notice)
	for _, b := range p.Histogram.Bins {
		fmt.Println(b.Start.Year(), b.Count, "of", b.Baseline)
	}
	fmt.Println(p.Matches[0].Time.Year(), p.Matches[0].UserSnippet)
	// Output:
	// By words only: no embedding model is configured.
	// 2023 2 of 4
	// 2024 2 of 2
	// 2024 Sourdough again: how warm?
}

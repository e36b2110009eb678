package retrieval

import "testing"

func TestSpellings_Forms(t *testing.T) {
	s := newSpellings([]string{"titl", "kyoto", "bread", "rare", "baker"})
	s.read("The page_title and <title>page.title</title>; Kyoto/Osaka, kyoto and Kyoto. Breads, breads; h1.title")
	s.read("a baker's, the baker’s")
	for term, want := range map[string]string{
		"titl": "title", "kyoto": "Kyoto", "bread": "breads", "rare": "", "baker": "baker",
	} {
		if got := s.of[term].form(); got != want {
			t.Errorf("%s is spelled %q, want %q", term, got, want)
		}
	}
	joined := newSpellings([]string{"titl"})
	if joined.read("page_title, h1.title"); joined.of["titl"].form() != "title" {
		t.Errorf("within words it is spelled %q", joined.of["titl"].form())
	}
	camel := newSpellings([]string{"datafram", "index"})
	camel.read("a DataFrame, DataFrames, the DataFrame; pd.Index, pd.Index")
	if frame, index := camel.of["datafram"].form(), camel.of["index"].form(); frame != "DataFrame" || index != "Index" {
		t.Errorf("identifiers are spelled %q and %q", frame, index)
	}
	if joined = newSpellings([]string{"datafram"}); joined.of["datafram"].form() != "" {
		t.Error("nothing was read")
	}
	if joined.read("pd.DataFrame(x)"); joined.of["datafram"].form() != "DataFrame" {
		t.Errorf("within words it is spelled %q", joined.of["datafram"].form())
	}
}

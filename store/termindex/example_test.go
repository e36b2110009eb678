package termindex_test

import (
	"fmt"

	"lens/store"
	"lens/store/termindex"
)

func Example() {
	blocks := termindex.Build([]store.Ord{7, 9}, store.ListTerms(
		[]store.TermCount{{Term: "async", Count: 1}, {Term: "rust", Count: 2}},
		[]store.TermCount{{Term: "rust", Count: 1}},
	))
	postings, err := termindex.Find(blocks[0].Data, "rust")
	fmt.Println(len(blocks), blocks[0].FirstTerm, postings.Ords, postings.Counts, err)
	// Output: 1 async [7 9] [2 1] <nil>
}

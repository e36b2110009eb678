package timebin_test

import (
	"fmt"
	"time"

	"lens/retrieval/timebin"
)

func Example() {
	first := time.Date(2024, 1, 30, 8, 0, 0, 0, time.UTC).Unix()
	last := time.Date(2024, 3, 2, 9, 0, 0, 0, time.UTC).Unix()
	bin := timebin.Auto(first, last, 4)
	edges, _ := bin.Edges(first, last+1)
	counts := timebin.Count(edges, []int64{first, last - 3600, last})
	for i, n := range counts {
		fmt.Println(bin.Label(edges[i]), n)
	}
	// Output:
	// 2024-01 1
	// 2024-02 0
	// 2024-03 2
}

func ExampleParseSpan() {
	now := time.Date(2024, 5, 8, 15, 30, 0, 0, time.UTC)
	span, _ := timebin.ParseSpan("2024-05..yesterday", now)
	fmt.Println(span.Since.Format(time.DateOnly), span.Until.Format(time.DateOnly))
	// Output: 2024-05-01 2024-05-08
}

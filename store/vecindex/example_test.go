package vecindex_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"lens/store"
	"lens/store/vecindex"
)

func Example() {
	dir, err := os.MkdirTemp("", "lens-example-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)

	path := filepath.Join(dir, "vectors.idx")
	err = vecindex.Write(path, vecindex.Contents{
		Dim: 2, Ords: []store.Ord{7, 8, 9}, Keys: []int64{1, 2, 3},
		Rows: func(yield func([]byte, error) bool) {
			for _, v := range [][]float32{{1, 0}, {0.6, 0.8}, {0, 1}} {
				if !yield(store.Halves(v), nil) {
					return
				}
			}
		},
	})
	if err != nil {
		panic(err)
	}

	index, err := vecindex.Open(path)
	if err != nil {
		panic(err)
	}
	defer index.Close()
	found, err := index.Search(context.Background(), []float32{0.6, 0.8}, vecindex.RowRange{Hi: index.Len()}, 2)
	for _, n := range found {
		fmt.Printf("turn %d %.2f\n", n.Ord, n.Similarity)
	}
	fmt.Println(err)
	// Output:
	// turn 8 1.00
	// turn 9 0.80
	// <nil>
}

package store_test

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// The rows of a window are contiguous, so that all reads can share them.
func ExampleCatalog_RowRange() {
	var rows []store.CatalogRow
	for i, day := range []string{"2024-05-03", "2023-11-20", "2024-05-01"} {
		sent, err := time.Parse(time.DateOnly, day)
		if err != nil {
			panic(err)
		}
		rows = append(rows, store.CatalogRow{Ord: store.Ord(i + 1), ID: uuid.New(), Time: store.Micros(sent)})
	}
	catalog := store.NewCatalog(1, rows)
	lo, hi := catalog.RowRange(store.Filter{Since: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)})
	for row := lo; row < hi; row++ {
		fmt.Println(catalog.Ord[row], store.FromMicros(catalog.Time[row]).Format(time.DateOnly))
	}
	// Output:
	// 3 2024-05-01
	// 1 2024-05-03
}

// Vectors are compared as they are stored: scaled to unit length and rounded to halves.
func ExampleDot() {
	stored, err := store.Unit([]float32{3, 4})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.3f\n", store.Dot([]float32{0, 1}, store.Halves(stored)))
	// Output: 0.800
}

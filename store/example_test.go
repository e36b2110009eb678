package store_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// The rows that a window lets through lie side by side, for all reads alike.
func ExampleCatalog_Window() {
	var rows []store.CatalogRow
	for i, day := range []string{"2024-05-03", "2023-11-20", "2024-05-01"} {
		asked, err := time.Parse(time.DateOnly, day)
		if err != nil {
			panic(err)
		}
		rows = append(rows, store.CatalogRow{Ord: store.Ord(i + 1), ID: uuid.New(), Time: store.Micros(asked)})
	}
	catalog := store.NewCatalog(1, rows)
	lo, hi := catalog.Window(store.Filter{Since: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)})
	for row := lo; row < hi; row++ {
		fmt.Println(catalog.Ord[row], store.FromMicros(catalog.Time[row]).Format(time.DateOnly))
	}
	// Output:
	// 3 2024-05-01
	// 1 2024-05-03
}

// Vectors are compared as they are stored: made unit length, in halves.
func ExampleDot() {
	stored, err := store.Unit([]float32{3, 4})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.3f\n", store.Dot([]float32{0, 1}, store.Halves(stored)))
	// Output: 0.800
}

// A face maps the code; a person reads the rest.
func ExampleError() {
	var err error = &store.Error{
		Code: store.CodeUnavailable, Op: "sqlite: update", Message: "lens import is writing to this archive", Hint: "Try again when it is done.",
	}
	fmt.Println(store.CodeOf(fmt.Errorf("summing up: %w", err)))
	var told *store.Error
	if errors.As(err, &told) {
		fmt.Println(told.Message)
		fmt.Println(told.Hint)
	}
	// Output:
	// unavailable
	// lens import is writing to this archive
	// Try again when it is done.
}

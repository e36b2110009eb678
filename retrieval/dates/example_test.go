package dates_test

import (
	"fmt"
	"time"

	"lens/retrieval/dates"
)

func ExampleFind() {
	now := time.Date(2024, time.May, 15, 0, 0, 0, 0, time.UTC)
	text := "What did we cook at Christmas 2022, and what last summer?"
	for _, e := range dates.Find(text, now, now) {
		fmt.Printf("%s (%s): %s to %s\n", text[e.From:e.To], e.Kind,
			e.Window.Since.Format(time.DateOnly), e.Window.Until.Format(time.DateOnly))
	}
	// Output:
	// Christmas 2022 (holiday): 2022-12-22 to 2023-01-10
}

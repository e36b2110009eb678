package zoom

import (
	"testing"
	"time"

	"lens/retrieval"
)

// Relative dates count back from the last turn, not from the end of its day.
func TestExtent_LastTurn(t *testing.T) {
	z := fiveYears()
	if got, want := z.Extent().Last, at(utc("2026-02-10 23:10")); !got.Equal(want) {
		t.Errorf("the last turn is of %v, want %v", got, want)
	}
	first, last := at(utc("2021-03-05 10:30")), at(utc("2026-03-01 09:00"))
	for name, view := range map[string]Zoom{"whole": z, "zoomed": z.Look(days("2024-01-01", "2024-02-01"))} {
		if got := view.Grow(&retrieval.Overview{First: &first, Last: &last}).Extent().Last; !got.Equal(last) {
			t.Errorf("%s: after an import the last turn is of %v, want %v", name, got, last)
		}
	}
	if got := (Zoom{}).Extent(); got.Width() != 0 || !got.Last.Equal(time.Time{}) {
		t.Errorf("without dates it is %v", got)
	}
}

package zoom

import "testing"

func TestJumps_FindBinsAndPeaks(t *testing.T) {
	counts := []int{0, 3, 1, 1, 4, 4, 2, 0, 0, 5}
	for from, want := range []int{1, 1, 2, 3, 4, 5, 6, 6, 9, 9} {
		if got := NearestFilled(counts, from); got != want {
			t.Errorf("the filled bin nearest to %d is %d, want %d", from, got, want)
		}
	}
	if got := Fullest(counts, 0); got != 9 {
		t.Errorf("the fullest bin is %d", got)
	}
	if empty := make([]int, 3); NearestFilled(empty, 1) != 1 || Fullest(empty, 1) != 1 {
		t.Error("without counts, the cursor moves")
	}
	for name, c := range map[string]struct {
		jump             func([]int, int, int) int
		from, step, want int
	}{
		"the next filled bin":       {NextFilled, 6, 1, 9},
		"the previous filled bin":   {NextFilled, 9, -1, 6},
		"none before the first":     {NextFilled, 1, -1, 1},
		"the next peak":             {NextPeak, 1, 1, 4},
		"a plateau counts once":     {NextPeak, 4, 1, 9},
		"the previous peak":         {NextPeak, 9, -1, 4},
		"a first bin can be a peak": {NextPeak, 4, -1, 1},
		"no further peak":           {NextPeak, 9, 1, 9},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.jump(counts, c.from, c.step); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

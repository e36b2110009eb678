package app

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestHistory_QuickStepsAreOnePlace(t *testing.T) {
	var h history[int]
	now := time.Unix(0, 0)
	h.push(1)
	h.step(2, now)
	h.step(3, now.Add(coalesce/2))
	h.step(4, now.Add(2*coalesce))
	if got := h.past(); !slices.Equal(got, []int{1, 3, 4}) {
		t.Errorf("past is %v", got)
	}
}

// Compares the history with a plain list and an index.
func TestHistory_BackAndForward(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h history[int]
		var model []int
		at := -1
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				n := rapid.Int().Draw(t, "place")
				h.push(n)
				model, at = append(model[:at+1], n), at+1
			},
			"back": func(t *rapid.T) {
				got, ok := h.back()
				if ok != (at > 0) {
					t.Fatalf("back from %d: %v", at, ok)
				}
				if ok {
					if at--; got != model[at] {
						t.Fatalf("back to %d, want %d", got, model[at])
					}
				}
			},
			"forward": func(t *rapid.T) {
				got, ok := h.forward()
				if ok != (at+1 < len(model)) {
					t.Fatalf("forward from %d of %d: %v", at, len(model), ok)
				}
				if ok {
					if at++; got != model[at] {
						t.Fatalf("forward to %d, want %d", got, model[at])
					}
				}
			},
			"": func(t *rapid.T) {
				if !slices.Equal(h.past(), model[:at+1]) {
					t.Fatalf("past %v, want %v", h.past(), model[:at+1])
				}
			},
		})
	})
}

package tui

import "time"

// coalesce is how soon after another a pan or a zoom by steps becomes one entry with it.
const coalesce = 500 * time.Millisecond

// history is a line of places to go back and forward on. The zero value is empty; the first push is where it begins.
type history[T any] struct {
	places []T
	at     int
	steps  bool // the last push was a step
	when   time.Time
}

// push goes to a new place and forgets what was forward of the old one.
func (h *history[T]) push(place T) {
	if len(h.places) > 0 {
		h.places = h.places[:h.at+1]
	}
	h.places = append(h.places, place)
	h.at, h.steps = len(h.places)-1, false
}

// step pushes, or replaces the place when the last one was a step of a moment ago.
func (h *history[T]) step(place T, now time.Time) {
	if h.steps && h.at == len(h.places)-1 && now.Sub(h.when) < coalesce {
		h.replace(place)
	} else {
		h.push(place)
	}
	h.steps, h.when = true, now
}

// replace changes the place at hand.
func (h *history[T]) replace(place T) {
	if len(h.places) > 0 {
		h.places[h.at] = place
	}
}

// back returns the place before, false at the first.
func (h *history[T]) back() (place T, ok bool) { return h.to(h.at - 1) }

// forward returns the place that back left, false at the last.
func (h *history[T]) forward() (place T, ok bool) { return h.to(h.at + 1) }

func (h *history[T]) to(at int) (place T, ok bool) {
	if at < 0 || at >= len(h.places) {
		return place, false
	}
	h.at, h.steps = at, false
	return h.places[at], true
}

// past returns the places up to the one at hand, oldest first.
func (h *history[T]) past() []T {
	if len(h.places) == 0 {
		return nil
	}
	return h.places[:h.at+1]
}

package app

import "time"

// coalesce is the interval in which repeated pans and zooms merge into one entry.
const coalesce = 500 * time.Millisecond

// history is a list of places to go back and forward in. The zero value is empty.
type history[T any] struct {
	places []T
	at     int
	steps  bool // the last push was a step
	when   time.Time
}

// push adds a place and drops everything after the current one.
func (h *history[T]) push(place T) {
	if len(h.places) > 0 {
		h.places = h.places[:h.at+1]
	}
	h.places = append(h.places, place)
	h.at, h.steps = len(h.places)-1, false
}

// step is push, but replaces the current place if that was a step less than coalesce ago.
func (h *history[T]) step(place T, now time.Time) {
	if h.steps && h.at == len(h.places)-1 && now.Sub(h.when) < coalesce {
		h.replace(place)
	} else {
		h.push(place)
	}
	h.steps, h.when = true, now
}

// replace changes the current place.
func (h *history[T]) replace(place T) {
	if len(h.places) > 0 {
		h.places[h.at] = place
	}
}

// back moves to the previous place; false at the first.
func (h *history[T]) back() (place T, ok bool) { return h.to(h.at - 1) }

// forward moves to the next place; false at the last.
func (h *history[T]) forward() (place T, ok bool) { return h.to(h.at + 1) }

func (h *history[T]) to(at int) (place T, ok bool) {
	if !h.leads(at - h.at) {
		return place, false
	}
	h.at, h.steps = at, false
	return h.places[at], true
}

// leads reports whether there is a place so many steps on, or back if by is negative.
func (h *history[T]) leads(by int) bool { return 0 <= h.at+by && h.at+by < len(h.places) }

// past returns the places up to the current one, oldest first.
func (h *history[T]) past() []T {
	if len(h.places) == 0 {
		return nil
	}
	return h.places[:h.at+1]
}

// latest returns the most recent places, at most n, and the index of the current one.
func (h *history[T]) latest(n int) (places []T, at int) {
	cut := max(0, len(h.places)-n)
	return h.places[cut:], max(0, h.at-cut)
}

// restore replaces all places.
func (h *history[T]) restore(places []T, at int) { *h = history[T]{places: places, at: at} }

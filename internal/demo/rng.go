package demo

import (
	"math/rand/v2"

	"github.com/google/uuid"
)

// rng generates the same random numbers on every machine and with every Go version. It uses only PCG itself, whose
// output Go guarantees, and none of the library's functions on top of it.
type rng struct{ source *rand.PCG }

func newRNG(seed, stream uint64) *rng { return &rng{rand.NewPCG(seed, stream)} }

// upTo returns a number from 0 to n-1.
func (r *rng) upTo(n int) int { return int(r.source.Uint64() % uint64(n)) }

// between returns a number from lo to hi.
func (r *rng) between(lo, hi int) int { return lo + r.upTo(hi-lo+1) }

// chance returns true with a probability of percent/100.
func (r *rng) chance(percent int) bool { return r.upTo(100) < percent }

// id returns a random UUID.
func (r *rng) id() string {
	var id uuid.UUID
	for i := range id {
		id[i] = byte(r.source.Uint64() >> 32)
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id.String()
}

// pick returns a random element.
func pick[T any](r *rng, from []T) T { return from[r.upTo(len(from))] }

// shuffled returns a shuffled copy.
func shuffled[T any](r *rng, from []T) []T {
	out := append([]T(nil), from...)
	for i := len(out) - 1; i > 0; i-- {
		j := r.upTo(i + 1)
		out[i], out[j] = out[j], out[i]
	}
	return out
}

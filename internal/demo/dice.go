package demo

import (
	"math/rand/v2"

	"github.com/google/uuid"
)

// dice are random numbers that are the same everywhere: only the generator is taken from the library, whose algorithm is
// promised never to change.
type dice struct{ source *rand.PCG }

func newDice(seed, stream uint64) *dice { return &dice{rand.NewPCG(seed, stream)} }

// upTo returns one of 0 to n-1.
func (d *dice) upTo(n int) int { return int(d.source.Uint64() % uint64(n)) }

// between returns one of lo to hi.
func (d *dice) between(lo, hi int) int { return lo + d.upTo(hi-lo+1) }

// chance comes true percent times of a hundred.
func (d *dice) chance(percent int) bool { return d.upTo(100) < percent }

func (d *dice) id() string {
	var id uuid.UUID
	for i := range id {
		id[i] = byte(d.source.Uint64() >> 32)
	}
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id.String()
}

func pick[T any](d *dice, from []T) T { return from[d.upTo(len(from))] }

func shuffled[T any](d *dice, from []T) []T {
	out := append([]T(nil), from...)
	for i := len(out) - 1; i > 0; i-- {
		j := d.upTo(i + 1)
		out[i], out[j] = out[j], out[i]
	}
	return out
}

package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lens/store"
)

// leastRecall is the share of the nearest that must be found where a window is wider than store.ExactWindow and nobody has made an index.
const leastRecall = 0.999

// nearestOfAnyWindow asks for the nearest of random windows, some below store.ExactWindow and some above.
func nearestOfAnyWindow(t *testing.T, a *archive) {
	const n, dim = 3000, 1024
	r := rand.New(rand.NewPCG(dim, n))
	var turns []store.Turn
	for _, c := range a.put(t, talks(n)...) {
		turns = append(turns, c.Turns...)
	}
	a.embed(t, a.generation(t, dim, true), turns...)
	asked, missed := 0, 0
	for i := range 24 {
		from := r.IntN(n)
		f := store.Filter{Since: at(from), Until: at(from + 1 + r.IntN(n)), AllBranches: r.IntN(2) == 0}
		if i%4 == 0 {
			f = store.Filter{AllBranches: f.AllBranches}
		}
		passing := slices.DeleteFunc(slices.Clone(turns), func(turn store.Turn) bool { return !passes(turn, f) })
		query, k := vectorOf(dim, fmt.Sprint("query ", i)), 1+r.IntN(200)
		all := exactly(query, passing, len(passing))
		wanted := all[:min(k, len(all))]
		found, err := a.Nearest(t.Context(), query, f, k)
		must(t, err)
		if len(passing) <= store.ExactWindow && !slices.Equal(found, wanted) {
			t.Errorf("%d of %d turns: got %v, want %v", k, len(passing), found, wanted)
		}
		if len(found) != len(wanted) || !isPartOf(found, all) {
			t.Errorf("%d of %d turns: %d found, or in a wrong order, or with a wrong similarity: %v", k, len(passing), len(found), found)
		}
		asked, missed = asked+len(wanted), missed+len(wanted)-shared(found, wanted)
	}
	if recall := 1 - float64(missed)/float64(asked); recall < leastRecall {
		t.Errorf("recall %.4f of %d", recall, asked)
	}
}

// passes reports whether f, without a conversation, lets a dated turn through.
func passes(turn store.Turn, f store.Filter) bool {
	return (turn.OnPath || f.AllBranches) && !turn.Time.Before(f.Since) && (f.Until.IsZero() || turn.Time.Before(f.Until))
}

// isPartOf reports whether all that is in found is in all too, in the same order.
func isPartOf(found, all []store.Neighbor) bool {
	for _, n := range found {
		i := slices.Index(all, n)
		if i < 0 {
			return false
		}
		all = all[i+1:]
	}
	return true
}

// shared counts what both lists hold.
func shared(a, b []store.Neighbor) (n int) {
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}

package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lens/store"
)

// minRecall is the required recall for a window wider than store.ExactWindow without a vector index.
const minRecall = 0.999

// nearestOfAnyWindow searches random windows, some of fewer turns than store.ExactWindow and some of
// more.
func nearestOfAnyWindow(t *testing.T, a *archive) {
	const n, dim = 3000, 1024
	r := rand.New(rand.NewPCG(dim, n))
	var turns []store.Turn
	for _, c := range a.put(t, hourlyChats(n)...) {
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
		if share := 2 + r.IntN(9); i%3 == 0 {
			f.Ords = new(store.OrdSet)
			for j := range turns {
				if j%share != 0 {
					f.Ords.Add(turns[j].Ord)
				}
			}
		}
		eligible := slices.DeleteFunc(slices.Clone(turns), func(turn store.Turn) bool { return !matches(turn, f) })
		query, k := vectorOf(dim, fmt.Sprint("query ", i)), 1+r.IntN(200)
		all := exactNearest(query, eligible, len(eligible))
		wanted := all[:min(k, len(all))]
		found, err := a.Nearest(t.Context(), query, f, k)
		must(t, err)
		if len(eligible) <= store.ExactWindow && !slices.Equal(found, wanted) {
			t.Errorf("%d of %d turns: got %v, want %v", k, len(eligible), found, wanted)
		}
		if len(found) != len(wanted) || !isPartOf(found, all) {
			t.Errorf("%d of %d turns: got %d with a wrong number, order or similarity: %v", k, len(eligible), len(found), found)
		}
		asked, missed = asked+len(wanted), missed+len(wanted)-shared(found, wanted)
	}
	if recall := 1 - float64(missed)/float64(asked); recall < minRecall {
		t.Errorf("recall %.4f of %d, want at least %.4f", recall, asked, minRecall)
	}
}

// matches reports whether f, which names no conversation, matches a dated turn.
func matches(turn store.Turn, f store.Filter) bool {
	return (f.Ords == nil || f.Ords.Has(turn.Ord)) && (turn.OnPath || f.AllBranches) &&
		!turn.Time.Before(f.Since) && (f.Until.IsZero() || turn.Time.Before(f.Until))
}

// isPartOf reports whether found is a subsequence of all.
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

// shared counts the common elements of both lists.
func shared(a, b []store.Neighbor) (n int) {
	for _, x := range a {
		if slices.Contains(b, x) {
			n++
		}
	}
	return n
}

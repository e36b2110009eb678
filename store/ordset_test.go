package store_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lens/store"
)

func TestOrdSet_AgreesWithList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ords := rapid.SliceOf(rapid.Custom(func(t *rapid.T) store.Ord {
			return store.Ord(rapid.Uint32Range(0, 300).Draw(t, "ord"))
		}))
		a, b := ords.Draw(t, "a"), ords.Draw(t, "b")
		var both, without, other store.OrdSet
		both.Add(a...)
		without.Add(a...)
		other.Add(b...)
		both.And(&other)
		without.AndNot(&other)
		for ord := range store.Ord(400) {
			inA, inB := slices.Contains(a, ord), slices.Contains(b, ord)
			if other.Has(ord) != inB || both.Has(ord) != (inA && inB) || without.Has(ord) != (inA && !inB) {
				t.Fatalf("%d: in a %t, in b %t, but has %t, and %t, and not %t",
					ord, inA, inB, other.Has(ord), both.Has(ord), without.Has(ord))
			}
		}
		both.Add(b...) // after it has shrunk
		for _, ord := range b {
			if !both.Has(ord) {
				t.Fatalf("%d was added in vain", ord)
			}
		}
	})
}

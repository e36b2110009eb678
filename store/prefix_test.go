package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/store"
)

func ExamplePrefixRange() {
	first, last, ok := store.PrefixRange("6c656e73-00")
	fmt.Println(first, last, ok)
	// Output: 6c656e73-0000-0000-0000-000000000000 6c656e73-00ff-ffff-ffff-ffffffffffff true
}

func TestPrefixRange_ValidPrefixes(t *testing.T) {
	for prefix, want := range map[string]bool{
		"": true, "0": true, "6c656e73": true, "6c656e73-": true, "6c656e73-0000-5000-8000-7475726e6964": true,
		"6C656E73": false, "6c656e730": false, "6c65-": false, "xyz": false, "%": false,
		"6c656e73-0000-5000-8000-7475726e69640": false,
	} {
		if _, _, ok := store.PrefixRange(prefix); ok != want {
			t.Errorf("%q: got %v, want %v", prefix, ok, want)
		}
	}
}

func TestPrefixRange_ContainsExactlyTheIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id, other := randomID(t, "id"), randomID(t, "other")
		prefix := id.String()[:rapid.IntRange(0, 36).Draw(t, "length")]
		first, last, ok := store.PrefixRange(prefix)
		if !ok {
			t.Fatalf("no range for %q", prefix)
		}
		for _, x := range []uuid.UUID{id, other, first, last} {
			inside := x.String() >= first.String() && x.String() <= last.String()
			if begins := strings.HasPrefix(x.String(), prefix); begins != inside {
				t.Fatalf("%v begins with %q: %v; lies in its range: %v", x, prefix, begins, inside)
			}
		}
	})
}

func randomID(t *rapid.T, label string) (id uuid.UUID) {
	copy(id[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, label))
	return id
}

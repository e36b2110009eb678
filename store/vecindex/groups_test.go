package vecindex

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"lens/internal/simd"
	"lens/store/vecindex/vectest"
)

// signsShape has a plane of signs, and a last group that is not full.
var signsShape = shapes[2]

func published(tb testing.TB) []byte {
	tb.Helper()
	source := vectest.New(uint64(signsShape.rows), signsShape.dim)
	file, err := EncodePublished(contents(source, signsShape.dim, signsShape.rows))
	must(tb, err)
	return file
}

// Readers that are deployed know no groups.
func TestEncodePublished_HoldsRows(t *testing.T) {
	x, _ := inMemory(t, signsShape.dim, signsShape.rows)
	file := published(t)
	p, err := decode(file)
	must(t, err)
	if file[8] != 4 || file[20] != 1 || !bytes.Equal(p.plane.codes.data, x.plane.codes.data) {
		t.Error("signs are not stored row by row")
	}
}

func TestGroups_CopiedOnceByManySearches(t *testing.T) {
	x, err := Decode(published(t))
	must(t, err)
	query := vectest.New(1, x.Dim).Query()
	wanted := naive(x, query, RowRange{Hi: x.Len()}, 10)
	var searches sync.WaitGroup
	for range 8 {
		searches.Go(func() {
			found, err := x.Search(t.Context(), query, RowRange{Hi: x.Len()}, 10)
			if err != nil || !slices.Equal(found, wanted) {
				t.Errorf("got %v, %v, want %v", found, err, wanted)
			}
		})
	}
	searches.Wait()
	copied := x.plane.groups.data
	must(t, x.Close())
	if !bytes.Equal(copied, make([]byte, len(copied))) {
		t.Error("signs are left in memory")
	}
}

func TestGroups_With(t *testing.T) {
	const width = 16
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([][]uint64, 200)
	for i := range rows {
		rows[i] = []uint64{r.Uint64(), r.Uint64()}
	}
	all := &groups{rowBytes: width, data: make([]byte, 0, len(rows)*width)} // there is room for more behind
	for n := 0; n < len(rows); {
		before, kept := all, slices.Clone(all.data)
		to := min(n+1+r.IntN(50), len(rows))
		all = all.with(n, rows[n:to])
		if !bytes.Equal(before.data, kept) {
			t.Fatalf("rows %d to %d changed the groups of those before", n, to)
		}
		n = to
		stored := make([]byte, n*width)
		for i, row := range rows[:n] {
			copy(view[uint64](stored[i*width:]), row)
		}
		wanted := make([]byte, wholeGroups(n)*width)
		simd.Group(wanted, stored, width)
		if !bytes.Equal(all.data, wanted) {
			t.Fatalf("%d rows: other groups", n)
		}
	}
}

func TestRowRange_Bits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 700).Draw(t, "rows")
		w := RowRange{Lo: rapid.IntRange(0, n).Draw(t, "lo"), Hi: rapid.IntRange(0, n).Draw(t, "hi")}
		if rapid.Bool().Draw(t, "filtered") {
			w.Keep = NewSet(n)
			for _, row := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(t, "set") {
				w.Keep.Add(row)
			}
		}
		for lo := 0; lo < n; lo += maxAdded {
			bits := make([]uint64, maxAdded/64)
			any, has, compared := w.bits(bits, lo), false, map[int]bool{}
			last := -1
			for from, to := range runsOfGroups(bits) {
				if from%simd.GroupRows != 0 || to%simd.GroupRows != 0 || from >= to || from <= last {
					t.Fatalf("groups %d to %d after %d", from, to, last)
				}
				for at := from; at < to; at++ {
					compared[at/simd.GroupRows] = true
				}
				last = to
			}
			wanted := map[int]bool{}
			for at := range maxAdded {
				row := lo + at
				in := row >= w.Lo && row < w.Hi && (w.Keep == nil || w.Keep.Has(row))
				if got := bits[at/64]>>(at%64)&1 == 1; got != in {
					t.Fatalf("row %d is %v, want %v", row, got, in)
				}
				if in {
					has, wanted[at/simd.GroupRows] = true, true
				}
			}
			if any != has || len(wanted) != len(compared) {
				t.Fatalf("any %v, want %v; groups %v, want %v", any, has, compared, wanted)
			}
		}
	})
}

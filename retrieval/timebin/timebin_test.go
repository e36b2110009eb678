package timebin

import (
	"slices"
	"testing"
	"time"

	"lens/internal/errs"

	"pgregory.net/rapid"
)

var everyBin = []Bin{{Hour, 1}, {Hour, 6}, {Hour, 7}, {Day, 1}, {Day, 3}, {Week, 1}, {Month, 1}, {Quarter, 1}, {Year, 1}}

func at(s string) int64 {
	t, err := time.Parse("2006-01-02 15:04:05", s)
	if err != nil {
		panic(err)
	}
	return t.Unix()
}

func TestBin_FloorAndNext(t *testing.T) {
	for _, c := range []struct {
		name, bin, time, floor, next string
	}{
		{"an hour", "hour", "2024-05-03 14:59:59", "2024-05-03 14:00:00", "2024-05-03 15:00:00"},
		{"the second before 1970 is in the hour before", "hour", "1969-12-31 23:59:59", "1969-12-31 23:00:00", "1970-01-01 00:00:00"},
		{"a day", "day", "2024-02-29 23:00:00", "2024-02-29 00:00:00", "2024-03-01 00:00:00"},
		{"a day before 1970", "day", "1969-12-31 00:00:01", "1969-12-31 00:00:00", "1970-01-01 00:00:00"},
		{"a Sunday belongs to the week of the Monday before", "week", "2024-05-05 23:59:59", "2024-04-29 00:00:00", "2024-05-06 00:00:00"},
		{"a Monday opens its week", "week", "2024-05-06 00:00:00", "2024-05-06 00:00:00", "2024-05-13 00:00:00"},
		{"the epoch is a Thursday", "week", "1970-01-01 00:00:00", "1969-12-29 00:00:00", "1970-01-05 00:00:00"},
		{"a leap February", "month", "2024-02-15 00:00:00", "2024-02-01 00:00:00", "2024-03-01 00:00:00"},
		{"December", "month", "1969-12-15 00:00:00", "1969-12-01 00:00:00", "1970-01-01 00:00:00"},
		{"a quarter", "quarter", "2024-06-30 23:59:59", "2024-04-01 00:00:00", "2024-07-01 00:00:00"},
		{"a quarter before 1970", "quarter", "1969-02-01 00:00:00", "1969-01-01 00:00:00", "1969-04-01 00:00:00"},
		{"a year", "year", "1968-12-31 00:00:00", "1968-01-01 00:00:00", "1969-01-01 00:00:00"},
		{"three days count from the epoch", "3d", "1970-01-05 12:00:00", "1970-01-04 00:00:00", "1970-01-07 00:00:00"},
		{"three days before the epoch", "3d", "1969-12-31 12:00:00", "1969-12-29 00:00:00", "1970-01-01 00:00:00"},
		{"two weeks from a Monday", "2w", "1970-01-12 12:00:00", "1970-01-05 00:00:00", "1970-01-19 00:00:00"},
		{"two weeks before that", "2w", "1970-01-01 12:00:00", "1969-12-22 00:00:00", "1970-01-05 00:00:00"},
		{"five minutes", "5min", "2024-05-03 14:59:59", "2024-05-03 14:55:00", "2024-05-03 15:00:00"},
		{"15 minutes before 1970", "15min", "1969-12-31 23:50:00", "1969-12-31 23:45:00", "1970-01-01 00:00:00"},
		{"two months from an odd one", "2mo", "2024-06-30 12:00:00", "2024-05-01 00:00:00", "2024-07-01 00:00:00"},
		{"half-years by name", "half", "2024-03-01 00:00:00", "2024-01-01 00:00:00", "2024-07-01 00:00:00"},
		{"half-years", "6mo", "2024-07-01 00:00:00", "2024-07-01 00:00:00", "2025-01-01 00:00:00"},
		{"five years from a multiple of five", "5y", "1969-12-31 12:00:00", "1965-01-01 00:00:00", "1970-01-01 00:00:00"},
		{"six hours", "6h", "2024-05-03 14:00:00", "2024-05-03 12:00:00", "2024-05-03 18:00:00"},
	} {
		bin, err := Parse(c.bin)
		if err != nil {
			t.Fatal(err)
		}
		if got := bin.Floor(at(c.time)); got != at(c.floor) {
			t.Errorf("%s: floor is %s", c.name, time.Unix(got, 0).UTC())
		}
		if got := bin.Next(at(c.floor)); got != at(c.next) {
			t.Errorf("%s: next is %s", c.name, time.Unix(got, 0).UTC())
		}
	}
}

func TestBin_EveryTimeInOneBin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bin := rapid.SampledFrom(everyBin).Draw(t, "bin")
		when := rapid.Int64Range(-1<<45, 1<<45).Draw(t, "time")
		start := bin.Floor(when)
		next := bin.Next(start)
		if start > when || when >= next {
			t.Fatalf("%v: %d is not in [%d, %d)", bin, when, start, next)
		}
		if bin.Floor(start) != start || bin.Floor(next-1) != start || bin.Floor(next) != next {
			t.Fatalf("%v: the edges around %d do not agree", bin, when)
		}
	})
}

func TestEdges_ContiguousAndCovering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bin := rapid.SampledFrom(everyBin).Draw(t, "bin")
		lo := rapid.Int64Range(-1<<34, 1<<34).Draw(t, "lo")
		hi := lo + rapid.Int64Range(1, 3*365*day).Draw(t, "length")
		edges, err := bin.Edges(lo, hi)
		if err != nil {
			t.Fatal(err)
		}
		last := len(edges) - 1
		if edges[0] > lo || edges[1] <= lo || edges[last] < hi || edges[last-1] >= hi {
			t.Fatalf("%v: %d edges do not fit [%d, %d)", bin, len(edges), lo, hi)
		}
		for i := range last {
			if bin.Next(edges[i]) != edges[i+1] {
				t.Fatalf("%v: a gap after %d", bin, edges[i])
			}
		}
		if n := bin.NumBins(lo, hi-1); n != int64(last) {
			t.Fatalf("%v: NumBins is %d, but Edges made %d", bin, n, last)
		}
	})
}

func TestCount_EqualsNaiveCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		edges := rapid.SliceOfNDistinct(rapid.Int64Range(-50, 50), 0, 12, rapid.ID[int64]).Draw(t, "edges")
		times := rapid.SliceOf(rapid.Int64Range(-60, 60)).Draw(t, "times")
		slices.Sort(edges)
		slices.Sort(times)
		var want []int
		for i := 1; i < len(edges); i++ {
			n := 0
			for _, when := range times {
				if edges[i-1] <= when && when < edges[i] {
					n++
				}
			}
			want = append(want, n)
		}
		if got := Count(edges, times); !slices.Equal(got, want) {
			t.Fatalf("%v in %v: got %v, want %v", times, edges, got, want)
		}
	})
}

func TestAuto_FinestUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Int64Range(-1<<33, 1<<33).Draw(t, "first")
		last := first + rapid.Int64Range(0, 1<<rapid.IntRange(0, 33).Draw(t, "bits")).Draw(t, "length")
		most := rapid.IntRange(1, 200).Draw(t, "most")
		bin := Auto(first, last, most)
		if bin.Unit != Year && bin.NumBins(first, last) > int64(most) {
			t.Fatalf("%v makes %d bins, %d allowed", bin, bin.NumBins(first, last), most)
		}
		if finer, ok := bin.Finer(); ok && finer.NumBins(first, last) <= int64(most) {
			t.Fatalf("%v was taken though %v fits", bin, finer)
		}
	})
}

func TestEdges_TooManyBins(t *testing.T) {
	for _, c := range []struct {
		name   string
		bin    Bin
		lo, hi int64
	}{
		{"hours over a thousand years", Bin{Hour, 1}, at("1000-01-01 00:00:00"), at("2024-01-01 00:00:00")},
		{"the whole of int64", Bin{Year, 1}, -1 << 63, 1<<63 - 1},
	} {
		if _, err := c.bin.Edges(c.lo, c.hi); errs.CodeOf(err) != errs.Invalid {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	if edges, err := (Bin{Day, 1}).Edges(5, 5); len(edges) > 0 || err != nil {
		t.Errorf("an empty stretch has edges %v, %v", edges, err)
	}
	for _, bin := range everyBin {
		for _, when := range []int64{-1 << 63, 1<<63 - 1} {
			if start := bin.Floor(when); bin.Next(start) <= start {
				t.Errorf("%v stands still at %d", bin, when)
			}
		}
	}
}

func TestBin_FinerAndCoarser(t *testing.T) {
	for _, c := range []struct {
		bin, finer, coarser string
	}{
		{"hour", "", "day"},
		{"day", "hour", "week"},
		{"week", "day", "month"},
		{"month", "week", "quarter"},
		{"quarter", "month", "year"},
		{"year", "quarter", ""},
		{"6h", "hour", "day"},
		{"3d", "day", "week"},
		{"10d", "week", "month"},
		{"400d", "year", ""},
		{"auto", "", ""},
	} {
		bin, _ := Parse(c.bin)
		if got, ok := bin.Finer(); ok != (c.finer != "") || ok && got.String() != c.finer {
			t.Errorf("below %s is %s, %v", c.bin, got, ok)
		}
		if got, ok := bin.Coarser(); ok != (c.coarser != "") || ok && got.String() != c.coarser {
			t.Errorf("above %s is %s, %v", c.bin, got, ok)
		}
	}
}

func TestBin_Label(t *testing.T) {
	when := at("2024-05-03 14:10:00")
	for bin, want := range map[string]string{
		"hour": "2024-05-03 14:00", "6h": "2024-05-03 12:00", "day": "2024-05-03", "week": "2024-04-29", "month": "2024-05",
		"quarter": "2024-Q2", "year": "2024", "5min": "2024-05-03 14:10", "15min": "2024-05-03 14:00",
	} {
		b, _ := Parse(bin)
		if got := b.Label(when); got != want {
			t.Errorf("%s: %q, want %q", bin, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "auto", "hour", " Week ", "3d", "6h", "1d", "2w", "6mo", "5y", "0d", "-3d", "99999999h", "d", "mo", "3m", "3om", "éd", "15min", "5MIN", "half", "3mi", "nim"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		bin, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(bin.String())
		if err != nil || again != bin {
			t.Fatalf("%q is %v, and that is %v, %v", s, bin, again, err)
		}
		if !bin.IsAuto() && bin.Next(bin.Floor(0)) <= 0 {
			t.Fatalf("%v has no future", bin)
		}
	})
}

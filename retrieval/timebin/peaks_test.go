package timebin

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// profile draws the baselines of some bins.
func profile(t *rapid.T) []int {
	return rapid.SliceOfN(rapid.IntRange(0, 400), 6, 40).Draw(t, "baselines")
}

func TestUpperTail_Hypergeometric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.IntRange(1, 120).Draw(t, "all")
		matches := rapid.IntRange(0, all).Draw(t, "matches")
		n := rapid.IntRange(0, all).Draw(t, "n")
		count := rapid.IntRange(0, n+1).Draw(t, "count")
		draws := new(big.Int)
		for k := count; k <= min(n, matches); k++ {
			if n-k <= all-matches {
				ways := new(big.Int).Mul(choose(matches, k), choose(all-matches, n-k))
				draws.Add(draws, ways)
			}
		}
		want, _ := new(big.Rat).SetFrac(draws, choose(all, n)).Float64()
		if got := upperTail(count, n, matches, all); math.Abs(got-want) > 1e-11+1e-10*want {
			t.Fatalf("%v, exactly %v", got, want)
		}
	})
}

func choose(n, k int) *big.Int { return new(big.Int).Binomial(int64(n), int64(k)) }

func TestPeaks_BusyBin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		baselines := profile(t)
		counts := make([]int, len(baselines))
		of := rapid.IntRange(1, 50).Draw(t, "one in")
		for i := range baselines {
			baselines[i] *= of
			counts[i] = baselines[i] / of
		}
		if peaks := Peaks(counts, baselines, Outside{}); peaks != nil {
			t.Fatalf("every bin has the same share, and %+v", peaks)
		}
	})
}

func TestPeaks_PlantedPeak(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		baselines := profile(t)
		counts := make([]int, len(baselines))
		at := rapid.IntRange(0, len(baselines)-1).Draw(t, "at")
		for i := range baselines {
			baselines[i] = 200 + baselines[i]
			counts[i] = baselines[i] / 100
		}
		counts[at] = baselines[at] / 4
		peaks := Peaks(counts, baselines, Outside{})
		if len(peaks) != 1 || peaks[0].From != at || peaks[0].To != at+1 || peaks[0].Count != counts[at] || peaks[0].Baseline != baselines[at] {
			t.Fatalf("burst in %d: %+v", at, peaks)
		}
	})
}

func TestPeaks_RandomMatches(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const archives = 2000
	wrong := 0
	for range archives {
		baselines, counts := make([]int, 48), make([]int, 48)
		var turns []int
		for i := range baselines {
			baselines[i] = random.IntN(100)
			for range baselines[i] {
				turns = append(turns, i)
			}
		}
		random.Shuffle(len(turns), func(i, j int) { turns[i], turns[j] = turns[j], turns[i] })
		for _, i := range turns[:min(100, len(turns))] {
			counts[i]++
		}
		if Peaks(counts, baselines, Outside{}) != nil {
			wrong++
		}
	}
	if wrong > archives/100 {
		t.Errorf("%d of %d archives without a peak have one", wrong, archives)
	}
}

func TestPeaks_TurnsOutside(t *testing.T) {
	counts, baselines := []int{4, 4, 4}, []int{20, 20, 20}
	if peaks := Peaks(counts, baselines, Outside{}); peaks != nil {
		t.Errorf("without anything beyond: %+v", peaks)
	}
	peaks := Peaks(counts, baselines, Outside{Turns: 5000, Bins: 60})
	if len(peaks) != 1 || peaks[0].From != 0 || peaks[0].To != 3 || peaks[0].Count != 12 || peaks[0].Baseline != 60 {
		t.Fatalf("three bins that stand out side by side are one peak, not %+v", peaks)
	}
	if want := 12.0 * 60 / 5060; math.Abs(peaks[0].Expected-want) > 1e-12 {
		t.Errorf("expected %v, not %v", peaks[0].Expected, want)
	}
}

func TestPeaks_MoreBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		baselines := profile(t)
		counts := make([]int, len(baselines))
		for i := range counts {
			counts[i] = rapid.IntRange(0, baselines[i]).Draw(t, "count")
		}
		few := Peaks(counts, baselines, Outside{Turns: 1000, Bins: 10})
		many := Peaks(counts, baselines, Outside{Turns: 1000, Bins: 1000})
		for _, p := range many {
			if !slices.ContainsFunc(few, func(q Peak) bool { return q.From <= p.From && p.To <= q.To && q.P <= p.P }) {
				t.Fatalf("%+v is a peak among many bins but not among few: %+v", p, few)
			}
		}
	})
}

// With equal shares, more turns make the same burst more certain and do not move it.
func TestPeaks_ScaledArchive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		baselines := profile(t)
		counts := make([]int, len(baselines))
		for i := range counts {
			counts[i] = rapid.IntRange(0, baselines[i]).Draw(t, "count")
		}
		small := Peaks(counts, baselines, Outside{})
		for i := range counts {
			counts[i], baselines[i] = 3*counts[i], 3*baselines[i]
		}
		for _, p := range small {
			large := Peaks(counts, baselines, Outside{})
			if !slices.ContainsFunc(large, func(q Peak) bool { return q.From <= p.From && p.To <= q.To && q.P <= p.P }) {
				t.Fatalf("%+v is lost in an archive of three times the size: %+v", p, large)
			}
		}
	})
}

func TestPeaks_FewMatches(t *testing.T) {
	if peaks := Peaks([]int{2, 0}, []int{2, 0}, Outside{Turns: 100_000, Bins: 60}); peaks != nil {
		t.Errorf("two matches: %+v", peaks)
	}
	if peaks := Peaks([]int{3, 0}, []int{0, 0}, Outside{Turns: 100_000, Bins: 60}); len(peaks) != 1 {
		t.Errorf("three matches that the baseline lacks: %+v", peaks)
	}
	if peaks := Peaks(nil, nil, Outside{}); peaks != nil {
		t.Errorf("no bins: %+v", peaks)
	}
}

func TestContrast_Shares(t *testing.T) {
	if p := Contrast(10, 100, 10, 100); p != 1 {
		t.Errorf("equal shares: %v", p)
	}
	if p := Contrast(0, 0, 0, 0); p != 1 {
		t.Errorf("nothing: %v", p)
	}
	few, many := Contrast(5, 100, 15, 100), Contrast(50, 1000, 150, 1000)
	if few < 0.01 || few > 0.1 || many > 1e-10 {
		t.Errorf("a threefold share: %v of 200 turns, %v of 2,000", few, many)
	}
	if a, b := Contrast(5, 100, 15, 90), Contrast(15, 90, 5, 100); math.Abs(a-b) > 1e-12 {
		t.Errorf("%v one way, %v the other", a, b)
	}
}

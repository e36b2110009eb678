package timebin

import (
	"cmp"
	"math"
	"slices"
)

// The rules of a peak.
const (
	peakLevel = 0.01 // of all bins together: the probability of a false peak in an archive without peaks
	peakCount = 3    // fewer matches are never a peak, however few other turns there are
	peakLift  = 1.5  // share of the bin over the total share: less is not worth showing, however certain
)

// Peak is a range of bins [From, To) that holds more matches than its baseline explains.
type Peak struct {
	From, To int
	Count    int
	Baseline int
	Expected float64 // of Count, were matches spread like the baseline
	P        float64 // of its clearest bin, corrected for the number of tested bins
}

// Outside is the baseline outside of the bins, where nothing was counted.
type Outside struct {
	Turns int
	Bins  int // with such turns, at most
}

// Peaks returns the ranges in which counts stand out from baselines, in order of time; counts[i] of baselines[i]
// turns are matches. A busy bin alone is not a peak: the test is how likely a bin is to hold so many of the matches
// when they are drawn at random from all turns. That is the upper tail of the hypergeometric distribution, Fisher's
// exact test (The Design of Experiments, 1935, ch. 2). Among many bins, chance would find one, so the tails are
// corrected by Holm's step-down procedure (A simple sequentially rejective multiple test procedure, 1979), also
// over the bins outside: the probability of any false peak stays below one in a hundred. Adjacent bins that stand
// out form one peak.
//
// The test assumes independent turns, which those of one conversation are not: a peak may be one long conversation.
func Peaks(counts, baselines []int, outside Outside) []Peak {
	test := newPeakTest(counts, baselines, outside)
	var peaks []Peak
	for i, p := range test.corrected() {
		if p > peakLevel {
			continue
		}
		if n := len(peaks); n > 0 && peaks[n-1].To == i {
			last := &peaks[n-1]
			last.To, last.P = i+1, min(last.P, p)
			last.Count, last.Baseline = last.Count+test.counts[i], last.Baseline+test.baselines[i]
		} else {
			peaks = append(peaks, Peak{From: i, To: i + 1, Count: test.counts[i], Baseline: test.baselines[i], P: p})
		}
	}
	for i := range peaks {
		peaks[i].Expected = test.expected(peaks[i].Baseline)
	}
	return peaks
}

// peakTest holds the totals that bins are tested against.
type peakTest struct {
	counts, baselines []int
	matches, turns    int // in all
	bins              int // with a turn: any of them could be a peak
}

func newPeakTest(counts, baselines []int, outside Outside) peakTest {
	o := peakTest{counts: counts, baselines: slices.Clone(baselines), turns: outside.Turns, bins: outside.Bins}
	for i, n := range counts {
		o.baselines[i] = max(o.baselines[i], n) // a match is a turn
		o.matches += n
		o.turns += o.baselines[i]
		if o.baselines[i] > 0 {
			o.bins++
		}
	}
	return o
}

func (o *peakTest) expected(baseline int) float64 {
	return float64(o.matches) * float64(baseline) / float64(max(o.turns, 1))
}

// corrected returns for every bin the probability that chance alone makes it stand out, corrected by Holm; 1 for
// bins that are not candidates.
func (o *peakTest) corrected() []float64 {
	p := make([]float64, len(o.counts))
	var candidates []int
	for i, n := range o.counts {
		p[i] = 1
		if n >= peakCount && float64(n) >= peakLift*o.expected(o.baselines[i]) {
			p[i] = upperTail(n, o.baselines[i], o.matches, o.turns)
			candidates = append(candidates, i)
		}
	}
	slices.SortFunc(candidates, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	least := 0.0
	for rank, i := range candidates {
		least = max(least, min(1, p[i]*float64(o.bins-rank)))
		p[i] = least
	}
	return p
}

// upperTail returns the probability that n turns drawn from all, of which matches are matches, hold count or more
// of them.
func upperTail(count, n, matches, all int) float64 {
	count = max(count, n-(all-matches)) // no draw holds fewer
	last := min(n, matches)
	if count > last {
		return 0
	}
	term := math.Exp(logChoose(matches, count) + logChoose(all-matches, n-count) - logChoose(all, n))
	sum := 0.0
	for k := count; k <= last; k++ {
		sum += term
		term *= float64(matches-k) * float64(n-k) / (float64(k+1) * float64(all-matches-n+k+1))
	}
	return min(sum, 1)
}

// logChoose is the logarithm of the number of ways to choose k of n; -∞ when there is none.
func logChoose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	whole, _ := math.Lgamma(float64(n + 1))
	chosen, _ := math.Lgamma(float64(k + 1))
	rest, _ := math.Lgamma(float64(n - k + 1))
	return whole - chosen - rest
}

// Contrast returns the probability that two spans differ by chance as much as they do or more, each with a number
// of matches among its turns: Fisher's exact test with both tails, the second by doubling the lesser. 1 when there
// is nothing to compare.
func Contrast(count, turns, otherCount, otherTurns int) float64 {
	turns, otherTurns = max(turns, count), max(otherTurns, otherCount)
	matches, all := count+otherCount, turns+otherTurns
	return min(1, 2*min(upperTail(count, turns, matches, all), upperTail(otherCount, otherTurns, matches, all)))
}

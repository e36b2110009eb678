package timeline

import (
	"fmt"
	"slices"

	"github.com/google/uuid"

	"lens/internal/chart"
	"lens/retrieval"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/theme"
	"lens/tui/zoom"
)

// Landmark is a part of the window in view that stands out.
type Landmark struct {
	Span  zoom.Span
	Count int    // what is found in it
	Found string // the same in words: "19 matches of 51 turns"
	Lift  string
}

// Name names its time exactly and as briefly as possible.
func (l Landmark) Name(th theme.Theme) string { return histogram.Crumb(l.Span.From, l.Span.To, th) }

// ranking is what peaks depend on.
type ranking struct {
	peek *retrieval.Peek
	of   bool // its occurrences
	view zoom.Span
	unit timebin.Bin
}

// ranked are the peaks of a ranking, and what sets each apart. Finding them takes longer than drawing a chart.
type ranked struct {
	of    ranking
	peaks []timebin.Peak
	words [][]string
}

// hasPeaks reports whether matches can be compared with all turns.
func (p *plot) hasPeaks() bool {
	f := p.in.Found
	return f.Searching && f.Peek != nil && !f.nearest() && !f.Stale && !p.turns.Lacks(p.zoom)
}

func (p *plot) ranking() ranking {
	return ranking{p.in.Peek, p.drawn().occurrences, p.zoom.Span, p.zoom.Unit()}
}

// rank finds the peaks, unless they are known.
func (p *plot) rank() {
	of := p.ranking()
	if !p.hasPeaks() || p.ranked.of == of {
		return
	}
	var counts, baselines []int
	bins := p.chart().Bins
	for _, b := range bins {
		counts, baselines = append(counts, b.Count), append(baselines, b.Baseline)
	}
	p.ranked = ranked{of: of, peaks: timebin.Peaks(counts, baselines, timebin.Outside{})}
	for i, at := range highest(p.ranked.peaks, bins) {
		p.ranked.words = append(p.ranked.words, p.wordsOf(p.ranked.peaks[i], bins, at))
	}
}

// peaks returns the peaks of the matches in view, as far as they are known.
func (p *plot) peaks() []timebin.Peak {
	if !p.hasPeaks() || p.ranked.of != p.ranking() {
		return nil
	}
	return p.ranked.peaks
}

// highest returns the highest bin of each peak.
func highest(peaks []timebin.Peak, bins []chart.Bin) []int {
	at := make([]int, len(peaks))
	for i, p := range peaks {
		at[i] = p.From
		for bin := p.From; bin < p.To; bin++ {
			if bins[bin].Count > bins[at[i]].Count {
				at[i] = bin
			}
		}
	}
	return at
}

// captions says what sets the peaks of a chart apart, the highest first. If nothing sets that one apart, its
// caption has no words; others have none then.
func (p *plot) captions(c histogram.Chart) []histogram.Caption {
	if len(c.Peaks) == 0 || p.in.nearest() || !p.in.Peek.ExplainsPeaks() {
		return nil
	}
	var all []histogram.Caption
	for i, at := range c.Peaks {
		all = append(all, histogram.Caption{Bin: at, Words: p.ranked.words[i]})
	}
	slices.SortStableFunc(all, func(x, y histogram.Caption) int { return c.Bins[y.Bin].Count - c.Bins[x.Bin].Count })
	others := slices.DeleteFunc(all[1:], func(c histogram.Caption) bool { return len(c.Words) == 0 })
	return all[:1+len(others)]
}

// wordsOf says what sets a peak apart, whose highest bin is at: in words or, where none do, by a title. The search has
// found that in bins of its own, so that each peak says what the highest one of the search within it says. One that
// reaches beyond it, as where the search was for all time, speaks of other days. Then the listed matches of the highest
// bin have a title.
func (p *plot) wordsOf(peak timebin.Peak, bins []chart.Bin, at int) (words []string) {
	whole := zoom.Span{From: bins[peak.From].Start, To: bins[peak.To-1].End}
	bin, most, d := zoom.Span{From: bins[at].Start, To: bins[at].End}, 0, p.drawn()
	for i := range d.peaks {
		explained := &d.peaks[i]
		span := zoom.Span{From: explained.Start.Unix(), To: explained.End.Unix()}
		if span.Clip(bin).Width() <= 0 || len(span.Clip(whole).Of(d.times)) < len(span.Of(d.times)) {
			continue
		}
		if explained.Count > most {
			most, words = explained.Count, explained.Words
			if len(words) == 0 && explained.Title != "" {
				words = []string{explained.Title}
			}
		}
	}
	if title := p.mostlyIn(bin); len(words) == 0 && title != "" {
		words = []string{title}
	}
	return words
}

// mostlyIn returns the title of the conversation that most of what is drawn in a span is in, as far as it is listed; ""
// for none.
func (p *plot) mostlyIn(in zoom.Span) string {
	times := in.Of(p.drawn().times)
	var all []uuid.UUID
	titles := make(map[uuid.UUID]string)
	for i := range p.in.Peek.Matches {
		match := &p.in.Peek.Matches[i]
		if match.Time == nil {
			continue
		}
		if _, isDrawn := slices.BinarySearch(times, match.Time.Unix()); isDrawn {
			all, titles[match.Conversation] = append(all, match.Conversation), match.Title
		}
	}
	c, _ := retrieval.MostlyIn(all, len(times))
	return titles[c]
}

// lift describes by how much a peak exceeds the expected count.
func lift(p timebin.Peak) string {
	if p.Expected <= 0 {
		return ""
	}
	return fmt.Sprintf("%.1f times the usual", float64(p.Count)/p.Expected)
}

// Peaks returns the peaks of the matches in view.
func (p *plot) Peaks() []Landmark {
	edges := p.zoom.Edges()
	var all []Landmark
	for _, peak := range p.peaks() {
		at := zoom.Span{From: edges[peak.From], To: edges[peak.To]}.Clip(p.zoom.Span)
		found := histogram.CountOf(peak.Count, p.drawn().noun, peak.Baseline)
		all = append(all, Landmark{at, peak.Count, found, lift(peak)})
	}
	return all
}

// Busiest returns the bin with the highest count; false where there are not two to compare.
func (p *plot) Busiest() (Landmark, bool) {
	c := p.chart()
	busiest := -1
	for i, b := range c.Bins {
		if b.Count > 0 && (busiest < 0 || b.Count > c.Bins[busiest].Count) {
			busiest = i
		}
	}
	if busiest < 0 || len(c.Bins) < 2 {
		return Landmark{}, false
	}
	b := c.Bins[busiest]
	at := zoom.Span{From: b.Start, To: b.End}.Clip(p.zoom.Span)
	return Landmark{at, b.Count, histogram.Count(b.Count, c.Noun), ""}, true
}

package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
)

// describe formats a peek result for a model, in as few tokens as possible.
func describe(p *retrieval.Peek) string {
	var b strings.Builder
	describeCoverage(&b, p)
	if o := p.Occurrences; o != nil && o.Total > p.Histogram.Total {
		const format = "%d turns have all words of the query; only the best %d are counted below.\n"
		fmt.Fprintf(&b, format, o.Total, p.Histogram.Total)
	}
	describeMentions(&b, p.Mentions)
	describeHistogram(&b, p.Histogram)
	for _, peak := range p.Peaks {
		last := peak.End.Add(-1)
		fmt.Fprintf(&b, "Peak: %s to %s has %d, expected %.1f", day(peak.Start), day(last), peak.Count, peak.Expected)
		if len(peak.Words) > 0 {
			fmt.Fprintf(&b, "; more than elsewhere: %s", strings.Join(peak.Words, ", "))
		}
		b.WriteByte('\n')
	}
	describeTitles(&b, p)
	describeMatches(&b, p)
	return strings.TrimSpace(b.String())
}

func describeCoverage(b *strings.Builder, p *retrieval.Peek) {
	fmt.Fprintf(b, "Found %d turns among %d in the window (%s", p.Histogram.Total, p.Coverage.Candidates, p.Mode)
	if p.Coverage.Truncated {
		b.WriteString("; there are more: raise top_k or zoom")
	}
	b.WriteString(").\n")
	if p.Mode != query.Keyword && p.Coverage.Embedded < 0.99 {
		const format = "Only %.0f%% of the turns can be found by meaning, the others only by words.\n"
		fmt.Fprintf(b, format, 100*p.Coverage.Embedded)
	}
	if p.Notice != "" {
		b.WriteString(p.Notice + "\n")
	}
}

func describeMentions(b *strings.Builder, m retrieval.Mentions) {
	if m.First == nil || m.Last == nil {
		return
	}
	fmt.Fprintf(b, "%d mentions in total. First: %s (%s). Last: %s (%s).\n",
		m.Count, day(m.First.Time), m.First.TurnID, day(m.Last.Time), m.Last.TurnID)
	if s := m.Silence; s != nil && s.Until.Sub(s.Since) > 30*24*time.Hour {
		fmt.Fprintf(b, "Longest gap: %s to %s, with %d turns about other things.\n", day(s.Since), day(s.Until), s.Turns)
	}
}

// maxBinLines limits how many bins are listed.
const maxBinLines = 60

// describeHistogram lists the nonempty bins.
func describeHistogram(b *strings.Builder, h retrieval.Histogram) {
	width, err := timebin.Parse(h.Bin)
	var full []retrieval.HistogramBin
	for _, bin := range h.Bins {
		if bin.Count > 0 {
			full = append(full, bin)
		}
	}
	if err != nil || len(full) == 0 {
		return
	}
	fmt.Fprintf(b, "By %s (turns found, share of all turns in the bin); bins not listed are empty:\n", h.Bin)
	if len(full) > maxBinLines {
		fmt.Fprintf(b, "(the %d largest of %d)\n", maxBinLines, len(full))
		slices.SortStableFunc(full, func(x, y retrieval.HistogramBin) int { return cmp.Compare(y.Count, x.Count) })
		full = full[:maxBinLines]
		slices.SortFunc(full, func(x, y retrieval.HistogramBin) int { return x.Start.Compare(y.Start) })
	}
	for _, bin := range full {
		fmt.Fprintf(b, "%s: %d (%.1f%%)\n", width.Label(bin.Start.Unix()), bin.Count, 100*bin.Share)
	}
	if h.Undated > 0 {
		fmt.Fprintf(b, "undated: %d\n", h.Undated)
	}
}

// describeTitles lists conversations in one line, each with the turn that it begins with.
func describeTitles(b *strings.Builder, p *retrieval.Peek) {
	if len(p.Titles) == 0 {
		return
	}
	words := "these words"
	if p.TitleWord != "" {
		words = "“" + p.TitleWord + "”"
	}
	all := make([]string, len(p.Titles))
	for i, t := range p.Titles {
		all[i] = fmt.Sprintf("%s (first turn %s)", strings.Join(strings.Fields(t.Title), " "), t.FirstTurn)
	}
	b.WriteString("Conversations with " + words + " in the title: " + strings.Join(all, "; ") + "\n")
}

func describeMatches(b *strings.Builder, p *retrieval.Peek) {
	for i := range p.Matches {
		m := &p.Matches[i]
		when := "undated"
		if m.Time != nil {
			when = day(*m.Time)
		}
		if m.Score != nil {
			when += fmt.Sprintf(", score %.2f", *m.Score)
		}
		fmt.Fprintf(b, "%d. turn %s, %s, conversation %s\n", i+1, m.TurnID, when, m.Conversation)
		reply := "Assistant"
		if m.SnippetIsSummary {
			reply = "Summary of the reply"
		}
		for _, line := range []struct{ name, text string }{
			{"Title", m.Title},
			{"User", m.UserSnippet},
			{reply, m.AssistantSnippet},
		} {
			if line.text != "" {
				fmt.Fprintf(b, "   %s: %s\n", line.name, strings.Join(strings.Fields(line.text), " "))
			}
		}
	}
}

// brief replaces a peek result when the model's context needs room.
func brief(q query.Query, p *retrieval.Peek) string {
	return "peek for " + searched(q) + ": " + gist(p)
}

// searched names the query of a search.
func searched(q query.Query) string {
	if q.Like != "" {
		return strings.TrimSpace("turns like " + q.Like + " " + q.String())
	}
	return q.String()
}

// gist summarizes a peek in one line for the user.
func gist(p *retrieval.Peek) string {
	h := p.Histogram
	if h.Total == 0 {
		return "nothing found"
	}
	text := fmt.Sprintf("%d turns", h.Total)
	if h.Total == 1 {
		text = "1 turn"
	}
	if len(h.Bins) == 0 {
		return text
	}
	largest := slices.MaxFunc(h.Bins, func(x, y retrieval.HistogramBin) int { return cmp.Compare(x.Count, y.Count) })
	if bin, err := timebin.Parse(h.Bin); err == nil && len(h.Bins) > 1 {
		text += fmt.Sprintf(", most (%d) in %s", largest.Count, bin.Label(largest.Start.Unix()))
	}
	return text
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

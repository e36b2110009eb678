package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
)

// Limits of a report.
const (
	reportedPeaks   = 3
	reportedMatches = 5
)

// report describes a peek result for a person who gets no answer from the model: when the query comes up, and the best
// turns.
func report(q query.Query, p *retrieval.Peek) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s.\n", agent.Inline(searched(q), 200), gist(p))
	if m := p.Mentions; m.First != nil && m.Last != nil {
		fmt.Fprintf(&b, "\n- First on %s, last on %s", day(m.First.Time), day(m.Last.Time))
	}
	for _, peak := range largest(p.Peaks) {
		const format = "\n- Peak from %s to %s: %d turns, where %.1f were to be expected"
		fmt.Fprintf(&b, format, day(peak.Start), day(peak.End.Add(-1)), peak.Count, peak.Expected)
	}
	for i := range p.Matches[:min(reportedMatches, len(p.Matches))] {
		m := &p.Matches[i]
		when := "undated"
		if m.Time != nil {
			when = day(*m.Time)
		}
		fmt.Fprintf(&b, "\n- %s, %s (turn %.13s)", when, agent.Inline(cmp.Or(m.Title, "untitled"), 80), m.TurnID)
		if snippet := agent.Inline(cmp.Or(m.UserSnippet, m.AssistantSnippet), 160); snippet != "" {
			b.WriteString(": " + snippet)
		}
	}
	return strings.TrimSpace(b.String())
}

// largest returns the peaks that are least likely to be chance, in order of time.
func largest(peaks []retrieval.Peak) []retrieval.Peak {
	all := slices.Clone(peaks)
	slices.SortStableFunc(all, func(x, y retrieval.Peak) int { return cmp.Compare(x.P, y.P) })
	all = all[:min(reportedPeaks, len(all))]
	slices.SortFunc(all, func(x, y retrieval.Peak) int { return x.Start.Compare(y.Start) })
	return all
}

package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/cmd/internal/app"
	"lens/internal/cleantext"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

const (
	fewFound    = 10 // below this many matches by words, search by meaning might find more
	shownTitles = 3
)

// noticed is what searches did not do as asked.
type noticed struct {
	notice, leftOut string // the second is the end of the first
	found           int
	embedded        float64 // share of turns with a vector
}

// noticedIn returns what a peek did not do as asked.
func noticedIn(p *retrieval.Peek) noticed {
	return noticed{p.Notice, p.LeftOut, p.Histogram.Total, p.Coverage.Embedded}
}

// printNotice prints what the filter did not look at. On another line it prints why the search was by keywords only,
// and what to do about it: always if a model is configured or the user asked for search by meaning, otherwise only on a
// terminal, when the words found little.
func printNotice(env *Env, a *app.App, n noticed, asked query.Mode) {
	env.printLeftOut(n.leftOut)
	fallback := strings.TrimSpace(strings.TrimSuffix(n.notice, n.leftOut))
	if fallback == "" {
		return
	}
	model, err := a.Models.Configured()
	if model == nil && err == nil && asked == query.Auto && (!env.Err.terminal || n.found >= fewFound) {
		return
	}
	text := fallback
	if err != nil { // the engine does not know this reason
		text = "By words only: " + errs.First(err).Message + "."
	}
	if hint := a.Models.Hint(n.embedded); hint != "" {
		text = strings.TrimSpace(text + " " + upperFirst(strings.TrimSuffix(hint, ".")) + ".")
	}
	env.Err.println(env.Err.warn(cleantext.Line(text)))
}

// printLeftOut prints what a filter did not look at, if anything.
func (e *Env) printLeftOut(notice string) {
	if notice != "" {
		e.Err.println(e.Err.warn(cleantext.Line(notice)))
	}
}

// peekHints are what a search of turns does not show.
type peekHints struct {
	meant   string // the query with its unknown words corrected; "" for none
	strict  bool   // filters, phrases or exclusions leave turns out
	noTurns string // the window has no turns, and what to do; "" if it has some
}

func findHints(
	ctx context.Context, engine *retrieval.Engine, p *retrieval.Peek, q query.Query,
) (h peekHints, err error) {
	h.strict = !q.Filter.IsZero() || len(q.Phrases)+len(q.Without) > 0
	if p.Query != "" {
		if h.meant, err = engine.Suggest(ctx, p.Query); err != nil {
			return h, err
		}
	}
	if p.Coverage.Candidates == 0 {
		h.noTurns, err = noTurns(ctx, engine, q)
	}
	return h, err
}

// noTurns says of a query that no turn passes that its window has none, and what to try. It is "" where the query has
// no window, or another filter may be the reason.
func noTurns(ctx context.Context, engine *retrieval.Engine, q query.Query) (string, error) {
	w, others := windowOf(q), q.Filter
	others.Since, others.Until = time.Time{}, time.Time{}
	says, err := engine.Unreached(ctx, w)
	switch hasWindow := w != (retrieval.Window{}); {
	case err != nil || says == "" && (!hasWindow || !others.IsZero() || len(q.Phrases)+len(q.Without) > 0):
		return "", err
	case says == "":
		says = "Try a longer time."
	}
	return "No turns: " + windowName(w) + ". " + says, nil
}

// printTitles prints how many conversations have the query, or a word of it, in their titles, with the first turns of
// some of them.
func printTitles(out *screen, p *retrieval.Peek) {
	if p.TitleCount == 0 {
		return
	}
	what := "this"
	if p.TitleWord != "" {
		what = out.quoted(p.TitleWord)
	}
	out.println(count(p.TitleCount, "conversation") + " " + have(p.TitleCount) + " " + what + " in the title:")
	shown := p.Titles[:min(len(p.Titles), shownTitles)]
	for _, c := range shown {
		id := c.FirstTurn.String()[:shortID]
		out.printf("     %s  %s\n", out.faint(id), out.line(c.Title, out.width-7-shortID))
	}
	if more := p.TitleCount - len(shown); more > 0 {
		out.printf("     and %s more\n", grouped(more))
	}
}

// have is the verb of n things that have something.
func have(n int) string {
	if n == 1 {
		return "has"
	}
	return "have"
}

// printPeek prints a peek for people: the chart, what it says, then the matches.
func printPeek(out *screen, p *retrieval.Peek, h peekHints) {
	if h.meant != "" {
		out.println("Did you mean " + out.bold(cleantext.Line(h.meant)) + "?")
	}
	if p.Histogram.Total == 0 {
		switch {
		case p.Coverage.Candidates > 0:
			out.printf("No matches among %s.\n", count(p.Coverage.Candidates, "turn"))
		case h.noTurns != "":
			out.println(h.noTurns)
		case h.strict:
			out.println("No turn has all that the query asks for. Drop a filter, a phrase or an exclusion.")
		default:
			out.println("No turns to search. Run lens import PATH first.")
		}
		printTitles(out, p)
		return
	}
	out.println(out.bold(peekSummary(out, p)))
	if p.Coverage.Faint {
		out.println(out.faint("No clear match; showing the nearest."))
	}
	out.printf("%s", peekChart(p, out.chart()))
	printTimes(out, p)
	printTitles(out, p)
	for i := range p.Matches {
		printMatch(out, i+1, &p.Matches[i])
	}
	if len(p.Matches) > 0 {
		out.println()
		out.println(out.faint("lens turn ID shows a turn in full; lens peek --like ID finds more like it"))
	}
}

func peekSummary(out *screen, p *retrieval.Peek) string {
	parts := []string{count(p.Histogram.Total, "turn")}
	similar := p.Like != uuid.Nil && p.Mode == query.Dense // the other modes also find what has words of the turn
	switch {
	case similar && p.Coverage.Truncated:
		parts[0] = "the " + count(p.Histogram.Total, "most similar turn")
	case similar:
		parts[0] = count(p.Histogram.Total, "similar turn")
	case p.Coverage.Truncated:
		parts[0] = bestOf(p.Histogram.Total, p.Coverage)
	}
	drawn, _, occurrences := p.Drawn()
	if o := p.Occurrences; o != nil && o.Total != p.Histogram.Total {
		parts = append(parts, grouped(o.Total)+" "+have(o.Total)+" all the words")
		if occurrences != nil { // the chart counts what is said first
			parts[0], parts[1] = count(o.Total, "turn")+" with all the words", parts[0]
		}
	}
	if drawn.Undated > 0 {
		parts = append(parts, fmt.Sprintf("%d undated", drawn.Undated))
	}
	parts = append(parts, by(p.Histogram.Bin), string(p.Mode), fmt.Sprintf("%.0f ms", p.Timing.Total))
	return out.list(parts...)
}

// bestOf describes the best n matches of a search, with their total where that is known, or the nearest n turns where
// nothing matches: all turns are near, more or less.
func bestOf(n int, c retrieval.Coverage) string {
	switch {
	case c.Faint && n == 1:
		return "the nearest turn"
	case c.Faint:
		return "the nearest " + grouped(n) + " turns"
	case c.Uncounted && n == 1:
		return "the best match"
	case c.Uncounted:
		return "the best " + grouped(n) + " matches"
	}
	return "the best " + grouped(n) + " of " + grouped(c.Matching) + " matches"
}

const shortID = 13 // characters of an ID that lists show: enough to be unique in any archive

func printMatch(out *screen, rank int, m *retrieval.Match) {
	branch := ""
	if !m.OnPath {
		branch = "  (branch)"
	}
	left := fmt.Sprintf("%3d  %s  ", rank, day(m.Time))
	score := "" // without words the turns are in order of time
	if m.Score != nil {
		score = fmt.Sprintf("  %.3f", *m.Score)
	}
	right := fmt.Sprintf("%s%s  %s", branch, score, m.TurnID.String()[:shortID])
	title := out.line(partTitle(out, m.Chunk, m.Title), out.width-len(left)-len(right))
	out.println()
	out.printf("%s%s%s\n", left, out.bold(title), out.faint(right))
	said := "You: "
	if m.Chunk != nil {
		said = "In: "
	}
	parts := []struct{ sign, text string }{
		{said, m.UserSnippet},
		{out.sign("→ ", "-> "), m.AssistantSnippet},
	}
	for _, part := range parts {
		if part.text != "" {
			out.printf("     %s%s\n", out.faint(part.sign), out.line(part.text, out.width-5-len(part.sign)))
		}
	}
	printFeatures(out, m.Features)
}

// printFeatures prints what a score is the sum of, the greatest part first.
func printFeatures(out *screen, features []retrieval.Feature) {
	sum := slices.DeleteFunc(slices.Clone(features), func(f retrieval.Feature) bool { return f.Value == 0 })
	slices.SortStableFunc(sum, func(a, b retrieval.Feature) int {
		return cmp.Compare(math.Abs(b.Value*b.Weight), math.Abs(a.Value*a.Weight))
	})
	for _, f := range sum {
		name := strings.ReplaceAll(f.Name, "_", " ")
		out.println(out.faint(fmt.Sprintf("     %+7.3f  %s %.3f, weight %g", f.Value*f.Weight, name, f.Value, f.Weight)))
	}
}

// partTitle returns the title of a turn, after what it is a part of.
func partTitle(out *screen, c *retrieval.Chunk, title string) string {
	if part := c.Part(); part != "" {
		return out.list(part, title)
	}
	return title
}

// shownPeaks is how many peaks are described, the most significant ones.
const shownPeaks = 3

// printTimes describes in a few lines when a query came up: first and last, the longest silence, and its peaks.
func printTimes(out *screen, p *retrieval.Peek) {
	if text := mentionsLine(out, p.Mentions); text != "" {
		out.println(text)
	}
	_, all, _ := p.Drawn()
	peaks := slices.Clone(all)
	slices.SortStableFunc(peaks, func(a, b retrieval.Peak) int { return cmp.Compare(a.P, b.P) })
	peaks = peaks[:min(len(peaks), shownPeaks)]
	slices.SortFunc(peaks, func(a, b retrieval.Peak) int { return a.Start.Compare(b.Start) })
	for _, b := range peaks {
		out.printf("peak %s: %d of %s, %s expected (%s)%s\n",
			stretch(p.Histogram.Bin, b.Start, b.End), b.Count, count(b.Baseline, "turn"), rounded1(b.Expected), chance(b.P),
			peakCaption(out, b))
	}
	if more := len(all) - len(peaks); more > 0 {
		out.println("and " + count(more, "smaller peak"))
	}
}

// peakCaption says what sets a peak apart from the other matches; "" for nothing.
func peakCaption(out *screen, p retrieval.Peak) string {
	words := cleantext.Line(strings.Join(p.Words, ", "))
	switch {
	case words == "" && p.Title == "":
		return ""
	case p.Title == "":
		return ": " + words
	case words == "":
		return ": mostly in " + out.quoted(p.Title)
	}
	return ": " + out.list(words, "mostly in "+out.quoted(p.Title))
}

// mentionsLine describes the mentions on one line; "" if there are fewer than two.
func mentionsLine(out *screen, m retrieval.Mentions) string {
	if m.First == nil || m.First.TurnID == m.Last.TurnID {
		return ""
	}
	first, last := date(m.First.Time), date(m.Last.Time)
	if first == last {
		return "all on " + first
	}
	parts := []string{"first " + first, "last " + last}
	if m.Silence == nil {
		return out.list(parts...)
	}
	length := span(m.Silence.Until.Sub(m.Silence.Since))
	silence := fmt.Sprintf("longest silence %s, %s to %s", length, date(m.Silence.Since), date(m.Silence.Until))
	if m.Silence.Turns == 0 {
		silence += " (no turns at all)"
	}
	return out.list(append(parts, silence)...)
}

package chat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/histogram"
	"lens/tui/theme"
)

// Step is one tool call of an investigation.
type Step struct {
	ID   string
	Tool string // as the model named it

	Query        string    // the words in the arguments
	since, until time.Time // of a peek that succeeded; zero: open

	Gist    string // what it found, in words
	N       int    // the number of its turn in citations
	Refused string
	took    float64 // milliseconds
	began   time.Time
	state   stepState
}

type stepState int

const (
	busy stepState = iota
	finished
	refused
	abandoned
)

func newStep(c agent.ToolCall, now time.Time) Step {
	var a struct {
		Query string `json:"query"`
	}
	_ = json.Unmarshal(c.Arguments, &a) // the tool refuses arguments that do not fit
	return Step{ID: c.ID, Tool: c.Tool, Query: a.Query, began: now}
}

func (s *Step) finish(r agent.ToolResult) {
	s.state, s.took, s.Gist, s.N = finished, r.Took, r.Gist, r.N
	if asked, ok := r.Asked.(query.Query); ok {
		s.since, s.until = asked.Window()
		if peek, ok := r.Detail.(*retrieval.Peek); ok && peek.Histogram.Total > 0 {
			s.Gist = gist(peek, asked.Limit())
		}
	}
	if read, ok := r.Detail.(*retrieval.Turn); ok && read.Time != nil {
		s.Gist = theme.Day(read.Time.UTC()) + " " + read.Title
	}
	if r.Error != nil {
		s.state, s.Refused = refused, r.Error.Message
	}
}

// dash is how a gist writes spans. It is kept with the chat, whatever the theme is then.
var dash = theme.Theme{Glyphs: theme.Glyphs{Dash: "–"}}

// gist says how many turns a peek found, and when most of them were. As many as it may find at most are the best of
// more.
func gist(p *retrieval.Peek, limit int) string {
	h := p.Histogram
	text := theme.Count(h.Total, "turn", "turns")
	if h.Total >= limit {
		text = "the " + theme.Number(h.Total) + " best turns"
		if all := p.Occurrences; all != nil && all.Total > h.Total {
			text += "; " + theme.Number(all.Total) + " have all the words"
		}
	}
	if len(h.Bins) < 2 {
		return text
	}
	most := slices.MaxFunc(h.Bins, func(x, y retrieval.HistogramBin) int { return cmp.Compare(x.Count, y.Count) })
	when := histogram.Crumb(most.Start.Unix(), most.End.Unix(), dash)
	return text + fmt.Sprintf(", most (%s) in %s", theme.Number(most.Count), when)
}

func (s *Step) abandon() {
	if s.state == busy {
		s.state = abandoned
	}
}

// Worked reports whether the call succeeded.
func (s *Step) Worked() bool { return s.state == finished }

// kind says what a step did: a peek with a window zoomed.
func (s *Step) kind() string {
	switch {
	case s.Tool == agent.ToolPeek && s.zoomed():
		return "zoomed"
	case s.Tool == agent.ToolPeek:
		return "searched"
	case s.Tool == agent.ToolTurn:
		return "read"
	}
	return s.Tool
}

// zoomed reports whether a peek had a window.
func (s *Step) zoomed() bool {
	from, to := s.window()
	return from+to != ""
}

// window returns the start and the end of a peek's window, "" for an open one: the last month or day of it, or the time
// at which it ends.
func (s *Step) window() (from, to string) {
	since, until := s.since.UTC(), s.until.UTC()
	from = shortTime(since, isMonth(since))
	switch {
	case until.IsZero():
		return from, ""
	case until.Hour()+until.Minute()+until.Second() > 0:
		return from, shortTime(until, false)
	}
	return from, shortTime(until.AddDate(0, 0, -1), isMonth(until) && isMonth(since))
}

// isMonth reports whether a month begins or ends at a time. An open end is as good as one.
func isMonth(t time.Time) bool {
	return t.IsZero() || t.Day() == 1 && t.Hour()+t.Minute()+t.Second() == 0
}

// shortTime writes a time without what says nothing: May 2024, 14 May 2024, 14 May 2024, 08:30.
func shortTime(t time.Time, month bool) string {
	switch {
	case t.IsZero():
		return ""
	case month:
		return theme.Month(t)
	case t.Hour()+t.Minute()+t.Second() > 0:
		return theme.Day(t) + ", " + theme.Clock(t)
	}
	return theme.Day(t)
}

// line draws a step on one line: its kind, its result, and how long it took.
func (s *Step) line(width int, now time.Time, th theme.Theme) string {
	text, right, style := s.words(th), "", th.Dim
	switch s.state {
	case busy:
		if wait := now.Sub(s.began); wait >= 100*time.Millisecond {
			right = fmt.Sprintf("%.1f s", wait.Seconds())
		}
	case finished:
		right = fmt.Sprintf("%.0f ms", max(1, s.took))
	case refused:
		style = th.Warn
	}
	kind := th.Fit(s.kind(), kindWidth)
	room := width - ansi.StringWidth(right) - kindWidth - 8
	if s.state == abandoned {
		text = "interrupted"
	}
	left := "  " + s.sign(th) + " " + kind + "  " + style.Render(ansi.Truncate(text, max(1, room), th.Glyphs.Ellipsis))
	return th.Spread(left, th.Dim.Render(right), width)
}

// kindWidth is the width of a step's kind.
const kindWidth = 8

// words describes the arguments and the result of a step.
func (s *Step) words(th theme.Theme) string {
	var words []string
	if s.Query != "" {
		words = append(words, th.Quoted(s.Query))
	}
	switch from, to := s.window(); {
	case from == to && from != "":
		words = append(words, from)
	case from != to:
		words = append(words, strings.TrimSpace(from+" "+th.Glyphs.Dash+" "+to))
	}
	if s.N > 0 {
		words = append(words, fmt.Sprintf("[%d]", s.N))
	}
	what := strings.ReplaceAll(s.Gist, dash.Glyphs.Dash, th.Glyphs.Dash)
	if s.Refused != "" {
		what = "refused: " + s.Refused
	}
	if what != "" && len(words) > 0 && s.N == 0 {
		words = append(words, th.Glyphs.Separator)
	}
	return strings.Join(append(words, what), " ")
}

// alike returns how many steps at the beginning tell the same: that they are in progress, were interrupted, or were
// refused for one reason. It is at least 1.
func alike(steps []Step) int {
	first := steps[0]
	if first.state == finished {
		return 1
	}
	for i, s := range steps {
		if s.state != first.state || s.Refused != first.Refused {
			return i
		}
	}
	return len(steps)
}

// Steps that are alike and get lines of their own: more only if nothing says yet how they end.
const (
	mostRefused = 2
	mostOpen    = 8
)

// shownOf returns how many of several steps that are alike get a line of their own; restLine is for the others.
func shownOf(same []Step) int {
	switch n := len(same); {
	case same[0].state != refused && n > mostOpen+1:
		return mostOpen
	case same[0].state == refused && n > mostRefused:
		return 0
	default:
		return n
	}
}

// restLine draws several steps that are alike on one line. There are more above if others are drawn before them.
func restLine(rest []Step, others bool, width int, th theme.Theme) string {
	text := theme.Number(len(rest))
	if others {
		text += " more"
	} else {
		text += " calls"
	}
	style := th.Dim
	switch rest[0].state {
	case refused:
		text, style = text+" were refused: "+rest[0].Refused, th.Warn
	case abandoned:
		text += " were interrupted"
	}
	return "  " + rest[0].sign(th) + " " + style.Render(ansi.Truncate(text, max(1, width-4), th.Glyphs.Ellipsis))
}

func (s *Step) sign(th theme.Theme) string {
	switch s.state {
	case finished:
		return th.OK.Render(th.Glyphs.Done)
	case refused, abandoned:
		return th.Warn.Render(th.Glyphs.Undone)
	}
	return th.Glyphs.Doing
}

// summary says on one line how an exchange that has ended came to its answer. Of one that was saved, only the model is
// known.
func (e *Exchange) summary(width int, th theme.Theme) []string {
	reads, refusals, took := e.usage.Turns, 0, e.usage.Took
	for _, s := range e.Steps {
		if e.State != Answered { // whose usage is not known
			took += s.took
			if s.kind() == "read" && s.Worked() {
				reads++
			}
		}
		if s.state == refused {
			refusals++
		}
	}
	var words []string
	if e.Conclusion {
		words = append(words, "conclusion")
	}
	for _, c := range []struct {
		n         int
		one, many string
	}{
		{len(e.Steps), "step", "steps"},
		{reads, "turn read", "turns read"},
		{refusals, "refused", "refused"},
	} {
		if c.n > 0 {
			words = append(words, theme.Count(c.n, c.one, c.many))
		}
	}
	if took > 0 {
		words = append(words, seconds(took))
	} else if len(e.Steps) == 0 && e.Model != "" {
		words = append(words, e.Model)
	}
	if len(words) == 0 {
		return nil
	}
	whole := Step{state: finished}
	if e.State != Answered || refusals > 0 && refusals == len(e.Steps) {
		whole.state = refused
	}
	return []string{th.Fit(whole.sign(th)+" "+th.Dim.Render(th.Remarks(words...)), width)}
}

func seconds(ms float64) string { return fmt.Sprintf("%.1f s", ms/1000) }

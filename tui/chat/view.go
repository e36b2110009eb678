package chat

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lens/agent"
	"lens/internal/lazyregexp"
	"lens/tui/theme"
)

// lines lays out an exchange. A finished one is laid out once.
func (e *Exchange) lines(s shape, now time.Time, th theme.Theme) []string {
	if e.State != Running && e.laid.shape == s && e.laid.revision == e.revision && e.laid.lines != nil {
		return e.laid.lines
	}
	above := slices.Concat(e.questionLines(s.width, th), e.stepLines(s, now, th))
	ended, sources := e.endLines(s, now, th), e.sourceLines(s, now.Location(), th)
	lines := slices.Concat(above, e.answerLines(th), ended, sources)
	answer := min(len(above)+1, len(lines)-1) // below an empty line
	e.laid = laid{s, e.revision, lines, answer, s.dense && len(sources) > 0}
	return lines
}

func (e *Exchange) questionLines(width int, th theme.Theme) []string {
	text := theme.Wrapped(e.Question, width)
	for i, line := range text {
		text[i] = th.You.Bold().Render(line)
	}
	return text
}

// questionLine draws the question in a line.
func (e *Exchange) questionLine(width int, th theme.Theme) string {
	return th.You.Bold().Render(ansi.Truncate(strings.Join(strings.Fields(e.Question), " "), width, th.Glyphs.Ellipsis))
}

// stepLines draws the steps: each while the answer is awaited, then on one line, below which they can be unfolded.
func (e *Exchange) stepLines(s shape, now time.Time, th theme.Theme) []string {
	var lines []string
	if e.State != Running {
		lines = e.summary(s.width, th)
		if !s.unfolded {
			return lines
		}
	}
	for at := 0; at < len(e.Steps); {
		same := e.Steps[at : at+alike(e.Steps[at:])]
		shown := shownOf(same)
		for i := range same[:shown] {
			lines = append(lines, e.marked(same[i].line(s.width, now, th), th))
		}
		if rest := same[shown:]; len(rest) > 0 {
			lines = append(lines, restLine(rest, at+shown > 0, s.width, th))
		}
		at += len(same)
	}
	return lines
}

func (e *Exchange) answerLines(th theme.Theme) []string {
	if e.answer.Len() == 0 {
		return nil
	}
	lines := []string{""}
	for _, line := range e.body.Lines() {
		lines = append(lines, e.marked(line, th))
	}
	return lines
}

// endLines returns notices, and how the exchange ended.
func (e *Exchange) endLines(s shape, now time.Time, th theme.Theme) []string {
	var lines []string
	for _, notice := range e.notices {
		lines = append(lines, th.Warn.Render(notice))
	}
	if cut := e.Finish.Explain(); cut != "" {
		lines = append(lines, th.Warn.Render(cut))
	}
	switch e.State {
	case Running:
		return wrappedAll(append(lines, e.waitLines(now, th)...), s.width)
	case Stopped:
		lines = append(lines, th.Warn.Render("stopped")+th.Dim.Render(" ("+s.retry+" asks again)"))
	case Interrupted:
		lines = append(lines, th.Warn.Render("interrupted: Lens ended before the answer was complete")+
			th.Dim.Render(" ("+s.retry+" asks again)"))
	case Elsewhere:
		lines = append(lines, th.Warn.Render("another Lens is answering")+th.Dim.Render(" (open the chat again to see it)"))
	case Failed:
		lines = append(lines, th.Error.Render("error: ")+e.Failure)
		lines = append(lines, th.Dim.Render(cmp.Or(e.Hint, s.retry+" asks again")))
	}
	return wrappedAll(lines, s.width)
}

// sourceLines lists the cited turns, each with who is quoted at the right or, where lines are few, by their days alone.
// A report lists them itself.
func (e *Exchange) sourceLines(s shape, zone *time.Location, th theme.Theme) []string {
	if len(e.Citations) == 0 || e.State == Running || e.Report && e.Findings != nil {
		return nil
	}
	head, width := "Sources ", s.width
	if s.dense {
		return []string{"", e.marked(e.sourcesInLine(s.width, zone, th), th)}
	}
	rule := th.Rule.Render(strings.Repeat(th.Glyphs.Horizontal, max(0, width-len(head))))
	lines := []string{"", th.Fit(th.Dim.Render(head)+rule, width)}
	for _, c := range e.Citations {
		says := e.speakers.of[c.TurnID]
		room := width
		if says != "" {
			room -= ansi.StringWidth(says) + 2
		}
		row := ansi.Truncate(source(c, zone, th), max(1, room), th.Glyphs.Ellipsis)
		lines = append(lines, th.Spread(e.marked(row, th), th.Dim.Render(says), width))
	}
	return lines
}

// sourcesInLine names as many of the cited turns as fit by their days, and counts the others.
func (e *Exchange) sourcesInLine(width int, zone *time.Location, th theme.Theme) string {
	line := th.Dim.Render("Sources")
	more := func(n int) string {
		if n == 0 {
			return ""
		}
		return th.Dim.Render(fmt.Sprintf("  +%d", n))
	}
	for i, c := range e.Citations {
		next := line + fmt.Sprintf("  [%d] ", c.N) + th.Dim.Render(strings.TrimSpace(day(c, zone, theme.Day)))
		if rest := len(e.Citations) - i; theme.Width(next+more(rest-1)) > width {
			return line + more(rest)
		}
		line = next
	}
	return line
}

// waitLines shows that the model is thinking, and what it waits for, unless a step or text shows progress.
func (e *Exchange) waitLines(now time.Time, th theme.Theme) []string {
	if n := len(e.Steps); n > 0 && e.Steps[n-1].state == busy || e.answer.Len() > 0 {
		return nil
	}
	words := th.Glyphs.Ellipsis + " thinking"
	if wait := now.Sub(e.Asked); wait >= time.Second {
		words += fmt.Sprintf(", %.0f s", wait.Seconds())
	}
	lines := []string{"  " + th.Dim.Render(words)}
	if e.wait != "" {
		lines = append(lines, "  "+th.Dim.Render(e.wait))
	}
	return lines
}

func wrappedAll(lines []string, width int) []string {
	var out []string
	for _, line := range lines {
		out = append(out, theme.Wrapped(line, width)...)
	}
	return out
}

// source describes a cited turn, with its day in a zone.
func source(c agent.Citation, zone *time.Location, th theme.Theme) string {
	return fmt.Sprintf("[%d] ", c.N) + th.Dim.Render(day(c, zone, theme.DayColumn)+"  ") + cmp.Or(c.Title, "untitled")
}

// day writes the day of a cited turn.
func day(c agent.Citation, zone *time.Location, write func(time.Time) string) string {
	if c.Time == nil {
		return theme.Undated
	}
	return write(c.Time.In(zone))
}

// mark is a citation on a line: cells [from, to).
type mark struct{ n, from, to int }

// bracket matches possible citations, but not an index as in a[1].
var bracket = lazyregexp.New(`(?:^|[^\pL\pN_])(\[([0-9]{1,3})\])`)

// marks returns the citations on a line.
func (e *Exchange) marks(line string) []mark {
	if !strings.Contains(line, "[") {
		return nil
	}
	plain := ansi.Strip(line)
	var found []mark
	for at := 0; at < len(plain); {
		m := bracket().FindStringSubmatchIndex(plain[at:])
		if m == nil {
			break
		}
		n, _ := strconv.Atoi(plain[at+m[4] : at+m[5]])
		if _, ok := e.cited(n); ok {
			from := ansi.StringWidth(plain[:at+m[2]])
			found = append(found, mark{n, from, from + m[3] - m[2]})
		}
		at += m[3] - 1 // this bracket may directly precede the next one
	}
	return found
}

// marked highlights the citations on a line.
func (e *Exchange) marked(line string, th theme.Theme) string {
	var cells [][2]int
	for _, m := range e.marks(line) {
		cells = append(cells, [2]int{m.from, m.to})
	}
	return th.Accent.Over(line, cells)
}

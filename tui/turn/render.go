package turn

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/tui/histogram"
	"lens/tui/theme"
)

// Options shapes a rendering.
type Options struct {
	Width int
	Zone  *time.Location              // for display; nil: UTC
	Raw   bool                        // show Markdown unrendered
	Hits  func(plain string) [][2]int // cells of a line that hold words of the query; may be nil
}

// Render lays out a turn. Its texts must be clean.
func Render(t *retrieval.Turn, o Options, th theme.Theme) Text {
	width := max(1, o.Width)
	lines := asked(t, o, th)
	answer, labels := len(lines), []int{0}
	if lines = append(lines, ""); t.Chunk == nil {
		labels = append(labels, len(lines))
		lines = append(lines, speaker(Writer(t.Source), "", th.Remarks(t.Model, length(t.Assistant)), width, th.Bold, th))
	}
	var body box
	if text := cleantext.Columns(t.Assistant); o.Raw || cleantext.SlowMarkdown(text) || strings.TrimSpace(text) == "" {
		body.lines = prose(t.Assistant, "no answer in the export", width, th)
		body.code = rawCode(body.lines, o.Raw)
	} else {
		body = markdown(text, width, th)
	}
	for i := range body.code {
		body.code[i] += len(lines)
	}
	for _, at := range body.names {
		labels = append(labels, at+len(lines))
	}
	text := highlighted(append(lines, body.lines...), labels, o.Hits, th)
	text.Answer, text.Code, text.Shorter = answer+1, body.code, shorter(t, o, th)
	text.InRaw = !o.Raw && o.Hits != nil && len(text.Hits) == 0 && holds(t.Assistant, o.Hits)
	return text
}

// rawCode returns the lines below the opening fences of raw Markdown.
func rawCode(lines []string, raw bool) (at []int) {
	inside := false
	for i, line := range lines {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```") || strings.HasPrefix(strings.TrimSpace(line), "~~~")
		if raw && fence {
			if inside = !inside; inside {
				at = append(at, min(i+1, len(lines)-1))
			}
		}
	}
	return at
}

// asked returns the lines before the answer: the question, or the location of a chunk.
func asked(t *retrieval.Turn, o Options, th theme.Theme) []string {
	width := max(1, o.Width)
	if c := t.Chunk; c != nil {
		name := cmp.Or(c.Path, c.Filename, c.ID, t.Title)
		if part := c.Part(); part != "" {
			name = th.Remarks(part, cmp.Or(t.Title, c.Filename))
		}
		lines := []string{speaker(name, onRail(t, th), th.Remarks(Pages(c.Pages), when(t, o.Zone)), width, th.Bold, th)}
		if strings.TrimSpace(t.User) != "" {
			lines = append(lines, prose(t.User, "", width, th)...)
		}
		return lines
	}
	lines := []string{asker(t, when(t, o.Zone), width, th)}
	return append(lines, prose(t.User, "no question in the export", width, th)...)
}

// asker says who asks, and when.
func asker(t *retrieval.Turn, when string, width int, th theme.Theme) string {
	return speaker("You", onRail(t, th), when, width, th.You.Bold(), th)
}

// shorter returns who asks with less of the time: without its zone, and without the weekday.
func shorter(t *retrieval.Turn, o Options, th theme.Theme) (lines []string) {
	if t.Chunk != nil || t.Time == nil {
		return nil
	}
	at := t.Time.In(cmp.Or(o.Zone, time.UTC))
	for _, day := range []string{theme.Weekday(at), theme.Day(at)} {
		lines = append(lines, asker(t, day+", "+theme.Clock(at), max(1, o.Width), th))
	}
	return lines
}

// Pages describes the pages of a chunk, "" for none.
func Pages(span []int) string {
	switch {
	case len(span) != 2:
		return ""
	case span[0] == span[1]:
		return fmt.Sprintf("page %d", span[0])
	}
	return fmt.Sprintf("pages %d to %d", span[0], span[1])
}

// holds reports whether any line of text holds a word of the query.
func holds(text string, find func(string) [][2]int) bool {
	for line := range strings.Lines(text) {
		if len(find(line)) > 0 {
			return true
		}
	}
	return false
}

// highlighted marks the words of the query in all lines but the labels, which the turn does not have.
func highlighted(lines []string, labels []int, find func(string) [][2]int, th theme.Theme) Text {
	text := Text{Lines: lines}
	if find == nil {
		return text
	}
	for i, line := range lines {
		if len(labels) > 0 && labels[0] == i {
			labels = labels[1:]
			continue
		}
		hits := find(ansi.Strip(line))
		if len(hits) == 0 {
			continue
		}
		lines[i] = th.Hit.Over(line, hits)
		text.Hits = append(text.Hits, i)
	}
	return text
}

// speaker says who speaks, with a sign and a remark.
func speaker(who, sign, remark string, width int, style theme.Style, th theme.Theme) string {
	line := style.Render(who)
	if remark != "" {
		line += "  " + sign + th.Dim.Render(remark)
	}
	return ansi.Truncate(line, width, th.Glyphs.Ellipsis)
}

// length says how many words a text has, "" if they are few, or are not between spaces.
func length(text string) string {
	const few, longest = 50, 15 // letters a word on average
	words := len(strings.Fields(text))
	if words < few || utf8.RuneCountInString(text) > words*longest {
		return ""
	}
	return theme.Number(words) + " words"
}

// prose wraps unrendered text.
func prose(text, missing string, width int, th theme.Theme) []string {
	if strings.TrimSpace(text) == "" {
		return []string{th.Dim.Render(ansi.Truncate(missing, width, th.Glyphs.Ellipsis))}
	}
	return wrapped(cleantext.Columns(strings.Trim(text, "\n")), width)
}

// wrapped breaks text into lines of at most width cells, between words where it can.
func wrapped(text string, width int) []string {
	between := ansi.Wrap(text, width, "") // may leave a line too long
	return strings.Split(ansi.Hardwrap(between, width, true), "\n")
}

// onRail returns the sign of the turn on the rail of the chart, before its time; "" where that has none.
func onRail(t *retrieval.Turn, th theme.Theme) string {
	if t.Time == nil {
		return ""
	}
	return th.Mark.Render(histogram.Glyphs(th).MatchMark) + " "
}

// when formats the turn's time, and its origin if it is not the turn's own.
func when(t *retrieval.Turn, zone *time.Location) string {
	if t.Time == nil {
		return "undated"
	}
	text := theme.Moment(t.Time.In(cmp.Or(zone, time.UTC)))
	if t.TimeSource != retrieval.FromMessage && t.TimeSource != "" {
		text += " (time of the " + string(t.TimeSource) + ")"
	}
	return text
}

// writers are the names of the authors of answers, by source.
var writers = map[string]string{
	"chatgpt": "ChatGPT", "claude": "Claude", "gemini": "Gemini", "aistudio": "Gemini", "copilot": "Copilot",
	"deepseek": "DeepSeek", "grok": "Grok", "lechat": "Le Chat", "perplexity": "Perplexity", "claude-code": "Claude Code",
	"aider": "Aider", "amp": "Amp", "cline": "Cline", "goose": "Goose", "opencode": "OpenCode", "zed": "Zed",
	"codex": "Codex", "copilot-cli": "Copilot", "cursor": "Cursor", "gemini-cli": "Gemini", "vscode": "Copilot",
}

// Writer names the author of answers from a source.
func Writer(source string) string { return cmp.Or(writers[source], "Assistant") }

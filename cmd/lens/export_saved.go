package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"lens/agent"
	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/internal/cleantext"
	"lens/internal/errs"
	tui "lens/tui/app"

	"github.com/spf13/cobra"
)

// Saved chats and bookmarks are exported like turns: as JSON lines, or as Markdown to read.

// savedKind is what lens export writes instead of turns.
type savedKind struct {
	flag, one, title string
	each             func(ctx context.Context, a *app.App) iter.Seq2[savedItem, error]
}

// savedItem is a saved chat or a bookmark. As JSON, it is what is saved.
type savedItem interface{ markdown() string }

var (
	savedSessions  = savedKind{"--sessions", "saved chat", "Saved chats", eachSession}
	savedBookmarks = savedKind{"--bookmarks", "bookmark", "Bookmarks", eachBookmark}
)

// saved returns what to export instead of turns, nil for turns.
func (f exportFlags) saved() (*savedKind, error) {
	switch {
	case f.sessions && f.bookmarks:
		return nil, usage("run lens export once for each", "lens export takes --sessions or --bookmarks, not both")
	case f.sessions:
		return &savedSessions, nil
	case f.bookmarks:
		return &savedBookmarks, nil
	}
	return nil, nil
}

// export writes all items of a kind. The archive is opened first, which asks for the PIN.
func (k *savedKind) export(cmd *cobra.Command, env *Env, f exportFlags, format archive.ExportFormat) error {
	if format.Name != archive.JSONLines && format.Name != archive.Markdown {
		return usage("use "+archive.JSONLines+" or "+archive.Markdown, "%s cannot be written as %s", k.flag, format.Name)
	}
	a, err := env.Open(cmd)
	if err == nil {
		_, err = a.Archive.Reading(cmd.Context())
	}
	if err != nil {
		return err
	}
	n := 0
	write := func(w io.Writer) (err error) {
		terminal := f.output == "" && env.Out.terminal
		writer := savedWriter{to: w, lines: format.Name == archive.JSONLines}
		writer.clean = terminal || !f.raw && !writer.lines // as in an export of turns
		n, err = writer.writeAll(k.title, k.each(cmd.Context(), a))
		if err == nil && n == 0 {
			err = emptyExport(env, "", k.one+"s")
		}
		return err
	}
	if f.output == "" {
		return write(env.Out)
	}
	if err := writeAtomically(f.output, f.force, write); err != nil {
		return err
	}
	return env.PrintLine(map[string]any{strings.TrimPrefix(k.flag, "--"): n, "format": format.Name, "path": f.output},
		count(n, k.one)+" written to "+cleantext.Line(f.output))
}

// savedWriter writes saved items.
type savedWriter struct {
	to    io.Writer
	lines bool // JSON Lines instead of Markdown
	clean bool // show control characters as symbols, or escape them
}

// writeAll returns how many items it wrote. It writes nothing for none.
func (w savedWriter) writeAll(title string, items iter.Seq2[savedItem, error]) (n int, err error) {
	for item, err := range items {
		if err != nil {
			return n, err
		}
		text, err := w.encode(item)
		if n == 0 && !w.lines {
			text = "# " + title + "\n" + text
		}
		if err == nil {
			_, err = io.WriteString(w.to, text)
		}
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (w savedWriter) encode(item savedItem) (string, error) {
	if !w.lines {
		text := item.markdown()
		if w.clean {
			text = cleantext.Text(text)
		}
		return text, nil
	}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(item); err != nil {
		return "", err
	}
	if w.clean {
		return cleantext.JSON(line.String()), nil
	}
	return line.String(), nil
}

// eachSession yields the saved chats, archived ones too, oldest first. One that is forgotten meanwhile is left out.
func eachSession(ctx context.Context, a *app.App) iter.Seq2[savedItem, error] {
	return func(yield func(savedItem, error) bool) {
		var all []agent.SessionSummary
		for listed, err := range a.Sessions.All(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			all = append(all, listed)
		}
		slices.SortFunc(all, func(x, y agent.SessionSummary) int {
			return cmp.Or(x.Created.Compare(y.Created), strings.Compare(x.ID, y.ID))
		})
		for _, listed := range all {
			one, err := a.Sessions.Session(ctx, listed.ID)
			if errs.CodeOf(err) == errs.NotFound {
				continue
			}
			if !yield(savedSession{one}, err) || err != nil {
				return
			}
		}
	}
}

type savedSession struct{ agent.Session }

func (s savedSession) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n*%s*\n", cmp.Or(cleantext.Line(s.Name), "Untitled"), minute(s.Created))
	for _, e := range s.Exchanges {
		fmt.Fprintf(&b, "\n%s\n", quoted(e.Question))
		answer := strings.TrimRight(e.Answer, "\n")
		switch {
		case e.Answering:
			answer = "*Still being answered.*"
		case answer == "":
			answer = "*No answer.*"
		}
		fmt.Fprintf(&b, "%s\n", answer)
		switch {
		case e.Broken != "":
			fmt.Fprintf(&b, "\n*Incomplete: %s.*\n", e.Broken)
		case e.Truncated:
			b.WriteString("\n*The answer was cut.*\n")
		}
		if len(e.Citations) > 0 {
			b.WriteByte('\n')
		}
		for _, c := range e.Citations {
			fmt.Fprintf(&b, "- [%d] %s, %s, turn `%s`\n", c.N, strings.TrimSpace(day(c.Time)), cleantext.Line(c.Title), c.TurnID)
		}
	}
	return b.String()
}

// quoted returns a text as a block quote.
func quoted(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		b.WriteString(strings.TrimRight("> "+line, " \n") + "\n")
	}
	return b.String()
}

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// eachBookmark yields the explorer's bookmarks, oldest first.
func eachBookmark(_ context.Context, a *app.App) iter.Seq2[savedItem, error] {
	return func(yield func(savedItem, error) bool) {
		var saved tui.Session
		if !a.Archive.StateFile().Load(&saved) {
			return
		}
		for _, mark := range saved.Bookmarks {
			if !yield(savedBookmark{mark}, nil) {
				return
			}
		}
	}
}

type savedBookmark struct{ tui.Bookmark }

func (m savedBookmark) markdown() string {
	facts := []string{minute(m.Made)}
	if m.Text != "" {
		facts = append(facts, "query `"+cleantext.Line(m.Text)+"`")
	}
	if m.To > m.From {
		facts = append(facts, minute(time.Unix(m.From, 0))+" to "+minute(time.Unix(m.To, 0)))
	}
	if m.Turn != "" {
		facts = append(facts, "turn `"+cleantext.Line(m.Turn)+"`")
	}
	return "\n- **" + cleantext.Line(m.Name) + "**: " + strings.Join(facts, ", ") + "\n"
}

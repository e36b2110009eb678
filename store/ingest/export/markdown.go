package export

import (
	"bufio"
	"fmt"
	"iter"
	"strings"

	"lens/store"
)

// Markdown is a document for people: a heading per day, then its turns, with questions as block quotes.
var Markdown = Format{
	Name:        "md",
	Extension:   ".md",
	Description: "a document",
	Encode:      encodeMarkdown,
}

func encodeMarkdown(w *bufio.Writer, turns iter.Seq2[*store.Turn, error]) error {
	before := ""
	for t, err := range turns {
		if err != nil {
			return err
		}
		day, hour := "Undated", ""
		if !t.Time.IsZero() {
			day, hour = t.Time.UTC().Format("Monday, 2 January 2006"), t.Time.UTC().Format("15:04 UTC")
		}
		if day != before {
			if before != "" {
				_ = w.WriteByte('\n')
			}
			fmt.Fprintf(w, "# %s\n", day)
			before = day
		}
		reply := closeFence(strings.TrimRight(t.AssistantText, "\n"))
		if reply == "" {
			reply = "*No answer.*"
		}
		fmt.Fprintf(w, "\n## %s\n\n%s\n\n%s\n%s\n", heading(t), details(t, hour), quotation(t.UserText), reply)
	}
	return nil
}

// heading returns the conversation's title in one line.
func heading(t *store.Turn) string {
	if title := strings.Join(strings.Fields(t.Title), " "); title != "" {
		return title
	}
	return "Untitled"
}

// details returns the turn's time, model and id in one line.
func details(t *store.Turn, hour string) string {
	parts := make([]string, 0, 4)
	for _, part := range []string{hour, t.Model} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if !t.OnPath {
		parts = append(parts, "abandoned branch")
	}
	return "*" + strings.Join(append(parts, "turn `"+t.ID.String()+"`"), " · ") + "*"
}

func quotation(text string) string {
	var b strings.Builder
	for l := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		if l == "\n" {
			b.WriteString(">\n")
			continue
		}
		b.WriteString("> " + l)
	}
	return b.String()
}

// closeFence closes a code block that text leaves open: the rest of the document would become part of it.
func closeFence(text string) string {
	fence := ""
	for l := range strings.Lines(text) {
		l = strings.TrimSpace(l)
		switch {
		case fence == "" && (strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~")):
			fence = l[:len(l)-len(strings.TrimLeft(l, l[:1]))]
		case fence != "" && strings.HasPrefix(l, fence) && strings.Trim(l, fence[:1]) == "":
			fence = ""
		}
	}
	if fence == "" {
		return text
	}
	return text + "\n" + fence
}

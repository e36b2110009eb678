package claude

import (
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
)

// Answers of 2024 have thoughts and artifacts in their text, as elements that Claude's page does not show as they are.
const (
	thinkingTag = "<antThinking>"
	thinkingEnd = "</antThinking>"
	artifactTag = "<antArtifact"
	artifactEnd = "</antArtifact>"
)

// shown returns the text of an answer as people see it: without thoughts, and with the title of each artifact.
func shown(text string) string {
	if !strings.Contains(text, "<ant") {
		return text
	}
	var b strings.Builder
	for rest := withoutThoughts(text); ; {
		before, a, after, found := cutArtifact(rest)
		b.WriteString(before)
		switch label := a.label(); {
		case !found:
			return strings.TrimSpace(b.String())
		case label == "":
			b.WriteString(rest[len(before) : len(rest)-len(after)])
		default:
			b.WriteString("[artifact: " + label + "]")
		}
		rest = after
	}
}

func withoutThoughts(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, thinkingTag)
		_, after, ends := strings.Cut(rest, thinkingEnd)
		if !found || !ends {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(before)
		if text = after; before == "" || strings.HasSuffix(before, " ") || strings.HasSuffix(before, "\n") {
			text = strings.TrimLeft(after, " \n")
		}
	}
}

// element is an artifact in the text of an answer.
type element struct {
	attributes map[string]string
	body       string
}

func (e *element) label() string {
	if title := e.attributes["title"]; title != "" {
		return title
	}
	return e.attributes["identifier"]
}

// cutArtifact returns the first artifact of a text, and what is before and after it. One that does not end is all that
// follows.
func cutArtifact(text string) (before string, e element, after string, found bool) {
	before, rest, found := strings.Cut(text, artifactTag)
	end := tagEnd(rest)
	if !found || end < 0 {
		return text, e, "", false
	}
	e.attributes = map[string]string{}
	for _, a := range attribute().FindAllStringSubmatch(rest[:end], -1) {
		e.attributes[a[1]] = a[2]
	}
	e.body, after, _ = strings.Cut(rest[end+1:], artifactEnd)
	return before, e, after, true
}

// thoughtsIn returns the thoughts in the text of an answer.
func thoughtsIn(text string) (all []string) {
	for {
		_, rest, found := strings.Cut(text, thinkingTag)
		thought, after, ends := strings.Cut(rest, thinkingEnd)
		if !found || !ends {
			return all
		}
		all, text = append(all, thought), after
	}
}

// writtenText returns the text of a stored message as it was exported.
func writtenText(m *store.Message) string {
	r := &reader{Cursor: chat.NewCursor(m.Raw)}
	var f fields
	r.Object(func(name []byte) { r.field(&f, name) })
	return r.text(&f)
}

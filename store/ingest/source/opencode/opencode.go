// Package opencode parses the sessions of the coding agent OpenCode: files of a folder, or rows of a database. It does
// no I/O of its own.
//
// A session, each of its messages and each part of a message is a JSON object of its own. Ids are in order of time.
package opencode

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// session is a session, as far as its messages have come.
type session struct {
	source.Session
	subagent bool // nothing that it is asked are words of the person
}

// read reads the object of the session, and when it last changed.
func (s *session) read(raw []byte) {
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) {
		switch string(name) {
		case "id":
			s.ID = c.String()
		case "title":
			s.Title = c.Text(&s.Count)
		case "parentID":
			s.subagent = c.String() != ""
		case "time":
			s.Created, s.Updated = times(c)
		}
	})
}

func times(c *chat.Cursor) (created, updated time.Time) {
	c.Object(func(name []byte) {
		switch string(name) {
		case "created":
			created = c.Time()
		case "updated":
			updated = c.Time()
		}
	})
	return created, updated
}

// object is a JSON object with its id.
type object struct {
	id  string
	raw []byte
}

func inOrder(all []object) []object {
	slices.SortStableFunc(all, func(a, b object) int { return cmp.Compare(a.id, b.id) })
	return all
}

// add adds a message with its parts.
func (s *session) add(message object, at time.Time, parts []object) {
	var role, model string
	isSummary := false
	c := chat.NewCursor(message.raw)
	isObject := c.Object(func(name []byte) {
		switch string(name) {
		case "role":
			role = c.String()
		case "modelID":
			model = c.String()
		case "time":
			if created, _ := times(c); at.IsZero() {
				at = created
			}
		case "summary": // an answer that takes the place of earlier ones; of a question, its title
			isSummary = c.Is('t')
		}
	})
	if !isObject {
		s.Drop("unreadable message")
		return
	}
	content := new(source.Content)
	own := part{content: content}
	for _, p := range inOrder(parts) {
		own.read(p.raw)
	}
	words := chat.Paragraphs(own.words)
	if isSummary || s.subagent && role == string(store.User) {
		words = ""
	}
	m := content.Message(&s.Count, store.Role(role), words, joined(message, parts))
	m.Time = at
	if m.Role == store.Assistant {
		m.Model = model
	}
	s.Seen(at)
	s.Add(message.id, m)
}

// joined returns one object with a message and its parts.
func joined(message object, parts []object) []byte {
	var b bytes.Buffer
	b.WriteString(`{"message":`)
	b.Write(message.raw)
	b.WriteString(`,"parts":[`)
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(p.raw)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// part collects the parts of a message.
type part struct {
	content *source.Content
	words   []string // that its author said
}

func (p *part) read(raw []byte) {
	var kind, text, tool string
	injected := false
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = c.String()
		case "text":
			text = c.String()
		case "tool":
			tool = c.String()
		case "synthetic", "ignored":
			injected = c.Is('t') || injected
		}
	})
	switch {
	case kind == "text" && strings.TrimSpace(text) != "":
		p.content.Texts = append(p.content.Texts, text)
		if !injected {
			p.words = append(p.words, text)
		}
	case kind == "reasoning":
		p.content.Thoughts = append(p.content.Thoughts, text)
	case kind == "tool":
		p.content.Calls = append(p.content.Calls, tool)
	}
}

// parsed returns the session, or why there is none.
func (s *session) parsed() (*chat.Parsed, *chat.Skip) {
	s.Source = store.OpenCode
	switch {
	case s.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: len(s.Nodes)}
	case len(s.Nodes) == 0:
		return nil, &chat.Skip{Reason: "no messages"}
	}
	return chat.Build(&s.Draft), nil
}

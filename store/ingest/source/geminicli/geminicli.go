// Package geminicli parses the sessions of Gemini CLI, one JSON object or a log with a line for each change. It does no
// I/O of its own.
package geminicli

import (
	"cmp"
	"io"
	"iter"
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Session is the layout of tmp/PROJECT/chats/session-*.json in ~/.gemini.
var Session = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.GeminiCLI, Name: "Gemini CLI", Matches: isSession, Read: source.Reads(Conversations),
	Get: "the sessions on this machine",
	Kept: []source.Place{
		{Folder: ".gemini", Files: []string{"tmp/*/chats/**/*.json", "tmp/*/chats/**/*.jsonl"}},
	},
}

// Log is the layout of tmp/PROJECT/chats/session-*.jsonl in ~/.gemini.
var Log = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.GeminiCLI, Name: "Gemini CLI", Matches: isLog, Read: source.ReadsLog("gemini cli: read", start),
}

func isSession(s *source.Sample) bool {
	return s.Any(func(v source.Value) bool {
		return v.Has("sessionId") && (v.Has("projectHash") || v.Has("startTime")) && v.Get("messages").IsArray()
	})
}

func isLog(s *source.Sample) bool {
	return s.Any(func(v source.Value) bool {
		return v.Has("sessionId", "projectHash") && !v.Has("messages")
	})
}

// injected are the beginnings of texts in the person's name that the program wrote.
var injected = []source.Envelope{
	{Start: "--- Content from referenced files ---"},
	{Start: "<session_context>", End: "</session_context>"},
}

// Conversations yields the session in a JSON file. If it cannot be read it yields a *chat.Skip with the reason; any
// other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("gemini cli: read", r, func(raw []byte) (*chat.Parsed, *chat.Skip) {
		s := newSession()
		c := chat.NewCursor(raw)
		c.Object(func(name []byte) {
			if string(name) != "messages" {
				s.field(c, string(name))
				return
			}
			c.Array(func() { s.message(c.Span(c.Skip)) })
		})
		d := s.Draft()
		switch {
		case d.ID == "":
			return nil, &chat.Skip{Reason: "no id", Nodes: len(d.Nodes)}
		case len(d.Nodes) == 0:
			return nil, &chat.Skip{Reason: "no messages"}
		}
		return chat.Build(d), nil
	})
}

// session is a session, as far as its changes have come.
type session struct {
	source.Session
	messages map[string]*chat.Message // of the active path, by the id given by the program
	subagent bool
}

func newSession() *session {
	s := &session{messages: make(map[string]*chat.Message)}
	s.Source = store.GeminiCLI
	return s
}

func start(*source.File) source.Log { return newSession() }

// field reads a member of the session.
func (s *session) field(c *chat.Cursor, name string) {
	switch name {
	case "sessionId":
		s.ID = cmp.Or(s.ID, c.String())
	case "startTime", "lastUpdated":
		s.Seen(c.Time())
	case "summary":
		s.Title = cmp.Or(c.Text(&s.Count), s.Title)
	case "kind":
		s.subagent = c.String() == "subagent"
	}
}

// Record reads a line of a log: the session, a message, or a change.
func (s *session) Record(raw []byte) {
	c := chat.NewCursor(raw)
	typed := false
	c.Object(func(name []byte) {
		switch string(name) {
		case "type":
			typed = true
		case "$set":
			c.Object(func(name []byte) { s.field(c, string(name)) })
		case "$rewindTo":
			s.rewind(c.String())
		}
	})
	if typed {
		s.message(raw)
		return
	}
	c = chat.NewCursor(raw)
	c.Object(func(name []byte) { s.field(c, string(name)) })
}

// rewind takes a message and all that followed off the active path; all messages if there is none with the id.
func (s *session) rewind(id string) {
	from := 0
	s.Current = ""
	for i := range s.Nodes {
		if s.Nodes[i].ID == id {
			from, s.Current = i, s.Nodes[i].Parent
		}
	}
	for i := range s.Nodes[from:] {
		delete(s.messages, s.Nodes[from+i].ID)
	}
}

// message reads a message. One with the id of an earlier one takes its place.
func (s *session) message(raw []byte) {
	var id, kind, model string
	var shown, content, asides []string
	m := new(chat.Message)
	c := chat.NewCursor(raw)
	isObject := c.Object(func(name []byte) {
		switch string(name) {
		case "id":
			id = c.String()
		case "type":
			kind = c.String()
		case "timestamp":
			m.Time = c.Time()
		case "model":
			model = c.String()
		case "content":
			content = parts(c)
		case "displayContent":
			shown = parts(c)
		case "toolCalls", "thoughts":
			c.Array(func() { asides = append(asides, nameOf(c)) })
		}
	})
	if !isObject {
		s.Drop("unreadable message")
		return
	}
	at := m.Time
	text := chat.Paragraphs(content)
	switch {
	case kind == "user":
		if words := chat.Paragraphs(ownWords(shown, content)); words != "" {
			m = s.Count.Speech(store.User, words, raw)
			break
		}
		m = s.Count.Aside(store.System, "context", text, raw)
	case kind == "gemini" && text != "":
		m = s.Count.Speech(store.Assistant, text, raw)
		m.Model = model
	case kind == "gemini":
		m = s.Count.Aside(store.Assistant, "tool_use", chat.Paragraphs(asides), raw)
	default:
		m = s.Count.Aside(store.System, kind, text, raw)
	}
	m.Time = at
	s.Seen(at)
	if earlier := s.messages[id]; earlier != nil {
		*earlier = *m
		return
	}
	s.Add(id, m)
	if s.Current == id {
		s.messages[id] = m
	}
}

// ownWords returns what the person typed: the program keeps that when it put files in its place.
func ownWords(shown, content []string) (own []string) {
	if chat.Paragraphs(shown) != "" {
		content = shown
	}
	for _, text := range content {
		words := source.OwnWords(text, injected)
		if words == "" && strings.TrimSpace(text) != "" && strings.HasPrefix(strings.TrimSpace(text), injected[0].Start) {
			break // the parts after it are the files
		}
		own = append(own, words)
	}
	return own
}

// parts returns the texts of a string or a list of parts.
func parts(c *chat.Cursor) (all []string) {
	if c.Is('"') {
		return []string{c.String()}
	}
	c.Array(func() {
		if c.Is('"') {
			all = append(all, c.String())
			return
		}
		c.Object(func(name []byte) {
			if string(name) == "text" {
				all = append(all, c.String())
			}
		})
	})
	return all
}

// nameOf returns what a call of a tool or a thought is about.
func nameOf(c *chat.Cursor) (name string) {
	c.Object(func(member []byte) {
		if n := string(member); n == "name" || n == "subject" {
			name = c.String()
		}
	})
	return name
}

// Draft returns the session. Nothing that a subagent is asked are words of the person.
func (s *session) Draft() *chat.Draft {
	for i := range s.Nodes {
		if m := s.Nodes[i].Message; s.subagent && m != nil {
			m.Visible = false
		}
	}
	return &s.Session.Draft
}

// Package goose parses the sessions of the agent Goose. It does no I/O of its own.
package goose

import (
	"path"
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Log is the layout of sessions/SESSION.jsonl in ~/.local/share/goose, as releases before 2025-10 write them: a line
// with what holds for the session, and one for each message.
var Log = source.Format{
	Source: store.Goose, Name: "Goose", Matches: matches, Read: source.ReadsLog("goose: read", start),
}

func matches(s *source.Sample) bool {
	lines := s.Records()
	if len(lines) == 0 || lines[0].Has("role") {
		return false
	}
	header := lines[0].Has("working_dir") || lines[0].Has("description", "message_count")
	return header && (len(lines) == 1 || s.Any(func(line source.Value) bool {
		return line.Get("role").IsString() && line.Get("created").IsNumber() && line.Get("content").IsArray()
	}))
}

// log is a session, as far as its lines have come.
type log struct{ source.Session }

func start(f *source.File) source.Log {
	name := path.Base(f.Name)
	id := strings.TrimSuffix(name, path.Ext(name))
	return &log{source.Session{Draft: chat.Draft{Source: store.Goose, ID: id}}}
}

// Record reads a line.
func (l *log) Record(raw []byte) {
	if m := l.message(raw); m != nil {
		l.Seen(m.Time)
		l.Add("", m)
	}
}

// message reads a message; nil: the line with what holds for the session. What the program does not show its user are
// no words of theirs.
func (l *log) message(raw []byte) *chat.Message {
	hidden := false
	var role string
	var content *source.Content
	m := new(chat.Message)
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) {
		switch string(name) {
		case "role":
			role = c.String()
		case "created":
			m.Time = c.Time()
		case "content":
			content = source.ReadContent(c)
		case "description":
			l.Title = c.Text(&l.Count)
		case "metadata":
			c.Object(func(name []byte) {
				if string(name) == "userVisible" {
					hidden = c.Is('f')
				}
			})
		}
	})
	if role == "" || content == nil {
		return nil
	}
	words := chat.Paragraphs(content.Texts)
	if hidden {
		words = ""
	}
	at := m.Time
	m = content.Message(&l.Count, store.Role(role), words, raw)
	m.Time = at
	return m
}

// Draft returns the session.
func (l *log) Draft() *chat.Draft { return &l.Session.Draft }

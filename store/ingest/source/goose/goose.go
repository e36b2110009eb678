// Package goose parses the sessions of the agent Goose. It does no I/O of its own.
package goose

import (
	"path"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Log is the layout of sessions/SESSION.jsonl in ~/.local/share/goose, as releases before 2025-10 write them: a line
// with what holds for the session, and one for each message.
var Log = source.Format{
	Tools: true, Derive: chat.DeriveTools,
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

// Record reads a line: what holds for the session, or a message.
func (l *log) Record(raw []byte) {
	m := new(message)
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) {
		switch string(name) {
		case "role":
			m.role = c.String()
		case "created":
			m.at = c.Time()
		case "content":
			m.content = source.ReadContent(c)
		case "description":
			l.Title = c.Text(&l.Count)
		case "metadata":
			m.hidden = isHidden(c)
		}
	})
	if m.role != "" && m.content != nil {
		m.add(&l.Session, raw)
	}
}

// message is a message, of a log or of a row in the database.
type message struct {
	role    string
	at      time.Time
	content *source.Content
	hidden  bool // the program does not show it: no words of the person
}

// add adds the message to its session. Its id is made of its content, so that a log and the database into which a later
// release took it have the same messages.
func (m *message) add(s *source.Session, raw []byte) {
	words := chat.Paragraphs(m.content.Texts)
	if m.hidden {
		words = ""
	}
	said := m.content.Message(&s.Count, store.Role(m.role), words, raw)
	said.Time = m.at
	s.Seen(m.at)
	s.Add("", said)
}

// isHidden reads the metadata of a message.
func isHidden(c *chat.Cursor) (hidden bool) {
	c.Object(func(name []byte) {
		if string(name) == "userVisible" {
			hidden = c.Is('f')
		}
	})
	return hidden
}

// Draft returns the session.
func (l *log) Draft() *chat.Draft { return &l.Session.Draft }

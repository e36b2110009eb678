// Package pi parses the logs of sessions with the coding agent Pi. It does no I/O of its own.
package pi

import (
	"cmp"
	"path"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of the log of a session: agent/sessions/FOLDER/TIME_SESSION.jsonl in ~/.pi.
var Format = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Pi, Name: "Pi", Matches: matches, Read: source.ReadsLog("pi: read", start),
	Get: "the sessions on this machine",
	Kept: []source.Place{
		{Folder: ".pi/agent", Var: "PI_CODING_AGENT_DIR", Files: []string{"sessions/**/*.jsonl"}},
	},
}

func matches(s *source.Sample) bool {
	lines := s.Records()
	return len(lines) > 0 && lines[0].Get("type").Text() == "session" && s.Any(func(line source.Value) bool {
		return line.Get("type").Text() == "message" && line.Get("message", "role").IsString()
	})
}

// log is a session, as far as its lines have come. Records name their parents; the last one is where the session is.
type log struct {
	source.Session
	name   string            // of the file
	above  map[string]string // for each record, its message or the nearest one above
	placed map[string]bool   // ids of messages
}

func start(f *source.File) source.Log {
	name := path.Base(f.Name)
	return &log{
		Session: source.Session{Draft: chat.Draft{Source: store.Pi}}, name: strings.TrimSuffix(name, path.Ext(name)),
		above: make(map[string]string), placed: make(map[string]bool),
	}
}

// record is what Lens reads of a line.
type record struct {
	kind, id, parent, name string
	at, said               time.Time
	role, model            string
	texts, thoughts, calls []string
	hasParent              bool
}

func read(raw []byte) *record {
	r := new(record)
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) {
		switch string(name) {
		case "type":
			r.kind = c.String()
		case "id":
			r.id = c.String()
		case "parentId":
			r.hasParent = true
			r.parent = c.String()
		case "timestamp":
			r.at = c.Time()
		case "name":
			r.name = c.String()
		case "message":
			c.Object(func(name []byte) { r.field(c, string(name)) })
		}
	})
	if r.at.IsZero() {
		r.at = r.said
	}
	return r
}

func (r *record) field(c *chat.Cursor, name string) {
	switch name {
	case "role":
		r.role = c.String()
	case "model":
		r.model = c.String()
	case "timestamp":
		r.said = c.Time()
	case "command", "output":
		r.texts = append(r.texts, c.String())
	case "content":
		if c.Is('"') {
			r.texts = append(r.texts, c.String())
			return
		}
		c.Array(func() { r.block(c) })
	}
}

func (r *record) block(c *chat.Cursor) {
	c.Object(func(name []byte) {
		switch string(name) {
		case "text":
			r.texts = append(r.texts, c.String())
		case "thinking":
			r.thoughts = append(r.thoughts, c.String())
		case "name":
			r.calls = append(r.calls, c.String())
		}
	})
}

// Record reads a line.
func (l *log) Record(raw []byte) {
	r := read(raw)
	l.Seen(r.at)
	switch r.kind {
	case "session":
		l.ID = cmp.Or(l.ID, r.id)
	case "session_info":
		l.Title = cmp.Or(r.name, l.Title)
		l.pass(r)
	case "message":
		l.message(r, raw)
	default: // changes of the model, summaries, labels
		l.pass(r)
	}
}

// pass takes up a record without a message: others may name it as their parent.
func (l *log) pass(r *record) {
	if r.id != "" && !l.placed[r.id] {
		l.above[r.id] = l.parent(r)
	}
}

// parent returns the message that a record follows: the last one in logs whose records name none.
func (l *log) parent(r *record) string {
	if node, ok := l.above[r.parent]; ok || r.hasParent && r.parent == "" {
		return node
	}
	return l.Current
}

func (l *log) message(r *record, raw []byte) {
	m := l.speech(r, raw)
	m.Time = r.at
	if l.placed[r.id] {
		l.Drop("repeated record")
		return
	}
	l.Current = l.parent(r)
	l.Add(r.id, m)
	if r.id != "" {
		l.above[r.id], l.placed[r.id] = l.Current, true
	}
}

func (l *log) speech(r *record, raw []byte) *chat.Message {
	text := chat.Paragraphs(r.texts)
	switch {
	case r.role == "user" && text != "":
		return l.Count.Speech(store.User, text, raw)
	case r.role == "assistant" && text != "":
		m := l.Count.Speech(store.Assistant, text, raw)
		m.Model = r.model
		return m
	case r.role == "user":
		return l.Count.Aside(store.User, "image", "", raw)
	case r.role == "assistant":
		return l.Count.Aside(store.Assistant, "tool_use", chat.Paragraphs(append(r.thoughts, r.calls...)), raw)
	}
	return l.Count.Aside(store.Tool, r.role, text, raw)
}

// Draft returns the session.
func (l *log) Draft() *chat.Draft {
	l.ID = cmp.Or(l.ID, l.name)
	return &l.Session.Draft
}

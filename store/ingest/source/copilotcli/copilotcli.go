// Package copilotcli parses the logs of sessions with GitHub Copilot CLI. It does no I/O of its own.
package copilotcli

import (
	"cmp"
	"path"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of the log of a session: session-state/SESSION/events.jsonl or SESSION.jsonl in ~/.copilot.
var Format = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.CopilotCLI, Name: "GitHub Copilot CLI", Matches: matches,
	Read: source.ReadsLog("copilot cli: read", start),
	Get:  "the sessions on this machine",
	Kept: []source.Place{
		{Folder: ".copilot", Files: []string{"session-state/**/*.jsonl"}},
	},
}

func matches(s *source.Sample) bool {
	return s.Any(func(line source.Value) bool {
		kind := line.Get("type").Text()
		return (kind == "user.message" || kind == "session.start") && line.Get("data").IsObject()
	})
}

// injected are the beginnings of texts in the person's name that the program wrote.
var injected = []source.Envelope{{Start: "<skill-context"}}

// log is a session, as far as its lines have come.
type log struct {
	source.Session
	name  string // of the session, by its file
	model string
}

func start(f *source.File) source.Log {
	base := path.Base(f.Name)
	name := strings.TrimSuffix(base, path.Ext(base))
	if name == "events" {
		name = strings.TrimPrefix(path.Base(path.Dir(f.Name)), ".")
	}
	return &log{Session: source.Session{Draft: chat.Draft{Source: store.CopilotCLI}}, name: name}
}

// record is what Lens reads of a line.
type record struct {
	kind, id string
	at       time.Time

	content, thought, session, model, origin string
	tool, result                             string
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
		case "timestamp":
			r.at = c.Time()
		case "data":
			c.Object(func(name []byte) { r.field(c, string(name)) })
		}
	})
	return r
}

func (r *record) field(c *chat.Cursor, name string) {
	switch name {
	case "content":
		r.content = c.String()
	case "reasoningText":
		r.thought = c.String()
	case "sessionId":
		r.session = c.String()
	case "newModel", "model", "selectedModel":
		r.model = c.String()
	case "source":
		r.origin = c.String()
	case "toolName":
		r.tool = c.String()
	case "result":
		if c.Is('"') {
			r.result = c.String()
			return
		}
		c.Object(func(name []byte) {
			if string(name) == "content" {
				r.result = c.String()
			}
		})
	}
}

// Record reads a line.
func (l *log) Record(raw []byte) {
	r := read(raw)
	l.Seen(r.at)
	var m *chat.Message
	switch {
	case r.kind == "session.start":
		l.ID = cmp.Or(l.ID, r.session)
		l.model = cmp.Or(r.model, l.model)
		return
	case r.kind == "session.model_change":
		l.model = cmp.Or(r.model, l.model)
		return
	case r.kind == "user.message":
		words := source.OwnWords(r.content, injected)
		if words == "" || strings.HasPrefix(r.origin, "skill-") {
			m = l.Count.Aside(store.System, "context", r.content, raw)
			break
		}
		m = l.Count.Speech(store.User, words, raw)
	case r.kind == "assistant.message" && strings.TrimSpace(r.content) != "":
		m = l.Count.Speech(store.Assistant, r.content, raw)
		m.Model = cmp.Or(r.model, l.model)
	case strings.HasPrefix(r.kind, "assistant."):
		m = l.Count.Aside(store.Assistant, r.kind, cmp.Or(r.content, r.thought), raw)
	case strings.HasPrefix(r.kind, "tool."):
		m = l.Count.Aside(store.Tool, r.kind, cmp.Or(r.result, r.tool), raw)
	case strings.HasPrefix(r.kind, "session."):
		return
	default:
		l.Drop("record of unknown type")
		return
	}
	m.Time = r.at
	l.Add(r.id, m)
}

// Draft returns the session.
func (l *log) Draft() *chat.Draft {
	l.ID = cmp.Or(l.ID, l.name)
	return &l.Session.Draft
}

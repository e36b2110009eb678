// Package amp parses the threads of the coding agent Amp. It does no I/O of its own.
package amp

import (
	"cmp"
	"io"
	"iter"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of threads/T-….json in ~/.local/share/amp. A thread has the time at which it began, and an
// answer that of its request; a question has none, so that turns have that of their thread.
var Format = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Amp, Name: "Amp", Matches: matches, Read: source.Reads(Conversations),
	Get:  "the threads on this machine",
	Kept: []source.Place{{Base: source.Data, Folder: "amp/threads", Files: []string{"T-*.json"}}},
}

func matches(s *source.Sample) bool {
	return s.Any(func(thread source.Value) bool {
		return strings.HasPrefix(thread.Get("id").Text(), "T-") &&
			thread.Get("messages").Any(func(m source.Value) bool {
				role := m.Get("role").Text()
				return (role == "user" || role == "assistant") && m.Get("content").IsArray()
			})
	})
}

// Conversations yields the thread in a JSON file. If it cannot be read it yields a *chat.Skip with the reason; any
// other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("amp: read", r, decode)
}

// thread is a thread, as far as its messages have come.
type thread struct {
	source.Session
	*chat.Cursor
}

func decode(raw []byte) (*chat.Parsed, *chat.Skip) {
	t := &thread{Cursor: chat.NewCursor(raw)}
	t.Source = store.Amp
	t.Object(func(name []byte) {
		switch string(name) {
		case "id":
			t.ID = t.String()
		case "title":
			t.Title = t.Text(&t.Count)
		case "created":
			t.Created = t.Time()
		case "messages":
			t.Array(func() { t.message(t.Span(t.Skip)) })
		}
	})
	switch {
	case t.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: len(t.Nodes)}
	case len(t.Nodes) == 0:
		return nil, &chat.Skip{Reason: "no messages"}
	}
	t.DateByMessages()
	if t.Updated.IsZero() {
		t.Updated = t.Created
	}
	return chat.Build(&t.Draft), nil
}

// message reads a message. Ids count the messages of a thread.
func (t *thread) message(raw []byte) {
	var id, role, model string
	var at time.Time
	content := new(source.Content)
	c := chat.NewCursor(raw)
	isObject := c.Object(func(name []byte) {
		switch string(name) {
		case "messageId":
			id = c.String()
		case "role":
			role = c.String()
		case "content":
			content = source.ReadContent(c)
		case "usage":
			c.Object(func(name []byte) {
				switch string(name) {
				case "model":
					model = c.String()
				case "timestamp":
					at = c.Time()
				}
			})
		case "meta":
			c.Object(func(name []byte) {
				if string(name) == "sentAt" {
					at = c.Time()
				}
			})
		}
	})
	if !isObject {
		t.Drop("unreadable message")
		return
	}
	m := content.Message(&t.Count, store.Role(role), chat.Paragraphs(content.Texts), raw)
	m.Time = at
	if m.Role == store.Assistant {
		m.Model = cmp.Or(model, t.Model)
	}
	t.Add(id, m)
}

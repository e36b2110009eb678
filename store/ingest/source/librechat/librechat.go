// Package librechat parses conversations that LibreChat exports as JSON, flat or as a tree. It does no I/O of its own.
//
// A file is one conversation. Nothing says which branch was open last: it is the one with the newest end, or the
// longest while messages have no times.
package librechat

import (
	"cmp"
	"io"
	"iter"

	"github.com/go-json-experiment/json/jsontext"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of an exported conversation.
var Format = source.Format{
	Source: store.LibreChat, Name: "LibreChat", Matches: matches, Read: source.Reads(Conversations),
	Derive: derive,
	Get:    "the menu of a conversation, Export; JSON or CSV",
}

func matches(s *source.Sample) bool {
	byUser := func(message source.Value) bool { return message.Has("isCreatedByUser") }
	return s.Any(func(c source.Value) bool {
		return c.Has("conversationId") && (c.Get("messages").Any(byUser) || c.Get("messagesTree").Any(byUser))
	})
}

// Conversations yields the conversations of one JSON file, in order. For a conversation that cannot be read it yields a
// *chat.Skip with the reason and continues; any other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("librechat: read", r, decode)
}

// reader reads one conversation and collects its draft.
type reader struct {
	*chat.Cursor
	draft  chat.Draft
	ids    chat.ContentIDs // of messages without one
	beyond int             // how many messages come after the first maxMessages
}

// maxMessages bounds the memory that a file of many short messages takes. A conversation with more is skipped whole.
const maxMessages = 100_000

func newReader() *reader { return &reader{draft: chat.Draft{Source: store.LibreChat, Derive: derive}} }

func decode(raw []byte) (*chat.Parsed, *chat.Skip) {
	r := newReader()
	r.Cursor = chat.NewCursor(raw)
	messages := false
	r.Object(func(name []byte) {
		switch string(name) {
		case "conversationId":
			r.draft.ID = r.String()
		case "title":
			r.draft.Title = r.Text(&r.draft.Count)
		case "options":
			r.Object(func(name []byte) {
				if string(name) == "model" {
					r.draft.Model = r.String()
				}
			})
		case "messages", "messagesTree":
			messages = r.Array(r.node) || messages
		}
	})
	if !messages {
		return nil, &chat.Skip{Reason: "no messages"}
	}
	return r.build()
}

// build returns the conversation, whose messages were read.
func (r *reader) build() (*chat.Parsed, *chat.Skip) {
	nodes := len(r.draft.Nodes) + r.beyond
	switch {
	case r.draft.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: nodes}
	case r.beyond > 0:
		return nil, &chat.Skip{Reason: "more than 100,000 messages", Nodes: nodes}
	}
	r.draft.Current = r.longest()
	r.draft.DateByMessages()
	return chat.Build(&r.draft), nil
}

// longest returns the end of the longest branch if some message has no time, else "".
func (r *reader) longest() (end string) {
	depth := make(map[string]int, len(r.draft.Nodes))
	most, undated := 0, false
	for i := range r.draft.Nodes { // parents come first
		n := &r.draft.Nodes[i]
		d := depth[n.Parent] + 1
		if depth[n.ID] = d; d >= most {
			most, end = d, n.ID
		}
		undated = undated || n.Message != nil && n.Message.Time.IsZero()
	}
	if !undated {
		return ""
	}
	return end
}

// fields are the fields of a message object that Lens reads.
type fields struct {
	id, parent string
	own        bool // the person's
	failed     bool // the text is an error
	text       string
	content    []string // pieces of the text, which count if they are there
	files      []string
	message    chat.Message
}

// node reads a message and, in a tree, those that follow it, which may not name their parent.
func (r *reader) node() {
	if r.isFull() {
		r.countOn()
		return
	}
	at := len(r.draft.Nodes)
	r.draft.Drop("unreadable message")
	if !r.Is('{') {
		return
	}
	f := fields{message: chat.Message{Role: store.Assistant, ContentType: "text"}}
	var following []int
	raw := []byte{'{'}
	r.Object(func(name []byte) {
		if string(name) == "children" {
			r.Array(func() {
				child := len(r.draft.Nodes)
				if r.node(); child < len(r.draft.Nodes) {
					following = append(following, child)
				}
			})
			return
		}
		value := r.Span(func() { r.member(&f, name) })
		if len(value) == 0 {
			value = r.Span(r.Skip)
		}
		raw = appendMember(raw, name, value)
	})
	f.message.Raw = r.scrubbed(append(raw, '}'))
	m := f.finish()
	f.id = cmp.Or(f.id, r.ids.Of(m))
	r.draft.Nodes[at] = chat.Node{ID: f.id, Parent: f.parent, Message: m}
	for _, i := range following {
		if n := &r.draft.Nodes[i]; n.Parent == "" {
			n.Parent = f.id
		}
	}
}

func (r *reader) isFull() bool { return len(r.draft.Nodes) == maxMessages }

// countOn counts a message and, in a tree, those that follow it.
func (r *reader) countOn() {
	r.beyond++
	if !r.Is('{') {
		return
	}
	r.Object(func(name []byte) {
		if string(name) == "children" {
			r.Array(r.countOn)
		}
	})
}

// appendMember adds a member to the raw JSON of a message: that of a tree would contain all messages that follow.
func appendMember(raw, name, value []byte) []byte {
	if len(raw) > 1 {
		raw = append(raw, ',')
	}
	quoted, _ := jsontext.AppendQuote(raw, name) // it replaces invalid UTF-8, and says so
	return append(append(quoted, ':'), value...)
}

func (r *reader) scrubbed(raw []byte) []byte {
	raw, scrubbed := chat.ScrubJSON(raw)
	if scrubbed {
		r.draft.Count.Scrubbed++
	}
	return raw
}

func (r *reader) member(f *fields, name []byte) {
	m := &f.message
	switch string(name) {
	case "messageId":
		f.id = r.String()
	case "parentMessageId":
		f.parent = r.String()
	case "isCreatedByUser":
		f.own = r.Bool()
	case "text":
		f.text = r.String()
	case "content":
		r.Array(func() { f.content = append(f.content, r.block()) })
	case "model":
		m.Model = r.String()
	case "createdAt":
		m.Time = r.Time()
	case "error":
		f.failed = r.Bool()
	case "files":
		r.Array(func() {
			r.Object(func(name []byte) {
				if string(name) == "filename" {
					f.files = append(f.files, r.String())
				}
			})
		})
	}
}

// block returns the words of an element of content.
func (r *reader) block() (text string) {
	kind := ""
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = r.String()
		case "text":
			if !r.Is('{') {
				text = r.String()
				return
			}
			r.Object(func(name []byte) {
				if string(name) == "value" {
					text = r.String()
				}
			})
		}
	})
	switch kind {
	case "text", "":
		return text
	case "think", "tool_call", "image_file", "image_url", "error", "agent_update":
	default:
		r.draft.Count.Unknown(kind)
	}
	return ""
}

func (f *fields) finish() *chat.Message {
	m := f.message
	m.Text = cmp.Or(chat.Paragraphs(f.content), f.text)
	if f.own {
		m.Role, m.Model = store.User, ""
		m.Text = cmp.Or(m.Text, chat.Attached(f.files))
	}
	m.Visible = !f.failed
	return &m
}

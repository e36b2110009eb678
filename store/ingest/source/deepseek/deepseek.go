// Package deepseek parses the conversations of a DeepSeek export. It does no I/O of its own.
//
// Messages form a tree, as ChatGPT's do, and have fragments: request, response, thoughts, searches. Nothing says
// who wrote a message or which branch was open last: a message with a request is the person's, and the last child of
// each node is taken for the chosen one.
package deepseek

import (
	"cmp"
	"io"
	"iter"

	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of the conversations of an export, and of single ones that browser extensions save.
var Format = source.Format{
	Source: store.DeepSeek, Name: "DeepSeek", Matches: matches, Read: source.Reads(Conversations),
	Derive: derive, FindTools: findTools,
	Get:      "Settings, Data, Export; a zip",
	Download: lazyregexp.New(`(?i)^deepseek.*\.(?:zip|json)$`),
}

func matches(s *source.Sample) bool {
	return s.Any(func(c source.Value) bool {
		return c.Get("mapping").Any(func(node source.Value) bool { return node.Get("message", "fragments").IsArray() }) ||
			c.Get("data", "biz_data", "chat_session").IsObject() && c.Get("data", "biz_data", "chat_messages").IsArray()
	})
}

// Conversations yields the conversations of one JSON file, in order. For a conversation that cannot be read it yields a
// *chat.Skip with the reason and continues; any other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("deepseek: read", r, decode)
}

// reader reads one conversation and collects its draft.
type reader struct {
	*chat.Cursor
	draft    chat.Draft
	ids      chat.ContentIDs // of messages without one
	messages bool            // they were there
}

func decode(raw []byte) (*chat.Parsed, *chat.Skip) {
	r := &reader{Cursor: chat.NewCursor(raw), draft: chat.Draft{Source: store.DeepSeek}}
	r.Object(r.field)
	switch {
	case !r.messages:
		return nil, &chat.Skip{Reason: "no messages"}
	case r.draft.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: len(r.draft.Nodes)}
	}
	r.draft.DescendToLast()
	return chat.Build(&r.draft), nil
}

// field reads a member of a conversation. A single one is wrapped in the answer of DeepSeek's server.
func (r *reader) field(name []byte) {
	switch string(name) {
	case "id":
		r.draft.ID = r.String()
	case "title":
		r.draft.Title = r.Text(&r.draft.Count)
	case "inserted_at", "create_time":
		r.draft.Created = r.Time()
	case "updated_at", "update_time":
		r.draft.Updated = r.Time()
	case "mapping":
		r.messages = r.Object(r.node) || r.messages
	case "data", "biz_data", "chat_session":
		r.Object(r.field)
	case "chat_messages":
		r.messages = r.Array(r.element) || r.messages
	}
}

// node reads one member of the mapping. Its key, a small number, is unique only within the conversation.
func (r *reader) node(key []byte) {
	n := chat.Node{ID: string(key)}
	wellFormed := r.Object(func(name []byte) {
		switch string(name) {
		case "parent":
			n.Parent = r.String()
		case "children":
			n.Children = r.Strings()
		case "message":
			switch {
			case r.Is('{'):
				n.Message = r.message().Message
			case !r.Is('n'):
				n.Dropped = "unreadable message"
			}
		}
	})
	if !wellFormed {
		n.Dropped = "unreadable node"
	}
	r.draft.Nodes = append(r.draft.Nodes, n)
}

// element reads one of the messages that a browser extension has saved.
func (r *reader) element() {
	if !r.Is('{') {
		r.draft.Drop("unreadable message")
		return
	}
	n := r.message()
	n.ID = cmp.Or(n.ID, r.ids.Of(n.Message))
	r.draft.Nodes = append(r.draft.Nodes, n)
}

// message reads a message object. The node has an id and a parent if the message does.
func (r *reader) message() (n chat.Node) {
	m := &chat.Message{Role: store.Assistant, ContentType: "text"}
	var asked, answered, files []string
	var content string
	m.Raw = r.Raw(&r.draft.Count, func() {
		r.Object(func(name []byte) {
			switch string(name) {
			case "message_id":
				n.ID = r.String()
			case "parent_id":
				n.Parent = r.String()
			case "role":
				if r.String() == "USER" {
					m.Role = store.User
				}
			case "inserted_at", "create_time":
				m.Time = r.Time()
			case "model":
				m.Model = r.String()
			case "content":
				content = r.String()
			case "files":
				files = append(files, r.files()...)
			case "fragments":
				r.Array(func() {
					switch f := r.fragment(); f.kind {
					case "REQUEST":
						m.Role, asked = store.User, append(asked, f.content)
					case "RESPONSE", "TEMPLATE_RESPONSE":
						answered = append(answered, f.content)
					case "FILE":
						files = append(files, f.files...)
					case "THINK", "SEARCH", "TOOL_FIND", "TOOL_SEARCH", "TOOL_OPEN", "READ_LINK", "TIP":
					default:
						r.draft.Count.Unknown(f.kind)
					}
				})
			}
		})
	})
	words := answered
	if m.Role == store.User {
		words, m.Model = asked, ""
	}
	if m.Text = chat.Paragraphs(words); m.Text == "" {
		m.Text = content
	}
	if m.Text == "" && m.Role == store.User {
		m.Text = chat.Attached(files)
	}
	m.Visible = true
	n.Message = m
	return n
}

type fragment struct {
	kind, content string
	files         []string
	results       []string // of a search
}

func (r *reader) fragment() (f fragment) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			f.kind = r.String()
		case "content":
			f.content = r.String()
		case "files":
			f.files = r.files()
		case "results":
			f.results = r.results()
		}
	})
	return f
}

// files returns the names of attached files.
func (r *reader) files() (names []string) {
	r.Array(func() {
		r.Object(func(name []byte) {
			if string(name) == "file_name" {
				names = append(names, r.String())
			}
		})
	})
	return names
}

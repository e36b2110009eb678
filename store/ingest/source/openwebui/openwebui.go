// Package openwebui parses chats that Open WebUI exports as JSON. It does no I/O of its own.
//
// A chat has all its messages in a tree, and a copy of those on the active path. A question may have answers of several
// models; one of them is on the path.
package openwebui

import (
	"cmp"
	"io"
	"iter"
	"strings"
	"time"

	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of exported chats, of all or a single one.
var Format = source.Format{
	Source: store.OpenWebUI, Name: "Open WebUI", Matches: matches, Read: source.Reads(Conversations),
	Derive:   derive,
	Get:      "Settings, Chats, Export; JSON",
	Download: lazyregexp.New(`(?i)^chat-export-\d+\.json$`),
}

func matches(s *source.Sample) bool {
	linked := func(message source.Value) bool { return message.Has("childrenIds") }
	return s.Any(func(c source.Value) bool {
		for _, messages := range []source.Value{c.Get("chat", "history", "messages"), c.Get("history", "messages")} {
			if messages.IsObject() && messages.Any(linked) {
				return true
			}
		}
		return false
	})
}

// Conversations yields the chats of one JSON file, in order. For a chat that cannot be read it yields a *chat.Skip with
// the reason and continues; any other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("openwebui: read", r, Decode)
}

// reader reads one chat and collects its draft.
type reader struct {
	*chat.Cursor
	draft   chat.Draft
	id      string      // of the chat within; empty in most
	list    []chat.Node // the copy of the active path
	touched time.Time   // the only time of a chat without those of its row
}

// Decode parses one chat: the object of its row in the database, which has the chat as a member, or that member alone.
// The JSON must be well-formed.
func Decode(raw []byte) (*chat.Parsed, *chat.Skip) {
	r := &reader{Cursor: chat.NewCursor(raw), draft: chat.Draft{Source: store.OpenWebUI, Derive: derive}}
	r.Object(r.field)
	if len(r.draft.Nodes) == 0 {
		r.readList()
	}
	first := r.draft.First()
	if first == nil {
		return nil, &chat.Skip{Reason: "no messages", Nodes: len(r.draft.Nodes)}
	}
	// A chat without an id keeps those of its messages when it is imported into Open WebUI again.
	if r.draft.ID = cmp.Or(r.draft.ID, r.id); r.draft.ID == "" {
		r.draft.ID = "openwebui " + first.ID
	}
	if r.draft.Created.IsZero() {
		r.draft.Created = r.touched
	}
	r.draft.DateByMessages()
	if !r.isNode(r.draft.Current) {
		r.draft.DescendToLast()
	}
	return chat.Build(&r.draft), nil
}

// readList takes the messages of a chat from the copy of its path, in which they may have no ids.
func (r *reader) readList() {
	var ids chat.ContentIDs
	for _, n := range r.list {
		if n.Message == nil {
			r.draft.Drop(n.Dropped)
			continue
		}
		n.ID = cmp.Or(n.ID, ids.Of(n.Message))
		r.draft.Nodes = append(r.draft.Nodes, n)
	}
	r.draft.LinkInOrder()
}

func (r *reader) isNode(id string) bool {
	for i := range r.draft.Nodes {
		if r.draft.Nodes[i].ID == id {
			return id != ""
		}
	}
	return false
}

func (r *reader) field(name []byte) {
	switch string(name) {
	case "id":
		r.draft.ID = r.String()
	case "created_at":
		r.draft.Created = r.Time()
	case "updated_at":
		r.draft.Updated = r.Time()
	case "chat":
		r.Object(func(name []byte) {
			if string(name) == "id" {
				r.id = r.String()
				return
			}
			r.field(name)
		})
	case "title":
		if title := r.Text(&r.draft.Count); r.draft.Title == "" {
			r.draft.Title = title
		}
	case "models":
		if models := r.Strings(); len(models) > 0 {
			r.draft.Model = models[0]
		}
	case "timestamp":
		r.touched = r.Time()
	case "history":
		r.Object(r.history)
	case "messages":
		r.Array(func() { r.list = append(r.list, r.node("")) })
	}
}

func (r *reader) history(name []byte) {
	switch string(name) {
	case "currentId":
		r.draft.Current = r.String()
	case "messages":
		r.Object(func(key []byte) { r.draft.Nodes = append(r.draft.Nodes, r.node(string(key))) })
	}
}

// node reads a message. key is its id where it has none.
func (r *reader) node(key string) chat.Node {
	n := chat.Node{ID: key, Dropped: "unreadable message"}
	if !r.Is('{') {
		return n
	}
	m := &chat.Message{ContentType: "text"}
	var content, clean, files []string
	n.Dropped, n.Message = "", m
	m.Raw = r.Raw(&r.draft.Count, func() {
		r.Object(func(name []byte) {
			switch string(name) {
			case "id":
				n.ID = cmp.Or(key, r.String())
			case "parentId":
				n.Parent = r.String()
			case "childrenIds":
				n.Children = r.Strings()
			case "role":
				m.Role = role(r.String())
			case "timestamp":
				m.Time = r.Time()
			case "model":
				m.Model = r.String()
			case "content":
				content = r.texts()
			case "output":
				r.Array(func() { clean = append(clean, r.output()...) })
			case "files":
				r.Array(func() { files = append(files, r.fileName()) })
			}
		})
	})
	switch m.Role {
	case store.User:
		m.Model = ""
		m.Text = cmp.Or(chat.Paragraphs(content), chat.Attached(files))
	case store.Assistant:
		m.Text = cmp.Or(chat.Paragraphs(clean), withoutMachinery(chat.Paragraphs(content)))
	default:
		m.Text = chat.Paragraphs(content)
	}
	m.Visible = m.Role == store.User || m.Role == store.Assistant
	return n
}

func role(name string) store.Role {
	switch name {
	case "user":
		return store.User
	case "assistant":
		return store.Assistant
	case "system":
		return store.System
	}
	return store.Tool
}

// texts returns a string, or those of a list of parts.
func (r *reader) texts() (all []string) {
	if !r.Is('[') {
		return []string{r.String()}
	}
	r.Array(func() {
		r.Object(func(name []byte) {
			if string(name) == "text" {
				all = append(all, r.String())
			}
		})
	})
	return all
}

// output returns the texts of an element of output, which newer versions write: a message, or else machinery.
func (r *reader) output() (all []string) {
	kind := ""
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = r.String()
		case "content":
			all = r.texts()
		}
	})
	if kind != "message" {
		return nil
	}
	return all
}

// fileName returns the name of an attachment.
func (r *reader) fileName() (file string) {
	r.Object(func(name []byte) {
		if string(name) == "name" {
			file = r.String()
		}
	})
	return file
}

// machinery matches thoughts and tools inside an answer.
var machinery = lazyregexp.New(`(?s)<details type="(?:reasoning|tool_calls|code_interpreter)".*?</details>\s*|` +
	`<think>.*?</think>\s*`)

func withoutMachinery(answer string) string {
	if !strings.Contains(answer, "<") {
		return answer
	}
	return machinery().ReplaceAllString(answer, "")
}

// Package vscode parses chats with GitHub Copilot in Visual Studio Code: one JSON object, as stored or exported, or a
// log of changes to it. It does no I/O of its own.
package vscode

import (
	"io"
	"iter"
	"path"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Session is the layout of chatSessions/SESSION.json in workspaceStorage, and of an exported chat.
var Session = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.VSCode, Name: "Visual Studio Code", Matches: isSession, Read: source.Reads(Conversations),
	Get: "Copilot's chats on this machine, or Chat: Export Chat",
	Kept: []source.Place{
		{Base: source.Config, Folder: "Code/User", Files: files},
		{Base: source.Config, Folder: "Code - Insiders/User", Files: files},
		{Base: source.Config, Folder: "VSCodium/User", Files: files},
	},
}

// files are the names of sessions in an editor's user folder.
var files = []string{
	"workspaceStorage/*/chatSessions/*.json", "workspaceStorage/*/chatSessions/*.jsonl",
	"globalStorage/emptyWindowChatSessions/*.json", "globalStorage/emptyWindowChatSessions/*.jsonl",
}

// Log is the layout of chatSessions/SESSION.jsonl in workspaceStorage.
var Log = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.VSCode, Name: "Visual Studio Code", Matches: isLog, Read: source.ReadsLog("vscode: read", start),
}

func isSession(s *source.Sample) bool {
	return s.Any(func(v source.Value) bool {
		return v.Get("requests").IsArray() && (v.Has("responderUsername") || v.Has("sessionId"))
	})
}

func isLog(s *source.Sample) bool {
	return len(s.Values) > 0 && s.Values[0].Get("kind").Text() == "0" && s.Values[0].Get("v", "requests").IsArray()
}

// Conversations yields the chat in a JSON file. If it cannot be read it yields a *chat.Skip with the reason; any other
// error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("vscode: read", r, func(raw []byte) (*chat.Parsed, *chat.Skip) {
		d := draft(raw)
		switch {
		case len(d.Nodes) == 0:
			return nil, &chat.Skip{Reason: "no messages"}
		case d.ID == "":
			return nil, &chat.Skip{Reason: "no id", Nodes: len(d.Nodes)}
		}
		return chat.Build(d), nil
	})
}

// draft reads a chat. An exported one does not name itself: its first request does.
func draft(raw []byte) *chat.Draft {
	var s source.Session
	s.Source = store.VSCode
	c := chat.NewCursor(raw)
	first := ""
	c.Object(func(name []byte) {
		switch string(name) {
		case "sessionId":
			s.ID = c.String()
		case "creationDate", "lastMessageDate":
			s.Seen(c.Time())
		case "customTitle":
			s.Title = c.Text(&s.Count)
		case "requests":
			c.Array(func() {
				if r := read(c); !r.add(&s) {
					s.Drop("unreadable message")
				} else if first == "" {
					first = r.id
				}
			})
		}
	})
	if s.ID == "" {
		s.ID = first
	}
	return &s.Draft
}

// request is a question with its answer.
type request struct {
	id, text, model string
	answer          strings.Builder
	at              time.Time
	message, reply  []byte // as JSON
	isObject        bool
}

func read(c *chat.Cursor) *request {
	r := new(request)
	r.isObject = c.Object(func(name []byte) {
		switch string(name) {
		case "requestId":
			r.id = c.String()
		case "timestamp":
			r.at = c.Time()
		case "modelId":
			r.model = strings.TrimPrefix(c.String(), "copilot/")
		case "message":
			r.message = c.Span(func() { r.text = text(c, "text") })
		case "response":
			r.reply = c.Span(func() { c.Array(func() { r.piece(c) }) })
		}
	})
	return r
}

// text returns a string, or the member of an object that is one.
func text(c *chat.Cursor, member string) (s string) {
	if c.Is('"') {
		return c.String()
	}
	c.Object(func(name []byte) {
		if string(name) == member {
			s = c.String()
		}
	})
	return s
}

// piece reads a piece of the answer. Those with a kind are machinery, but for references to files and some prose.
func (r *request) piece(c *chat.Cursor) {
	var kind, value, file string
	if c.Is('"') {
		r.answer.WriteString(c.String())
		return
	}
	c.Object(func(name []byte) {
		switch string(name) {
		case "kind":
			kind = c.String()
		case "value", "content":
			value = text(c, "value")
		case "name":
			file = c.String()
		case "inlineReference":
			c.Object(func(name []byte) {
				if n := string(name); n == "path" || n == "name" {
					file = path.Base(c.String())
				}
			})
		}
	})
	switch {
	case kind == "" || kind == "markdownContent":
		r.answer.WriteString(value)
	case kind == "inlineReference" && file != "":
		r.answer.WriteString("`" + file + "`")
	}
}

// add adds the question and, as far as there is one, the answer. False: it is not a request.
func (r *request) add(s *source.Session) bool {
	if !r.isObject {
		return false
	}
	s.Seen(r.at)
	question := s.Count.Speech(store.User, r.text, r.message)
	question.Time = r.at
	s.Add(r.id, question)
	if len(r.reply) == 0 {
		return true
	}
	answer := s.Count.Speech(store.Assistant, strings.TrimSpace(r.answer.String()), r.reply)
	answer.Time, answer.Model = r.at, r.model
	id := ""
	if r.id != "" {
		id = r.id + " response"
	}
	s.Add(id, answer)
	return true
}

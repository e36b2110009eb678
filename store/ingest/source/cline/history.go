package cline

import (
	"cmp"
	"path"
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// History is the layout of tasks/TASK/api_conversation_history.json, with the person's words in elements of their own.
var History = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Cline, Name: "Cline", Matches: isHistory, Unless: "ui_messages.json",
	Read: func(f *source.File) source.Conversations {
		return read(f, &history{folder: path.Base(path.Dir(f.Name))})
	},
}

const historyFile = "api_conversation_history.json"

func isHistory(s *source.Sample) bool {
	return s.Name == historyFile && s.Any(func(m source.Value) bool {
		content := m.Get("content")
		return m.Get("role").IsString() && (content.IsArray() || content.IsString())
	})
}

// history is a task, as far as its messages have come. The name of its folder tells apart those that begin alike.
type history struct {
	source.Session
	folder string
}

func (h *history) draft() *chat.Draft {
	h.Source = store.Cline
	return &h.Draft
}

func (h *history) message(raw []byte) {
	var role, at string
	content := new(source.Content)
	c := chat.NewCursor(raw)
	isObject := c.Object(func(name []byte) {
		switch string(name) {
		case "role":
			role = c.String()
		case "ts":
			at = c.String()
		case "content":
			content = source.ReadContent(c)
		}
	})
	if !isObject {
		h.Drop("unreadable message")
		return
	}
	words := chat.Paragraphs(content.Texts)
	if role == string(store.User) {
		words = ownWords(content)
	}
	m := content.Message(&h.Count, store.Role(role), words, raw)
	m.Time = chat.Time(at)
	if h.ID == "" && m.Visible && m.Role == store.User {
		h.ID = "cline " + chat.ContentID(strings.Trim(h.folder, "./"), cmp.Or(at, words))
	}
	h.Add("", m)
}

// elements are those that have words of the person.
var elements = []string{"task", "feedback", "user_message", "answer"}

// ownWords returns what the person wrote in a message: what is in these elements. Answers to questions of the assistant
// come as results of tools.
func ownWords(content *source.Content) string {
	var all []string
	for _, text := range append(content.Texts[:len(content.Texts):len(content.Texts)], content.Results...) {
		for _, name := range elements {
			_, inner, found := strings.Cut(text, "<"+name+">")
			if inner, _, closed := strings.Cut(inner, "</"+name+">"); found && closed {
				all = append(all, strings.TrimSpace(inner))
			}
		}
	}
	return chat.Paragraphs(all)
}

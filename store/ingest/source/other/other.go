// Package other parses chats in layouts that many programs share: lists of messages with a role and a text. It does no
// I/O of its own.
//
// Three programs have a layout that tells them (chatbot-ui, TypingMind, BetterChatGPT). The rest is generic: an object
// with messages, a list or lines of such objects, or a list or lines of messages. Data to train models has the same
// shape (ShareGPT, OpenAI's fine-tuning), so a generic file is only read when the user names it.
//
// A conversation needs words of a person and of an assistant. Its id is that of the file where that is a UUID or the
// program's own; elsewhere ids are short numbers, so the first words of both sides are part of it.
package other

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/google/uuid"

	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// The layouts of programs.
var (
	ChatbotUI = source.Format{
		Source: store.Other, Name: "chatbot-ui", Matches: matchesChatbotUI, Read: source.Reads(programs),
		Get: "the sidebar, Export data; JSON", Download: lazyregexp.New(`(?i)^chatbot_ui_.*\.json$`),
	}
	TypingMind = source.Format{
		Source: store.Other, Name: "TypingMind", Matches: matchesTypingMind, Read: source.Reads(programs),
		Get: "Settings, Export; JSON", Download: lazyregexp.New(`(?i)^typingmind.*\.json$`),
	}
	BetterChatGPT = source.Format{
		Source: store.Other, Name: "BetterChatGPT", Matches: matchesBetterChatGPT, Read: source.Reads(programs),
		Get: "the menu, Import / Export, Export; JSON",
	}
)

// Generic is any other list of messages with a role and a text.
var Generic = source.Format{
	Source: store.Other, Name: "messages with role and content", Matches: matchesGeneric,
	Read: source.Reads(generic), Generic: true,
	Get: "JSON or JSON Lines of role and content; name the file",
}

func programs(r io.Reader) source.Conversations { return conversations(r, true, chat.MaxConversation) }

func generic(r io.Reader) source.Conversations { return conversations(r, false, chat.MaxConversation) }

// conversations yields the conversations of a file. For one that lacks a side it yields a *chat.Skip; any other error
// is a *errs.Error and the last value. keepIDs keeps the ids of the file. Of a list of messages, it reads at most limit
// bytes.
func conversations(r io.Reader, keepIDs bool, limit int) source.Conversations {
	return func(yield func(*chat.Parsed, error) bool) {
		index := 0
		emit := func(it *item) bool {
			d := it.draft(keepIDs)
			if d == nil {
				err := &chat.Skip{Index: index, Reason: "not a conversation", Nodes: len(it.messages) + it.dropped}
				index++
				return yield(nil, err)
			}
			index++
			return yield(chat.Build(d), nil)
		}
		var loose item                       // messages of a file that is a list of them
		size := 0                            // of its JSON
		isElement := func(raw []byte) bool { // of a list of messages, or of conversations
			it := read(chat.NewCursor(raw), 0)
			if len(loose.messages) > 0 || it.isMessage() {
				return len(loose.messages) > 0 && it.isMessage()
			}
			return slices.ContainsFunc(it.conversations(), func(c *item) bool { return c.draft(keepIDs) != nil })
		}
		for raw, err := range chat.Elements("other: read", r, isElement) {
			if err == nil && size > limit {
				err = chat.TooLarge("other: read")
			}
			if err != nil {
				if len(loose.messages) == 0 || emit(&loose) {
					yield(nil, err)
				}
				return
			}
			it := read(chat.NewCursor(raw), 0)
			if it.isMessage() {
				loose.messages = append(loose.messages, it)
				size += len(raw)
				continue
			}
			for _, c := range it.conversations() {
				if !emit(c) {
					return
				}
			}
		}
		if len(loose.messages) > 0 {
			emit(&loose)
		}
	}
}

// draft makes a conversation of an item, nil if it lacks the words of a person or an assistant.
func (it *item) draft(keepIDs bool) *chat.Draft {
	d := &chat.Draft{
		Source: store.Other, Title: it.title, Created: it.created, Updated: it.updated, Model: it.model,
		Count: it.count,
	}
	var ids chat.ContentIDs
	var first []string // what each side said first
	said := map[store.Role]bool{}
	for _, m := range it.messages {
		n := chat.Node{ID: ids.Of(&m.message), Message: &m.message}
		if keepIDs {
			n.ID = cmp.Or(m.id, n.ID)
		}
		d.Nodes = append(d.Nodes, n)
		d.Count.Scrubbed += m.count.Scrubbed
		if role := m.message.Role; m.message.Visible && !said[role] && strings.TrimSpace(m.message.Text) != "" {
			said[role] = true
			first = append(first, m.message.Text)
		}
	}
	if !said[store.User] || !said[store.Assistant] {
		return nil
	}
	if d.ID = it.id; !isUUID(it.id) && (!keepIDs || it.id == "") {
		d.ID = strings.TrimSpace("chat " + it.id + " " + chat.ContentID(first...))
	}
	d.LinkInOrder()
	d.Current = d.Nodes[len(d.Nodes)-1].ID
	for range it.dropped + len(it.within) {
		d.Drop("unreadable message")
	}
	d.DateByMessages()
	return d
}

func isUUID(s string) bool {
	_, err := uuid.Parse(s)
	return err == nil
}

// conversations returns the conversations that an item is or wraps.
func (it *item) conversations() []*item {
	if len(it.messages) > 0 || len(it.within) == 0 {
		return []*item{it}
	}
	var all []*item
	for _, c := range it.within {
		all = append(all, c.conversations()...)
	}
	for range it.dropped {
		all = append(all, new(item)) // in the place of a conversation
	}
	return all
}

// Names of the members that hold each kind of fact, in the programs that were seen.
var (
	roleNames = []string{"role", "sender", "from", "author"}
	textNames = []string{"content", "text", "value", "message"}
	timeNames = []string{
		"create_time", "created_at", "createdAt", "timestamp", "time", "date", "ts",
	}
	listNames = []string{"messages", "conversations", "chats", "data", "history"}
)

// role returns the role that a name stands for, in whatever case. Names of machinery, and unknown ones, are a tool's.
func role(name string) store.Role {
	switch name = strings.ToLower(name); {
	case slices.Contains([]string{"user", "human", "you"}, name):
		return store.User
	case slices.Contains([]string{"assistant", "model", "ai", "bot", "gpt", "chatgpt", "claude"}, name):
		return store.Assistant
	case name == "system" || name == "developer":
		return store.System
	}
	return store.Tool
}

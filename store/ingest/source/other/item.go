package other

import (
	"slices"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
)

// item is an object of the file: a message, a conversation with messages, or a wrapper around conversations.
type item struct {
	id, title, model string
	created, updated time.Time
	role             string
	hasText          bool
	message          chat.Message // if it is one
	count            chat.Count

	messages []*item
	dropped  int // elements that are neither a message nor have some
	within   []*item
	hasList  bool // that messages or conversations should be in
}

func (it *item) isMessage() bool {
	return it.role != "" && it.hasText && !it.hasList
}

// maxWrappers is how many objects may be around a message: a wrapper, its data, a conversation, the message.
const maxWrappers = 3

// read reads an object; anything else is empty.
func read(c *chat.Cursor, depth int) *item {
	it := &item{}
	raw := c.Raw(&it.count, func() { c.Object(func(name []byte) { it.member(c, string(name), depth) }) })
	if !it.isMessage() {
		it.count = chat.Count{} // of the whole JSON; the messages count their own
		return it
	}
	it.message.Role, it.message.ContentType = role(it.role), "text"
	it.message.Visible = it.message.Role == store.User || it.message.Role == store.Assistant
	if it.message.Time = it.created; it.message.Role == store.Assistant {
		it.message.Model = it.model
	}
	it.message.Raw = raw
	return it
}

func (it *item) member(c *chat.Cursor, name string, depth int) {
	switch {
	case slices.Contains(listNames, name) && c.Is('[') && depth < maxWrappers:
		it.hasList = true
		c.Array(func() { it.add(read(c, depth+1)) })
	case name == "data" && c.Is('{') && depth < maxWrappers:
		wrapped := read(c, depth+1)
		it.hasList = it.hasList || wrapped.hasList
		it.messages, it.within = append(it.messages, wrapped.messages...), append(it.within, wrapped.within...)
		it.dropped += wrapped.dropped
	case slices.Contains(roleNames, name):
		if role := c.String(); it.role == "" {
			it.role = role
		}
	case slices.Contains(textNames, name):
		it.text(c)
	case slices.Contains(timeNames, name):
		if t := c.Time(); it.created.IsZero() {
			it.created = t
		}
	default:
		it.fact(c, name)
	}
}

func (it *item) add(child *item) {
	switch {
	case child.isMessage():
		it.messages = append(it.messages, child)
	case child.hasList:
		it.within = append(it.within, child)
	default:
		it.dropped++
	}
}

// text reads the text of a message: a string, or a list of pieces. null is a text, too: of a call of a tool.
func (it *item) text(c *chat.Cursor) {
	switch {
	case c.Is('"'):
		if text := c.String(); it.message.Text == "" {
			it.message.Text = text
		}
	case c.Is('['):
		var pieces []string
		c.Array(func() { pieces = append(pieces, piece(c)) })
		if it.message.Text == "" {
			it.message.Text = chat.Paragraphs(pieces)
		}
	case !c.Is('n'):
		return
	}
	it.hasText = true
}

// piece returns the text of an element of a list, "" for one of another kind.
func piece(c *chat.Cursor) (text string) {
	if c.Is('"') {
		return c.String()
	}
	kind := "text"
	c.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = c.String()
		case "text":
			text = c.String()
		}
	})
	if kind != "text" {
		return ""
	}
	return text
}

func (it *item) fact(c *chat.Cursor, name string) {
	switch name {
	case "id", "uuid", "conversation_id", "chatID":
		if id := c.String(); it.id == "" {
			it.id = id
		}
	case "title", "name", "chatTitle":
		if title := c.String(); it.title == "" {
			it.title = strings.TrimSpace(title)
		}
	case "update_time", "updated_at", "updatedAt":
		it.updated = c.Time()
	case "model":
		it.model = model(c)
	case "config":
		c.Object(func(name []byte) {
			if string(name) == "model" {
				it.model = model(c)
			}
		})
	}
}

// model returns the name of a model, or the id of an object that describes one.
func model(c *chat.Cursor) (name string) {
	if !c.Is('{') {
		return c.String()
	}
	c.Object(func(member []byte) {
		if string(member) == "id" {
			name = c.String()
		}
	})
	return name
}

package chatgpt

import (
	"errors"
	"iter"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// ChatGPT hands a person's custom instructions, and in older exports what it remembers, to every chat as a hidden
// message. Each text becomes a conversation of its own with one hidden message, however many chats have it: its id is
// that of the text, and its time that of the last chat. So it derives one document, in whatever order exports come.

// The content types of the hidden messages of such conversations.
const (
	instructionsText = "chatgpt_instructions"
	memoryText       = "chatgpt_memory"
)

// contextTitles are the titles of such conversations, by content type.
var contextTitles = map[string]string{
	instructionsText: "Custom instructions",
	memoryText:       "What ChatGPT remembers",
}

// maxContexts bounds the bytes of texts that are collected before they are yielded.
const maxContexts = 4 << 20

// contexts collects the texts that chats are handed.
type contexts struct {
	at    map[contextText]int // index into found
	found []contextUse
	bytes int
}

type contextText struct{ kind, text string }

type contextUse struct {
	contextText
	last time.Time // of the chats that have it
}

// withContexts yields the conversations of all, and then what they were handed. That also comes before an error that
// ends them.
func withContexts(all source.Conversations) iter.Seq2[*chat.Parsed, error] {
	return func(yield func(*chat.Parsed, error) bool) {
		var c contexts
		for p, err := range all {
			var skip *chat.Skip
			if err != nil && !errors.As(err, &skip) && !c.flush(yield) || !yield(p, err) {
				return
			}
			if p == nil {
				continue
			}
			if c.collect(p); c.bytes > maxContexts && !c.flush(yield) {
				return
			}
		}
		c.flush(yield)
	}
}

// collect adds the texts that a chat was handed.
func (c *contexts) collect(p *chat.Parsed) {
	for i := range p.Messages {
		text, ok := contextOf(&p.Messages[i])
		if !ok {
			continue
		}
		n, known := c.at[text]
		if !known {
			if c.at == nil {
				c.at = map[contextText]int{}
			}
			n = len(c.found)
			c.at[text], c.found = n, append(c.found, contextUse{contextText: text})
			c.bytes += len(text.text)
		}
		when := p.Messages[i].Time
		if when.IsZero() {
			when = p.Created
		}
		if when.After(c.found[n].last) {
			c.found[n].last = when
		}
	}
}

// flush yields the texts and drops them. It reports whether to go on.
func (c *contexts) flush(yield func(*chat.Parsed, error) bool) bool {
	found := c.found
	*c = contexts{}
	for _, f := range found {
		kind := strings.TrimPrefix(f.kind, "chatgpt_")
		d := chat.Draft{
			Source: store.ChatGPT, ID: kind + "/" + chat.ContentID(f.text), Title: contextTitles[f.kind],
			Created: f.last, Updated: f.last, Derive: derive, Beside: true,
			// Without a time of its own: so no version adds a message to another.
			Nodes: []chat.Node{{ID: "text", Message: &chat.Message{
				Role: store.System, ContentType: f.kind, Text: f.text, Raw: []byte("{}"),
			}}},
		}
		if !yield(chat.Build(&d), nil) {
			return false
		}
	}
	return true
}

// contextOf returns the text of a hidden message that hands one to a chat.
func contextOf(m *store.Message) (c contextText, ok bool) {
	switch {
	case m.Visible:
		return c, false
	case m.ContentType == string(modelContext):
		c = contextText{memoryText, m.Text}
	case m.ContentType == string(userContext) || m.Role != store.Tool && chat.Mentions(m, `"user_context_message_data"`):
		c = contextText{instructionsText, instructions(m.Raw)}
	}
	c.text = strings.TrimSpace(chat.Clean(c.text))
	return c, c.text != ""
}

// instructions returns a person's own words of a message with custom instructions. Exports have them bare in the
// metadata, or in a frame of ChatGPT's.
func instructions(raw []byte) string {
	var c content
	var bare, framed []string
	r := &reader{Cursor: chat.NewCursor(raw)}
	r.Object(func(name []byte) {
		switch string(name) {
		case "content":
			r.content(&c)
		case "metadata":
			r.member("user_context_message_data", func() {
				r.Object(func([]byte) { bare = append(bare, r.String()) })
			})
		}
	})
	for _, field := range []string{"user_profile", "user_instructions"} {
		framed = append(framed, unframed(c.fields[field]))
	}
	if own := chat.Paragraphs(bare); own != "" {
		return own
	}
	return chat.Paragraphs(framed)
}

// unframed cuts off what ChatGPT writes around a person's words: "The user provided …:", and a fence.
func unframed(text string) string {
	const fence = "```"
	_, rest, fenced := strings.Cut(text, fence)
	if !fenced || !strings.HasPrefix(strings.TrimSpace(text), "The user provided") {
		return text
	}
	if end := strings.LastIndex(rest, fence); end >= 0 {
		rest = rest[:end]
	}
	if strings.TrimSpace(rest) == "" {
		return text
	}
	return strings.TrimSpace(rest)
}

// besideChats returns the document of the message of such a conversation, false if it is of a chat.
func besideChats(c *store.Conversation, m *store.Message) (d chat.Derived, ok bool) {
	d = chat.Derived{Key: m.SourceID, Title: c.Title, MIME: "text/markdown", From: m.ID, Text: m.Text}
	switch m.ContentType {
	case instructionsText:
		d.Kind = store.Instructions
	case memoryText:
		d.Kind = store.Memory
	default:
		return d, false
	}
	return d, d.Text != ""
}

// remembered returns what the assistant noted about the person in a chat.
func remembered(c *store.Conversation) (all []chat.Derived) {
	for i := range c.Messages {
		m := &c.Messages[i]
		if m.Visible || m.Role != store.Assistant || !chat.Mentions(m, `"bio"`) || canvasCallOf(m.Raw).tool != "bio" {
			continue
		}
		if strings.TrimSpace(m.Text) != "" {
			all = append(all, chat.Derived{Kind: store.Memory, Key: m.SourceID, Title: "Memory", From: m.ID, Text: m.Text})
		}
	}
	if len(all) > 0 {
		turns := chat.FollowedTurns(c.Messages)
		for i := range all {
			all[i].Turn = turns[all[i].From]
		}
	}
	return all
}

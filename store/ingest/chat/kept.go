package chat

import (
	"bytes"
	"strconv"

	"github.com/google/uuid"

	"lens/store"
)

// Chats of services have results of tools and thoughts in the JSON of their messages, which is stored in any case. An
// import that was asked to find them marks these messages: so what derives from a chat depends on what is stored alone,
// as with sessions.

// ToolText is a result of a tool or a thought in a message.
type ToolText struct {
	Kind store.Kind // store.ToolResult or store.Thought
	Text string
}

// FindTools returns the results of tools and the thoughts in a message, from its stored fields alone.
type FindTools func(*store.Message) []ToolText

// toolsKept is the member of a message's raw JSON that marks it.
const toolsKept = `"lens_tools":true`

// KeepTools marks the messages of a chat that was just parsed in which find finds something, and adds that.
func (p *Parsed) KeepTools(find FindTools) {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	marked := false
	for i := range p.Messages {
		m := &p.Messages[i]
		body, isObject := bytes.CutSuffix(bytes.TrimSpace(m.Raw), []byte("}"))
		if !isObject || len(bytes.TrimSpace(body)) <= len("{") || len(find(m)) == 0 {
			continue
		}
		m.Raw, marked = append(bytes.Clone(body), `,`+toolsKept+`}`...), true
		h.string(m.Text)
		m.Hash = h.message(m, h.done())
	}
	if marked {
		p.Derived = append(p.Derived, KeptTools(&p.Conversation, find)...)
		p.Hash = h.derived(h.conversation(&p.Conversation), p.Derived)
	}
}

// KeptTools returns what find finds in the messages of a chat that KeepTools marked, MaxAside bytes of each.
func KeptTools(c *store.Conversation, find FindTools) (all []Derived) {
	var turns map[uuid.UUID]uuid.UUID
	for i := range c.Messages {
		m := &c.Messages[i]
		if !Mentions(m, toolsKept) {
			continue
		}
		if turns == nil {
			turns = FollowedTurns(c.Messages)
		}
		for n, t := range find(m) {
			text, _ := cut(t.Text, MaxAside)
			all = append(all, Derived{
				Kind: t.Kind, Key: m.SourceID + "/" + strconv.Itoa(n), Title: c.Title, Turn: turns[m.ID], From: m.ID, Text: text,
			})
		}
	}
	return all
}

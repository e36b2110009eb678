package chat

import (
	"strings"

	"github.com/google/uuid"

	"lens/store"
)

// Sessions with coding tools have what tools were asked and what they returned, and thoughts: whole files, and keys. An
// archive keeps these only if its owner asked for them, with the words or without: then documents derive from the
// messages that have them, which are found in no other. So what derives depends on what is stored alone.

// toolKind returns what a hidden message of a session is: store.ToolResult, also for what a subagent answered, or
// store.Thought; "": something else.
func toolKind(m *store.Message) store.Kind {
	thinks := strings.Contains(m.ContentType, "think") || strings.Contains(m.ContentType, "reason")
	switch {
	case m.Visible:
		return ""
	case m.Role == store.Tool:
		return store.ToolResult
	case m.Role != store.Assistant || m.ContentType == "text":
		return ""
	case thinks:
		return store.Thought
	}
	return store.ToolResult
}

// toolMembers occur in the JSON of a message in words only if it has a call of a tool or a result, too.
var toolMembers = []string{
	`"tool_use"`, `"tool_result"`, `"toolUseResult"`, `"toolRequest"`, `"toolResponse"`, `"toolCalls"`, `"toolRequests"`,
	`"toolInvocation`, `"thinking"`, `"reasoning`,
}

// LeaveOutTools takes the results and calls of tools, and thoughts, out of a session that was just parsed.
func (p *Parsed) LeaveOutTools() {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	for i := range p.Messages {
		m := &p.Messages[i]
		switch {
		case toolKind(m) != "":
			m.Text = ""
		case !Mentions(m, toolMembers...):
			continue
		}
		if !Mentions(m, notKept) {
			m.Raw, _ = keepRaw(m.Raw, 0)
		}
		h.string(m.Text)
		m.Hash = h.message(m, h.done())
	}
	p.Hash = h.conversation(&p.Conversation)
}

// DeriveToolsNow adds what DeriveTools finds to a session that was just parsed.
func (p *Parsed) DeriveToolsNow() {
	h := hashers.Get().(*hasher)
	defer hashers.Put(h)
	p.Derived = DeriveTools(&p.Conversation)
	p.Hash = h.derived(p.Hash, p.Derived)
}

// DeriveTools returns the results of tools and the thoughts of a session, as far as they are stored. A call that is
// nothing but the name of a tool is none.
func DeriveTools(c *store.Conversation) (all []Derived) {
	var turns map[uuid.UUID]uuid.UUID
	for i := range c.Messages {
		m := &c.Messages[i]
		kind, words := toolKind(m), strings.TrimSpace(m.Text)
		isName := m.Role == store.Assistant && m.ContentType != "sidechain" && !strings.ContainsAny(words, " \n")
		if kind == "" || words == "" || isName {
			continue
		}
		if turns == nil {
			turns = FollowedTurns(c.Messages)
		}
		text, _ := cut(m.Text, MaxAside)
		all = append(all, Derived{Kind: kind, Key: m.SourceID, Title: c.Title, Turn: turns[m.ID], From: m.ID, Text: text})
	}
	return all
}

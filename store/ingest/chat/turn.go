package chat

import (
	"strings"
	"time"

	"lens/store"
)

// makeTurns builds the turns of the active path, then those of the user messages off the path, whose answers it finds
// by following the newest child. A node has one parent, so no message belongs to two turns.
func (b *builder) makeTurns() {
	b.hashTexts()
	open := none
	for _, i := range b.tree.path {
		switch m := b.messageAt(i); {
		case m == nil || !m.Visible:
		case m.Role == store.User:
			b.closeTurn(open)
			open = b.openTurn(i, m)
		case m.Role == store.Assistant:
			if open == none { // an answer without a question: a greeting, or a chat whose beginning is missing
				open = b.openTurn(i, m)
			}
			b.addReply(open, m)
		}
	}
	b.closeTurn(open)
	for _, i := range b.tree.order {
		if m := b.messageAt(i); m != nil && !m.OnPath && opensTurn(m) {
			b.addBranch(i, m)
		}
	}
}

func opensTurn(m *store.Message) bool { return m.Visible && m.Role == store.User }

// addBranch adds the turn of a user message off the active path.
func (b *builder) addBranch(node int32, user *store.Message) {
	turn := b.openTurn(node, user)
	for i := b.tree.newestChild(node); i != none; i = b.tree.newestChild(i) {
		m := b.messageAt(i)
		if m == nil || !m.Visible {
			continue
		}
		if m.Role == store.User {
			break
		}
		if m.Role == store.Assistant {
			b.addReply(turn, m)
		}
	}
	b.closeTurn(turn)
}

// messageAt returns the kept message of a node, nil when there is none.
func (b *builder) messageAt(node int32) *store.Message {
	if b.messageIndex[node] == none {
		return nil
	}
	return &b.parsed.Messages[b.messageIndex[node]]
}

func (b *builder) hashTexts() {
	b.textHashes = make([]store.Hash, len(b.parsed.Messages))
	for i := range b.parsed.Messages {
		b.hash.string(b.parsed.Messages[i].Text)
		b.textHashes[i] = b.hash.done()
	}
}

// openTurn adds a turn and returns its index; closeTurn completes its hash. The opener is a user message, or an
// assistant message without a question: then the turn has no user text.
func (b *builder) openTurn(node int32, opener *store.Message) int32 {
	when, source := b.turnTime(node, opener)
	t := store.Turn{
		ID: store.TurnID(opener.ID), Conversation: b.parsed.ID, UserMessage: opener.ID, Position: len(b.parsed.Turns),
		OnPath: opener.OnPath, Time: when, TimeSource: source, Source: b.draft.Source,
	}
	opener.Turn, b.replies = t.ID, b.replies[:0]
	if opener.Role == store.User {
		t.UserText, t.CodeType = opener.Text, opener.ContentType == store.CodeType
		b.hash.hash(b.textHashes[opener.Seq])
	}
	b.parsed.Turns = append(b.parsed.Turns, t)
	return int32(len(b.parsed.Turns) - 1)
}

// turnTime returns the user message's time, else the conversation's, else that of the nearest dated ancestor, else
// zero.
func (b *builder) turnTime(node int32, user *store.Message) (time.Time, store.TimeSource) {
	switch {
	case !user.Time.IsZero():
		return user.Time, store.FromMessage
	case !b.draft.Created.IsZero():
		return b.draft.Created, store.FromConversation
	case !b.draft.Updated.IsZero():
		return b.draft.Updated, store.FromConversation
	case !b.tree.times[node].IsZero():
		return b.tree.times[node], store.FromAncestor
	}
	return time.Time{}, store.Undated
}

func (b *builder) addReply(turn int32, m *store.Message) {
	t := &b.parsed.Turns[turn]
	m.Turn, t.Assistant = t.ID, m.ID
	t.CodeType = t.CodeType || m.ContentType == store.CodeType
	b.hash.hash(b.textHashes[m.Seq])
	b.replies = append(b.replies, m.Text)
	if m.Summary != "" {
		t.Summary = m.Summary
	}
	if m.Model != "" {
		t.Model = m.Model
	}
}

// closeTurn completes a turn once all its messages are added. It ignores none.
func (b *builder) closeTurn(turn int32) {
	if turn == none {
		return
	}
	t := &b.parsed.Turns[turn]
	t.AssistantText = strings.Join(b.replies, "\n\n")
	t.Embeddable = t.UserText != "" && t.AssistantText != ""
	if t.Model == "" {
		t.Model = b.parsed.Model
	}
	b.hash.id(t.Conversation)
	b.hash.id(t.UserMessage)
	b.hash.id(t.Assistant)
	b.hash.string(t.Summary)
	b.hash.string(t.Model)
	b.hash.time(t.Time)
	b.hash.int(int(t.TimeSource))
	b.hash.bool(t.OnPath)
	b.hash.int(t.Position)
	t.Hash = b.hash.done()
}

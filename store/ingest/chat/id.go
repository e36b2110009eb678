package chat

import (
	"strings"

	"github.com/google/uuid"

	"lens/store"
)

// Namespace is the UUIDv5 namespace for exported ids that are not UUIDs. A conversation's id is UUIDv5(Namespace,
// exported id), a message's UUIDv5(Namespace, exported id of the conversation + NUL + exported id), because some tools
// number the messages of each conversation from the start.
var Namespace = uuid.MustParse("6c656e73-0000-5000-8000-696d706f7274") // "lens", "import" in ASCII

func conversationID(exported string) uuid.UUID {
	if id, ok := asUUID(exported); ok {
		return id
	}
	return uuid.NewSHA1(Namespace, []byte(exported))
}

// StartsSubagents reports whether the sessions of a source may start subagents, with logs of their own.
func StartsSubagents(s store.Source) bool { return s == store.ClaudeCode || s == store.Codex }

// StartedBy returns the id of the session that started a subagent, whose exported id begins with that of the session.
// False: c is not the log of a subagent.
func StartedBy(c *store.Conversation) (session uuid.UUID, ok bool) {
	exported, _, found := strings.Cut(c.SourceID, "/")
	if !found || exported == "" || !StartsSubagents(c.Source) {
		return uuid.Nil, false
	}
	return conversationID(exported), true
}

// MessageID returns the id of a message from its exported id and that of its conversation.
func MessageID(conversation, exported string) uuid.UUID {
	if id, ok := asUUID(exported); ok {
		return id
	}
	return messageUUID(conversation, exported)
}

func messageUUID(conversation, message string) uuid.UUID {
	return uuid.NewSHA1(Namespace, []byte(conversation+"\x00"+message))
}

// OwnID returns a new id for a message of a conversation when another conversation owns the exported id: exports of
// continued chats repeat ids.
func OwnID(conversation, message uuid.UUID) uuid.UUID {
	return messageUUID(conversation.String(), message.String())
}

// asUUID accepts only the canonical form of 36 characters, and not the nil UUID, which means "none" everywhere in Lens.
func asUUID(s string) (uuid.UUID, bool) {
	if len(s) != 36 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil && id != uuid.Nil
}

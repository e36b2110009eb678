package chat

import "github.com/google/uuid"

// Namespace is the UUIDv5 namespace for exported ids that are no UUIDs: a conversation's id is UUIDv5(Namespace, exported id),
// a message's is UUIDv5(Namespace, exported id of the conversation + NUL + exported id), because tools that number their
// messages begin again with every conversation.
var Namespace = uuid.MustParse("6c656e73-0000-5000-8000-696d706f7274") // "lens", "import" in ASCII

func conversationID(exported string) uuid.UUID {
	if id, ok := asUUID(exported); ok {
		return id
	}
	return uuid.NewSHA1(Namespace, []byte(exported))
}

func messageID(conversation, exported string) uuid.UUID {
	if id, ok := asUUID(exported); ok {
		return id
	}
	return messageUUID(conversation, exported)
}

func messageUUID(conversation, message string) uuid.UUID {
	return uuid.NewSHA1(Namespace, []byte(conversation+"\x00"+message))
}

// OwnID returns the id of a message in a conversation that it shares with another one, which has the exported id: exports of
// continued chats repeat ids.
func OwnID(conversation, message uuid.UUID) uuid.UUID {
	return messageUUID(conversation.String(), message.String())
}

// asUUID takes the canonical form only: 36 characters. The nil UUID means "none" everywhere in Lens and is not taken.
func asUUID(s string) (uuid.UUID, bool) {
	if len(s) != 36 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(s)
	return id, err == nil && id != uuid.Nil
}

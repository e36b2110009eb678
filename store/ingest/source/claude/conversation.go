package claude

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"lens/store"
	"lens/store/ingest/chat"
)

// reader reads one conversation and collects its draft.
type reader struct {
	*chat.Cursor
	draft  chat.Draft
	linked bool // some message names its parent
}

// decode parses one conversation object.
func decode(raw []byte) (*chat.Parsed, *chat.Skip) {
	r := &reader{Cursor: chat.NewCursor(raw), draft: chat.Draft{Source: store.Claude, Derive: derive}}
	messages, damaged := false, false
	r.Object(func(name []byte) {
		switch string(name) {
		case "uuid":
			r.draft.ID = r.String()
		case "name":
			r.draft.Title = r.Text(&r.draft.Count)
		case "created_at":
			r.draft.Created = r.Time()
		case "updated_at":
			r.draft.Updated = r.Time()
		case "model":
			r.draft.Model = r.String()
		case "current_leaf_message_uuid":
			r.draft.Current = r.String()
		case "chat_messages":
			if r.Is('n') {
				return
			}
			messages = r.Array(r.node)
			damaged = !messages
		}
	})
	switch {
	case damaged:
		return nil, &chat.Skip{Reason: "unreadable"}
	case !messages:
		return nil, &chat.Skip{Reason: "no messages"}
	case r.draft.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: len(r.draft.Nodes)}
	}
	r.linkInOrder()
	return chat.Build(&r.draft), nil
}

// node reads one element of chat_messages.
func (r *reader) node() {
	var n chat.Node
	switch {
	case r.Is('{'):
		n = r.message()
	case r.Is('n'):
		n.Dropped = "no message"
	default:
		n.Dropped = "unreadable message"
	}
	if n.ID == "" {
		n.ID = r.contentID(n)
	}
	r.draft.Nodes = append(r.draft.Nodes, n)
}

// contentID returns an id for a node without one. A message's id derives from its content, so it is the same in the
// next export. A node without a message only needs a unique id.
func (r *reader) contentID(n chat.Node) string {
	if n.Message == nil {
		return "element " + strconv.Itoa(len(r.draft.Nodes))
	}
	sum := sha256.Sum256(n.Message.Raw)
	return hex.EncodeToString(sum[:16])
}

// linkInOrder makes each message the child of the one before it, unless the file names parents.
func (r *reader) linkInOrder() {
	if r.linked {
		return
	}
	for i := 1; i < len(r.draft.Nodes); i++ {
		r.draft.Nodes[i].Parent = r.draft.Nodes[i-1].ID
	}
}

package chat

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"lens/store"
)

// Derived is a text that a conversation has beside its messages: an attachment, an artifact, a canvas.
type Derived struct {
	Kind  store.Kind
	Key   string // unique among those of its kind in the conversation
	Title string
	Name  string    // of a file; its extension, else MIME, says how the text is cut
	MIME  string    // "": plain text
	Turn  uuid.UUID // that it belongs to in its version; uuid.Nil: none
	From  uuid.UUID // the message that has it, or that changed it last
	Time  time.Time // of what belongs to no turn; zero: that of the conversation
	Text  string

	Exported  bool // the export has the text itself; it is not what calls of a tool left
	Version   int  // how often it was written; 0: it has no versions
	Earlier   bool // passages of that version, which a later one has otherwise
	Unapplied int  // changes that could not be made; Text ends with what they would have written
	Cut       bool // at MaxText: more was written
}

// Derive returns the texts that derive from a conversation, each key once. It is a pure function of the messages, so
// that what derives from a conversation can be found again when a turn of it is forgotten.
type Derive func(*store.Conversation) []Derived

// IsBlank reports whether there is nothing in the text that could be found. The archive does not have such documents.
func (d *Derived) IsBlank() bool { return strings.TrimSpace(Clean(d.Text)) == "" }

// derived returns the hash of a conversation and of what derives from it.
func (h *hasher) derived(conversation store.Hash, all []Derived) store.Hash {
	if len(all) == 0 {
		return conversation
	}
	h.hash(conversation)
	for i := range all {
		d := &all[i]
		for _, s := range []string{string(d.Kind), d.Key, d.Title, d.Name, d.MIME, d.Text} {
			h.string(s)
		}
		h.id(d.Turn)
		h.id(d.From)
		h.int(d.Version)
		if d.Earlier {
			h.bool(d.Earlier)
		}
	}
	return h.done()
}

// Mentions reports whether a message has one of the words in its JSON: a quick look before parsing it again.
func Mentions(m *store.Message, words ...string) bool {
	for _, word := range words {
		if bytes.Contains(m.Raw, []byte(word)) {
			return true
		}
	}
	return false
}

// FollowedTurns returns the turn that each message of a conversation belongs to or follows, as LeaveOutTurns has it;
// uuid.Nil for what comes before any turn.
func FollowedTurns(messages []store.Message) map[uuid.UUID]uuid.UUID {
	turns := make(map[uuid.UUID]uuid.UUID, len(messages))
	for i := range messages {
		m := &messages[i]
		if turns[m.ID] = m.Turn; m.Turn == uuid.Nil {
			turns[m.ID] = turns[m.Parent]
		}
	}
	return turns
}

// Attachments returns the attachments of a conversation, as read reads the elements of a list in its messages. Only
// messages that mention mark are looked at. An attachment without text has a name alone, and is left out.
func Attachments(c *store.Conversation, list, mark string, read func(*Cursor) Derived) (all []Derived) {
	var turns map[uuid.UUID]uuid.UUID
	for i := range c.Messages {
		m := &c.Messages[i]
		if !Mentions(m, mark) {
			continue
		}
		if turns == nil {
			turns = FollowedTurns(c.Messages)
		}
		r, n := NewCursor(m.Raw), 0
		r.Object(func(name []byte) {
			if string(name) != list {
				return
			}
			r.Array(func() {
				a := read(r)
				a.Kind, a.Title, a.Key = store.Attachment, a.Name, m.SourceID+"/"+strconv.Itoa(n)
				a.Turn, a.From = turns[m.ID], m.ID
				if n++; a.Text != "" {
					all = append(all, a)
				}
			})
		})
	}
	return all
}

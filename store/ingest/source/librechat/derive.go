package librechat

import (
	"strconv"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// derive returns the attachments of a conversation whose text LibreChat extracted:
// {"files":[{"filename":…,"type":…,"text":…}]}. Others have a name alone.
func derive(c *store.Conversation) (all []chat.Derived) {
	var turns map[uuid.UUID]uuid.UUID
	for i := range c.Messages {
		m := &c.Messages[i]
		if !chat.Mentions(m, `"files"`) {
			continue
		}
		if turns == nil {
			turns = chat.FollowedTurns(c.Messages)
		}
		r, n := chat.NewCursor(m.Raw), 0
		r.Object(func(name []byte) {
			if string(name) != "files" {
				return
			}
			r.Array(func() {
				a := attachment(r)
				a.Key, a.Turn, a.From = m.SourceID+"/"+strconv.Itoa(n), turns[m.ID], m.ID
				if n++; a.Text != "" {
					all = append(all, a)
				}
			})
		})
	}
	return all
}

func attachment(r *chat.Cursor) chat.Derived {
	a := chat.Derived{Kind: store.Attachment}
	r.Object(func(name []byte) {
		switch string(name) {
		case "filename":
			a.Name = r.String()
		case "type":
			a.MIME = r.String()
		case "text":
			a.Text = r.String()
		}
	})
	a.Title = a.Name
	return a
}

package openwebui

import (
	"cmp"
	"strconv"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// derive returns the attachments of a chat whose text Open WebUI extracted:
// {"files":[{"name":…,"file":{"filename":…,"meta":{"content_type":…},"data":{"content":…}}}]}. Others have
// a name alone.
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
		r, n := &reader{Cursor: chat.NewCursor(m.Raw)}, 0
		r.Object(func(name []byte) {
			if string(name) != "files" {
				return
			}
			r.Array(func() {
				a := r.attachment()
				a.Key, a.Turn, a.From = m.SourceID+"/"+strconv.Itoa(n), turns[m.ID], m.ID
				if n++; a.Text != "" {
					all = append(all, a)
				}
			})
		})
	}
	return all
}

func (r *reader) attachment() chat.Derived {
	a := chat.Derived{Kind: store.Attachment}
	shown, stored := "", ""
	r.Object(func(name []byte) {
		switch string(name) {
		case "name":
			shown = r.String()
		case "file":
			r.Object(func(name []byte) {
				switch string(name) {
				case "filename":
					stored = r.String()
				case "meta":
					a.MIME = r.member("content_type")
				case "data":
					a.Text = r.member("content")
				}
			})
		}
	})
	a.Name = cmp.Or(shown, stored)
	a.Title = a.Name
	return a
}

// member returns a string of an object.
func (r *reader) member(name string) (value string) {
	r.Object(func(each []byte) {
		if string(each) == name {
			value = r.String()
		}
	})
	return value
}

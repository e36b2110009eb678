package librechat

import (
	"lens/store"
	"lens/store/ingest/chat"
)

// derive returns the attachments of a conversation whose text LibreChat extracted:
// {"files":[{"filename":…,"type":…,"text":…}]}.
func derive(c *store.Conversation) []chat.Derived {
	return chat.Attachments(c, "files", `"files"`, attachment)
}

func attachment(r *chat.Cursor) (a chat.Derived) {
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
	return a
}

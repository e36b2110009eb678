package openwebui

import (
	"cmp"

	"lens/store"
	"lens/store/ingest/chat"
)

// derive returns the attachments of a chat whose text Open WebUI extracted:
// {"files":[{"name":…,"file":{"filename":…,"meta":{"content_type":…},"data":{"content":…}}}]}.
func derive(c *store.Conversation) []chat.Derived {
	return chat.Attachments(c, "files", `"files"`, attachment)
}

func attachment(r *chat.Cursor) (a chat.Derived) {
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
					a.MIME = member(r, "content_type")
				case "data":
					a.Text = member(r, "content")
				}
			})
		}
	})
	a.Name = cmp.Or(shown, stored)
	return a
}

// member returns a string of an object.
func member(r *chat.Cursor, name string) (value string) {
	r.Object(func(each []byte) {
		if string(each) == name {
			value = r.String()
		}
	})
	return value
}

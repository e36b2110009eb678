package grok

import (
	"cmp"

	"lens/store"
	"lens/store/ingest/chat"
)

// Grok keeps two kinds of texts beside the chats: the instructions of a project, and the prompts of pictures and videos
// that were made outside of a chat. Each is a conversation with one hidden message, from which a document derives.

// The content types of such messages.
const (
	projectText = "grok_project"
	promptText  = "grok_prompt"
)

// lists are the arrays of an export that have texts of a person.
var lists = []string{"conversations", "projects", "media_posts", "tasks"}

// beside reads an element of another list than that of the conversations.
func (r *reader) beside(raw []byte) (*chat.Parsed, *chat.Skip) {
	var kind, id, name, text, media string
	isTask, isKnown := false, true
	r.Object(func(member []byte) {
		switch string(member) {
		case "id", "_id":
			id = cmp.Or(r.text(), id)
		case "name":
			name = r.Text(&r.draft.Count)
		case "custom_personality":
			kind, text = projectText, r.Text(&r.draft.Count)
		case "original_prompt":
			kind, text = promptText, r.Text(&r.draft.Count)
		case "media_type":
			media = r.String()
		case "create_time":
			r.draft.Created = r.time()
		case "modify_time":
			r.draft.Updated = r.time()
		case "prompt":
			isTask = true
		default:
			isKnown = false
		}
	})
	switch {
	case kind == "" && isTask:
		return nil, &chat.Skip{Reason: chat.NotKept}
	case kind == "" && name == "" && media == "" && (id == "" || !isKnown): // a chat has a title instead of a name
		return nil, &chat.Skip{Reason: "neither messages nor a prompt"}
	case text == "":
		return nil, &chat.Skip{Reason: chat.Empty}
	}
	r.draft.Beside = true
	r.draft.ID = kind + "/" + cmp.Or(id, chat.ContentID(text))
	r.draft.Title = titleOf(kind, name, media)
	raw, scrubbed := chat.ScrubJSON(raw)
	if scrubbed {
		r.draft.Count.Scrubbed++
	}
	r.draft.Nodes = []chat.Node{{ID: "text", Message: &chat.Message{
		Role: store.System, ContentType: kind, Text: text, Time: r.draft.Created, Raw: raw,
	}}}
	return chat.Build(&r.draft), nil
}

func titleOf(kind, name, media string) string {
	switch {
	case kind == projectText:
		return cmp.Or(name, "Project") + " · instructions"
	case media == "image":
		return "Picture by Grok"
	case media == "video":
		return "Video by Grok"
	}
	return "Picture or video by Grok"
}

// besideChats returns the document of a message that is not of a chat, false if it is of one.
func besideChats(c *store.Conversation, m *store.Message) (d chat.Derived, ok bool) {
	d = chat.Derived{Key: m.SourceID, Title: c.Title, Time: m.Time, From: m.ID, Text: m.Text}
	switch m.ContentType {
	case projectText:
		d.Kind, d.MIME = store.Project, "text/markdown"
	case promptText:
		d.Kind = store.Prompt
	default:
		return d, false
	}
	return d, d.Text != ""
}

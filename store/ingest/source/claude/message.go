package claude

import (
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
)

// fields are the fields of a message object that Lens reads.
type fields struct {
	id, parent       string
	sender           string
	text             string // older exports have no blocks
	created, updated string
	blocks           []block
	files            []string // names of attached files
}

func (r *reader) message() chat.Node {
	var f fields
	raw := r.Span(func() { r.Object(func(name []byte) { r.field(&f, name) }) })
	raw, scrubbed := chat.ScrubJSON(raw)
	if scrubbed {
		r.draft.Count.Scrubbed++
	}
	r.linked = r.linked || f.parent != ""
	m := &chat.Message{Role: role(f.sender), Raw: raw, ContentType: "text"}
	if m.Time = chat.Time(f.created); m.Time.IsZero() {
		m.Time = chat.Time(f.updated)
	}
	if m.Text = r.text(&f); m.Role == store.Assistant {
		m.Text = shown(m.Text)
	}
	m.Visible = m.Role == store.User || m.Role == store.Assistant
	return chat.Node{ID: f.id, Parent: f.parent, Message: m}
}

func (r *reader) field(f *fields, name []byte) {
	switch string(name) {
	case "uuid":
		f.id = r.String()
	case "parent_message_uuid":
		f.parent = r.String()
	case "sender":
		f.sender = r.String()
	case "text":
		f.text = r.String()
	case "created_at":
		f.created = r.String()
	case "updated_at":
		f.updated = r.String()
	case "content":
		r.Array(func() { f.blocks = append(f.blocks, r.block()) })
	case "attachments", "files":
		r.Array(func() {
			r.Object(func(name []byte) {
				if string(name) == "file_name" {
					f.files = append(f.files, r.String())
				}
			})
		})
	}
}

func role(sender string) store.Role {
	switch sender {
	case "human", "user":
		return store.User
	case "assistant":
		return store.Assistant
	case "system":
		return store.System
	}
	return store.Tool
}

// block is one element of a message's content.
type block struct{ kind, text string }

func (r *reader) block() block {
	var b block
	if r.Is('"') {
		return block{kind: "text", text: r.String()}
	}
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			b.kind = r.String()
		case "text":
			b.text = r.String()
		}
	})
	return b
}

// text returns the message's text: its text blocks and voice notes. Only raw keeps thoughts, tool calls and tool
// results. In newer exports the field text repeats the blocks, with placeholders for those that a phone cannot show, so
// it counts only in messages without blocks.
func (r *reader) text(f *fields) string {
	var texts []string
	for _, b := range f.blocks {
		switch b.kind {
		case "text", "voice_note", "":
			if strings.TrimSpace(b.text) != "" {
				texts = append(texts, b.text)
			}
		case "thinking", "redacted_thinking", "tool_use", "tool_result", "token_budget", "flag":
		default:
			r.draft.Count.Unknown(b.kind)
		}
	}
	if len(f.blocks) == 0 && strings.TrimSpace(f.text) != "" {
		texts = append(texts, f.text)
	}
	if len(texts) > 0 {
		return strings.Join(texts, "\n\n")
	}
	if role(f.sender) != store.User {
		return ""
	}
	for _, name := range f.files {
		if name != "" {
			texts = append(texts, "[file: "+name+"]")
		}
	}
	return strings.Join(texts, "\n")
}

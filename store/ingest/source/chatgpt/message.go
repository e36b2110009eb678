package chatgpt

import (
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
)

// message holds the fields of a message object that Lens reads.
type message struct {
	chat.Message

	created, updated string // separate: the update time counts only when the creation time is unknown
	recipient        string
	channel          string
	inactive         bool // weight 0
	content          content
	meta             metadata
}

// metadata holds the fields of a message's metadata that Lens reads.
type metadata struct {
	hidden      bool
	context     bool     // is_user_system_message
	realAuthor  string   // "tool:…" marks tool output under the assistant's role
	about       []string // custom instructions of older exports
	attachments []string // names of files
	canvas      bool     // it says something of canvas documents
}

// message reads the message of a node, which mostly has the same id.
func (r *reader) message(node string) *chat.Message {
	m := &r.last
	*m = message{}
	raw := r.Span(func() { r.Object(func(name []byte) { r.messageField(m, name, node) }) })
	raw, scrubbed := chat.ScrubJSON(raw)
	if scrubbed {
		r.draft.Count.Scrubbed++
	}
	m.Raw = raw
	if m.Time = chat.Time(m.created); m.Time.IsZero() {
		m.Time = chat.Time(m.updated)
	}
	if strings.HasPrefix(m.meta.realAuthor, "tool:") {
		m.Role = store.Tool
	}
	r.classify(m)
	r.derives = r.derives || mayDerive(m)
	kept := m.Message // without what only classify needs
	return &kept
}

func (r *reader) messageField(m *message, name []byte, node string) {
	switch string(name) {
	case "id":
		m.ID = r.Repeated(node)
	case "author":
		r.Object(func(name []byte) {
			switch string(name) {
			case "role":
				m.Role = role(r.Repeated(string(store.Assistant)))
			case "metadata":
				r.Object(func(name []byte) {
					if string(name) == "real_author" {
						m.meta.realAuthor = r.String()
					}
				})
			}
		})
	case "create_time":
		m.created = r.String()
	case "update_time":
		m.updated = r.String()
	case "content":
		r.content(&m.content)
	case "weight":
		m.inactive = r.IsZero()
	case "recipient":
		m.recipient = r.Repeated("all")
	case "channel":
		m.channel = r.String()
	case "metadata":
		r.Object(func(name []byte) { r.metadataField(m, name) })
	}
}

func (r *reader) metadataField(m *message, name []byte) {
	switch string(name) {
	case "turn_summary":
		m.Summary = r.String()
	case "model_slug":
		m.Model = r.String()
	case "is_visually_hidden_from_conversation":
		m.meta.hidden = r.Bool()
	case "is_user_system_message":
		m.meta.context = r.Bool()
	case "real_author":
		m.meta.realAuthor = r.String()
	case "user_context_message_data":
		r.Object(func([]byte) { m.meta.about = append(m.meta.about, r.String()) })
	case "canvas":
		m.meta.canvas = true
	case "attachments":
		r.Array(func() {
			r.Object(func(name []byte) {
				if string(name) == "name" {
					m.meta.attachments = append(m.meta.attachments, r.String())
				}
			})
		})
	}
}

func role(exported string) store.Role {
	switch r := store.Role(exported); r {
	case store.User, store.Assistant, store.System:
		return r
	}
	return store.Tool
}

// classify sets the text of m and whether it is visible. A message is visible if a user or the assistant addressed it
// to all, and it is not hidden, not inactive (weight 0) and not the assistant's internal channel ("commentary",
// "analysis").
func (r *reader) classify(m *message) {
	kind := m.content.kind()
	m.ContentType = m.content.exported
	if m.ContentType == "" {
		m.ContentType = string(kind)
	}
	m.Text = r.text(m, kind)
	speaks := m.Role == store.User || m.Role == store.Assistant
	toAll := m.recipient == "" || m.recipient == "all"
	internal := m.Role == store.Assistant && (m.channel == "commentary" || m.channel == "analysis")
	m.Visible = speaks && toAll && !internal && !m.inactive && !m.meta.hidden && !m.meta.context && canBeSpeech(m, kind)
	if m.Visible && m.Role == store.Assistant {
		m.Text = chat.CleanMarkers(m.Text)
	}
}

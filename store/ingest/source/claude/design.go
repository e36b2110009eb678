package claude

import (
	"cmp"
	"io"
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Design is the layout of a file of design_chats/: the chat about a design, whose messages are wrapped once more.
var Design = source.Format{
	Source: store.Claude, Name: "Claude", Matches: matchesDesign, Derive: derive,
	Read: source.Reads(func(r io.Reader) source.Conversations { return chat.Stream("claude: read", r, decodeDesign) }),
}

func matchesDesign(s *source.Sample) bool {
	return s.Any(func(c source.Value) bool {
		if !c.Get("project").IsObject() {
			return false
		}
		for _, m := range c.Get("messages").Elements() {
			if m.Get("content").IsObject() {
				return true
			}
		}
		return false
	})
}

// designText is the content type of the messages of such a chat.
const designText = "claude_design"

func decodeDesign(raw []byte) (*chat.Parsed, *chat.Skip) {
	r := new(designReader)
	r.Cursor, r.draft = chat.NewCursor(raw), chat.Draft{Source: store.Claude, Derive: derive}
	messages, project := false, ""
	r.Object(func(name []byte) {
		switch string(name) {
		case "uuid":
			r.draft.ID = r.String()
		case "name", "title":
			r.draft.Title = cmp.Or(r.Text(&r.draft.Count), r.draft.Title)
		case "created_at":
			r.draft.Created = r.Time()
		case "updated_at":
			r.draft.Updated = r.Time()
		case "project":
			member(r.Cursor, "name", func() { project = r.Text(&r.draft.Count) })
		case "messages":
			messages = r.Array(r.message)
		}
	})
	switch {
	case !messages:
		return nil, &chat.Skip{Reason: "no messages"}
	case r.draft.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: len(r.draft.Nodes)}
	}
	r.draft.Title = cmp.Or(r.draft.Title, project)
	r.linkInOrder()
	return chat.Build(&r.draft), nil
}

// designReader reads the chat about a design. What a person says while the assistant works is a block of its message.
type designReader struct {
	reader
	ids chat.ContentIDs // of what comes after the first part of a message
}

// designMessage is a message. Its content has a role, too.
type designMessage struct {
	id, role, text, sent string
	blocks               []designBlock
	attached             bool   // it has attachments
	raw                  []byte // of its content
}

type designBlock struct {
	kind, text   string
	interjection bool // a person's
}

func (r *designReader) message() {
	if !r.Is('{') {
		r.draft.Drop("unreadable message")
		return
	}
	var m designMessage
	r.Object(func(name []byte) {
		switch string(name) {
		case "uuid":
			m.id = r.String()
		case "role":
			m.role = cmp.Or(r.String(), m.role)
		case "content":
			m.raw = r.Raw(&r.draft.Count, func() { r.Object(func(name []byte) { r.member(&m, name) }) })
		}
	})
	r.add(&m)
}

func (r *designReader) member(m *designMessage, name []byte) {
	switch string(name) {
	case "role":
		m.role = cmp.Or(m.role, r.String())
	case "content":
		m.text = r.String()
	case "contentBlocks":
		r.Array(func() { m.blocks = append(m.blocks, r.block()) })
	case "timestamp":
		m.sent = r.String()
	case "attachments":
		r.Array(func() {
			m.attached = true
			if a := designAttachment(r.Cursor); a.Text == "" {
				r.draft.Count.Unknown("attachment that is not text")
			}
		})
	}
}

// block reads a text, a call of a tool, or what a person said meanwhile.
func (r *designReader) block() (b designBlock) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "type":
			b.kind = r.String()
		case "text":
			b.text = cmp.Or(r.String(), b.text)
		case "message":
			b.text = cmp.Or(r.String(), b.text)
		case "user_interjection":
			b.kind = "user_interjection"
			member(r.Cursor, "message", func() { b.text = r.String() })
		}
	})
	b.interjection = b.kind == "user_interjection"
	return b
}

// add adds a message, and one more for each part that another author begins.
func (r *designReader) add(m *designMessage) {
	var texts []string
	author, first := role(m.role), true
	flush := func() {
		r.addPart(m, author, chat.Paragraphs(texts), first)
		texts, first = nil, false
	}
	if m.text != "" {
		texts = append(texts, m.text)
	}
	for _, b := range m.blocks {
		by := role(m.role)
		if b.interjection {
			by = store.User
		}
		if b.text != "" && by != author {
			flush()
			author = by
		}
		switch {
		case b.text == "": // a call of a tool
		case b.kind == "text", b.kind == "", b.interjection:
			texts = append(texts, b.text)
		default:
			r.draft.Count.Unknown("block of a kind that Lens does not read")
		}
	}
	flush()
}

func (r *designReader) addPart(m *designMessage, author store.Role, text string, first bool) {
	part := &chat.Message{
		Role: author, ContentType: designText, Text: text, Time: chat.Time(m.sent), Raw: []byte("{}"),
		Visible: author == store.User || author == store.Assistant,
	}
	id := m.id
	if first {
		part.Raw = m.raw
	}
	if first && author == store.User && text == "" && m.attached {
		part.Text = "[attachment]"
	}
	if id == "" || !first {
		id = r.ids.Of(part)
	}
	r.draft.Nodes = append(r.draft.Nodes, chat.Node{ID: id, Message: part})
}

// designAttachment reads a text beside a message, whose file has no name.
func designAttachment(r *chat.Cursor) (a chat.Derived) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "content":
			a.Text = r.String()
		case "type":
			a.MIME = r.String()
		}
	})
	if a.MIME != "" && a.MIME != "text" && !strings.HasPrefix(a.MIME, "text/") {
		a.Text = "" // the bytes of a picture
	}
	return a
}

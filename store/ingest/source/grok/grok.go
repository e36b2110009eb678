// Package grok parses the conversations of a Grok export, in the layouts of 2025 and 2026. It does no I/O of its own.
//
// Both layouts are read with the names of either. Responses form a tree; one without a parent follows the response
// before it in the file. The path ends at the leaf that the file names, else it goes to the last child by time.
package grok

import (
	"cmp"
	"io"
	"iter"
	"path"
	"strings"
	"time"

	"lens/internal/lazyregexp"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of prod-grok-backend.json.
var Format = source.Format{
	Source: store.Grok, Name: "Grok", Matches: matches, Read: read,
	Derive: derive, Companion: isAsset,
	Get:      "accounts.x.ai, Download your data; a zip",
	Download: lazyregexp.New(`(?i)^prod-grok-backend\.json$`),
}

func matches(s *source.Sample) bool {
	isChat := func(c source.Value) bool { return c.Get("conversation").IsObject() && c.Get("responses").IsArray() }
	return s.Any(isChat) || len(s.Values) == 1 && s.Values[0].Get("conversations").IsArray() &&
		s.Values[0].Get("media_posts").IsArray() // of a person who has no chats
}

// read is Conversations, with the files that were uploaded.
func read(f *source.File) source.Conversations {
	return conversations(f, &assets{folder: f.Folder, of: path.Dir(f.Name)})
}

// Conversations yields the conversations of one JSON file, in order. For a conversation that cannot be read it yields a
// *chat.Skip with the reason and continues; any other error is a *errs.Error and the last value.
func Conversations(r io.Reader) iter.Seq2[*chat.Parsed, error] {
	return conversations(r, &assets{})
}

func conversations(r io.Reader, uploaded *assets) iter.Seq2[*chat.Parsed, error] {
	return chat.StreamLists("grok: read", r, lists, func(raw []byte) (*chat.Parsed, *chat.Skip) {
		return decode(raw, uploaded)
	})
}

// reader reads one conversation and collects its draft.
type reader struct {
	*chat.Cursor
	uploaded *assets
	room     int // bytes of texts of uploaded files that may still be added
	draft    chat.Draft
	models   map[string]string // that a question asks for, by the id of its node
	ids      chat.ContentIDs   // of responses without one
	last     string            // id of the last response
}

func decode(raw []byte, uploaded *assets) (*chat.Parsed, *chat.Skip) {
	r := &reader{
		Cursor: chat.NewCursor(raw), uploaded: uploaded, draft: chat.Draft{Source: store.Grok, Derive: derive},
		models: make(map[string]string), room: maxUploaded,
	}
	isChat, responses := false, false
	r.Object(func(name []byte) {
		switch string(name) {
		case "conversation":
			isChat = true
			r.Object(r.field)
		case "responses":
			responses = r.Array(r.response)
		}
	})
	switch {
	case !isChat && !responses:
		return (&reader{Cursor: chat.NewCursor(raw), draft: r.draft}).beside(raw)
	case !responses:
		return nil, &chat.Skip{Reason: "no messages"}
	case r.draft.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: len(r.draft.Nodes)}
	}
	for i := range r.draft.Nodes {
		if n := &r.draft.Nodes[i]; n.Message != nil && n.Message.Role == store.Assistant {
			n.Message.Model = cmp.Or(n.Message.Model, r.models[n.Parent])
		}
	}
	if r.draft.Current == "" {
		r.draft.DescendToLast()
	}
	return chat.Build(&r.draft), nil
}

func (r *reader) field(name []byte) {
	switch string(name) {
	case "id", "conversation_id":
		r.draft.ID = cmp.Or(r.text(), r.draft.ID)
	case "title":
		r.draft.Title = r.Text(&r.draft.Count)
	case "create_time":
		r.draft.Created = r.time()
	case "modify_time":
		r.draft.Updated = r.time()
	case "leaf_response_id":
		r.draft.Current = r.text()
	}
}

// text returns a string, or the one that MongoDB wraps: {"$date": {"$numberLong": "1781573451575"}}.
func (r *reader) text() (s string) {
	if !r.Is('{') {
		return r.String()
	}
	r.Object(func(name []byte) {
		if strings.HasPrefix(string(name), "$") {
			s = r.text()
		}
	})
	return s
}

func (r *reader) time() time.Time { return chat.Time(r.text()) }

// fields are the fields of a response that Lens reads.
type fields struct {
	id, parent   string
	message      string
	query        string
	sender       string
	model        string // that answered
	asked        string // that the question is for
	time         time.Time
	images       bool
	files        []string
	unrecognized bool // not an object
}

// response reads one element of responses.
func (r *reader) response() {
	f := fields{unrecognized: !r.Is('{')}
	raw := r.Raw(&r.draft.Count, func() { r.Object(func(name []byte) { r.member(&f, name) }) })
	if f.unrecognized {
		r.draft.Drop("unreadable message")
		return
	}
	raw = r.uploaded.addTo(raw, f.files, &r.room, &r.draft.Count)
	m := &chat.Message{ContentType: "text", Role: store.Assistant, Model: f.model, Time: f.time, Visible: true, Raw: raw}
	m.Text = words(f.message)
	switch {
	case strings.EqualFold(f.sender, "human"):
		m.Role, m.Model = store.User, ""
		m.Text = cmp.Or(m.Text, f.query, chat.Attached(f.files))
	case m.Text == "" && f.images:
		m.Text = "[image]"
	}
	n := chat.Node{ID: cmp.Or(f.id, r.ids.Of(m)), Parent: cmp.Or(f.parent, r.last), Message: m}
	r.models[n.ID], r.last = f.asked, n.ID
	r.draft.Nodes = append(r.draft.Nodes, n)
}

// member reads a member of a response, which may be wrapped in an object beside its share_link.
func (r *reader) member(f *fields, name []byte) {
	switch string(name) {
	case "response":
		f.unrecognized = !r.Is('{')
		r.Object(func(name []byte) { r.member(f, name) })
	case "_id", "response_id":
		f.id = cmp.Or(r.text(), f.id)
	case "parent_response_id":
		f.parent = r.text()
	case "message":
		f.message = r.String()
	case "query":
		f.query = r.String()
	case "sender":
		f.sender = r.String()
	case "create_time":
		f.time = r.time()
	case "model":
		f.model = r.String()
	case "generated_image_urls":
		f.images = len(r.Strings()) > 0
	case "file_attachments":
		f.files = r.Strings()
	case "metadata":
		r.Object(func(name []byte) {
			if string(name) == "requestModelDetails" {
				r.Object(func(name []byte) {
					if string(name) == "modelId" {
						f.asked = r.String()
					}
				})
			}
		})
	}
}

var (
	// card matches what the chat page draws in place of a citation or a tool.
	card = lazyregexp.New(`(?s)[ \t]*<(?:grok:render\b[^>]*/>|grok:render\b.*?</grok:render>|` +
		`xai:tool_usage_card\b.*?</xai:tool_usage_card>)`)
	artifact = lazyregexp.New(`(?s)<xaiArtifact\b[^>]*>\s*(.*?)\s*</xaiArtifact>`)
)

// words returns a message without cards. The body of an artifact stays.
func words(message string) string {
	if !strings.Contains(message, "<") {
		return message
	}
	return artifact().ReplaceAllString(card().ReplaceAllString(message, ""), "$1")
}

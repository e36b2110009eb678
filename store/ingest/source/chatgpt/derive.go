package chatgpt

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest/chat"
)

// derive returns the canvas documents of a conversation, as the calls of their tool left them, and what the assistant
// noted about the person; or the text of a conversation that was made of what chats are handed.
func derive(c *store.Conversation) []chat.Derived {
	found := false
	for i := range c.Messages {
		if d, ok := besideChats(c, &c.Messages[i]); ok {
			return []chat.Derived{d}
		}
		found = found || chat.Mentions(&c.Messages[i], `"canmore.`, `"user_created_textdocs"`)
	}
	if !found {
		return remembered(c)
	}
	d := &deriver{edits: chat.NewEdits(c), results: map[uuid.UUID]textdoc{}}
	calls := make([]canvasCall, len(c.Messages))
	for i := range c.Messages {
		m := &c.Messages[i]
		if chat.Mentions(m, `"canmore.`, `"textdoc_id"`) {
			calls[i] = canvasCallOf(m.Raw)
		}
		if id := calls[i].result.id; id != "" && m.Role == store.Tool {
			d.results[m.Parent] = calls[i].result
		}
	}
	for i := range c.Messages {
		m := &c.Messages[i]
		d.edits.At(m)
		d.follow(m, &calls[i])
		d.asExported(m)
	}
	return append(d.edits.Derived(), remembered(c)...)
}

// mayDerive reports whether derive may find something in a message.
func mayDerive(m *message) bool {
	_, beside := contextTitles[m.ContentType]
	return beside || m.meta.canvas || m.recipient == "bio" || strings.HasPrefix(m.recipient, "canmore.")
}

// deriver follows the calls of the canvas tool.
type deriver struct {
	edits   *chat.Edits
	results map[uuid.UUID]textdoc // of the calls, by message
}

// canvasCall is what a message says of canvas documents.
type canvasCall struct {
	tool   string // recipient: canmore.create_textdoc …
	body   string
	result textdoc   // that the tool names
	own    []textdoc // as the user left them
}

// textdoc is a canvas document.
type textdoc struct {
	id, title, kind, content string
	version                  int // 0: unknown
}

func canvasCallOf(raw []byte) (call canvasCall) {
	r := &reader{Cursor: chat.NewCursor(raw)}
	r.Object(func(name []byte) {
		switch string(name) {
		case "recipient":
			call.tool = r.String()
		case "content":
			var c content
			r.content(&c)
			if call.body = c.fields["text"]; call.body == "" {
				call.body = joinParts(c.parts)
			}
		case "metadata":
			r.member("canvas", func() {
				r.Object(func(name []byte) {
					switch string(name) {
					case "textdoc_id":
						call.result.id = r.String()
					case "title":
						call.result.title = r.String()
					case "textdoc_type":
						call.result.kind = r.String()
					case "version":
						call.result.version = r.version()
					case "user_created_textdocs":
						r.Array(func() { call.own = append(call.own, r.textdoc()) })
					}
				})
			})
		}
	})
	return call
}

// member calls visit before the value of a member of an object.
func (r *reader) member(name string, visit func()) {
	r.Object(func(each []byte) {
		if string(each) == name {
			visit()
		}
	})
}

func (r *reader) textdoc() (t textdoc) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "textdoc_id", "id":
			t.id = r.String()
		case "title", "name":
			t.title = r.String()
		case "type", "textdoc_type":
			t.kind = r.String()
		case "content":
			t.content = r.String()
		case "version":
			t.version = r.version()
		}
	})
	return t
}

// version returns a number, 0 for none.
func (r *reader) version() int {
	n, err := strconv.Atoi(r.String())
	if err != nil {
		return 0
	}
	return n
}

func (d *deriver) follow(m *store.Message, call *canvasCall) {
	for _, own := range call.own {
		if own.id != "" {
			d.edits.Write(d.document(own.id, own), own.content)
		}
	}
	if m.Role != store.Assistant {
		return
	}
	result := d.results[m.ID]
	switch call.tool {
	case "canmore.create_textdoc":
		created := createdBy(call.body)
		created.title, created.kind = cmp.Or(created.title, result.title), cmp.Or(created.kind, result.kind)
		d.edits.Write(d.document(cmp.Or(result.id, m.SourceID), created), created.content)
	case "canmore.update_textdoc":
		if id := cmp.Or(result.id, d.edits.Last()); id != "" {
			d.update(d.document(id, result), call.body)
		}
	case "canmore.comment_textdoc":
		if id := cmp.Or(result.id, d.edits.Last()); id != "" {
			comment(d.document(id, result), call.body)
		}
	}
}

// asExported takes the texts that the export itself has of documents: see textdocs.
func (d *deriver) asExported(m *store.Message) {
	for _, beside := range chat.BesideIn(m.Raw) {
		e := d.document(beside.ID, textdoc{title: beside.Title, kind: beside.Type})
		if e.Text != beside.Text || e.Unapplied > 0 {
			d.edits.Write(e, beside.Text)
		}
		e.Exported = true
	}
}

// document returns a document to be changed. A call may leave out its title and type.
func (d *deriver) document(id string, t textdoc) *chat.Edited {
	e := d.edits.Document(store.Canvas, id)
	e.Title = cmp.Or(t.title, e.Title)
	switch language, code := strings.CutPrefix(t.kind, "code/"); {
	case code:
		e.MIME = "text/x-" + language
	case t.kind != "":
		e.MIME = "text/markdown"
	}
	return e
}

// createdBy reads the body of a call that creates a document. One that was stopped ends within the content.
func createdBy(body string) textdoc {
	if c, ok := chat.JSONIn(body); ok {
		return (&reader{Cursor: c}).textdoc()
	}
	_, rest, _ := strings.Cut(body, `"content"`)
	_, rest, found := strings.Cut(rest, `"`)
	if !found {
		return textdoc{}
	}
	const longestEscape = 12 // a pair of surrogates
	for cut := range min(longestEscape, len(rest)) + 1 {
		var content string
		if json.Unmarshal([]byte(`"`+rest[:len(rest)-cut]+`"`), &content) == nil {
			return textdoc{content: content}
		}
	}
	return textdoc{content: rest}
}

func (d *deriver) update(e *chat.Edited, body string) {
	c, ok := chat.JSONIn(body)
	if !ok {
		d.edits.Undone(e, body)
		return
	}
	r := &reader{Cursor: c}
	r.member("updates", func() {
		r.Array(func() {
			var pattern, replacement string
			all := false
			r.Object(func(name []byte) {
				switch string(name) {
				case "pattern":
					pattern = r.String()
				case "replacement":
					replacement = r.String()
				case "multiple":
					all = r.Bool()
				}
			})
			d.edits.Substitute(e, pattern, replacement, all)
		})
	})
}

func comment(e *chat.Edited, body string) {
	c, ok := chat.JSONIn(body)
	if !ok {
		return
	}
	r := &reader{Cursor: c}
	r.member("comments", func() {
		r.Array(func() { r.member("comment", func() { e.Note("comment", r.String()) }) })
	})
}

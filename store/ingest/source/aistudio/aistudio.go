// Package aistudio parses the chats that Google AI Studio saves in Drive. It does no I/O of its own.
//
// A file is one chat, and its name the title: that and the first words of the person identify it. It has chunks instead
// of messages; those of one role in a row are one message. Older files have no times.
package aistudio

import (
	"bytes"
	"cmp"
	"iter"
	"path"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is the layout of a saved chat.
var Format = source.Format{
	Source: store.AIStudio, Name: "AI Studio", Matches: matches, Read: read,
	Get: "the folder Google AI Studio in Drive, downloaded",
}

func matches(s *source.Sample) bool {
	return s.Any(func(c source.Value) bool { return c.Get("chunkedPrompt", "chunks").IsArray() })
}

// read yields the chat of a file. One that cannot be read is a *chat.Skip with the reason; any other error is a
// *errs.Error and the last value.
func read(f *source.File) iter.Seq2[*chat.Parsed, error] {
	title := ""
	if f.Name != "" {
		title = path.Base(f.Name)
	}
	if ext := path.Ext(title); strings.EqualFold(ext, ".json") {
		title = strings.TrimSuffix(title, ext)
	}
	return chat.Stream("aistudio: read", f, func(raw []byte) (*chat.Parsed, *chat.Skip) { return decode(raw, title) })
}

// reader reads one chat and collects its draft.
type reader struct {
	*chat.Cursor
	draft  chat.Draft
	ids    chat.ContentIDs
	open   *chunk // the message that further chunks may add to; its text is the first one
	texts  []string
	files  []string
	pieces [][]byte // JSON of its chunks
}

// chunk is a piece of a message.
type chunk struct {
	role  store.Role
	text  string
	file  string
	time  time.Time
	raw   []byte
	plain bool // neither a thought nor an error
}

func decode(raw []byte, title string) (*chat.Parsed, *chat.Skip) {
	r := &reader{Cursor: chat.NewCursor(raw), draft: chat.Draft{Source: store.AIStudio, Title: title}}
	found := false
	var instruction *chat.Message
	r.Object(func(name []byte) {
		switch string(name) {
		case "runSettings":
			r.Object(func(name []byte) {
				if string(name) == "model" {
					r.draft.Model = strings.TrimPrefix(r.String(), "models/")
				}
			})
		case "systemInstruction":
			instruction = r.instruction()
		case "chunkedPrompt":
			r.Object(func(name []byte) {
				if string(name) == "chunks" {
					found = r.Array(r.chunk)
				}
			})
		}
	})
	if !found {
		return nil, &chat.Skip{Reason: "no messages"}
	}
	r.close()
	d := &r.draft
	if instruction != nil {
		d.Nodes = append([]chat.Node{{ID: r.ids.Of(instruction), Message: instruction}}, d.Nodes...)
	}
	first := ""
	for i := range d.Nodes {
		if m := d.Nodes[i].Message; m != nil && m.Role == store.User && first == "" {
			first = m.Text
		}
	}
	d.ID = "aistudio " + chat.ContentID(title, first)
	d.LinkInOrder()
	if len(d.Nodes) > 0 {
		d.Current = d.Nodes[len(d.Nodes)-1].ID
	}
	d.DateByMessages()
	return chat.Build(d), nil
}

// instruction returns the system instruction, nil for an empty one.
func (r *reader) instruction() *chat.Message {
	m := &chat.Message{Role: store.System, ContentType: "text"}
	m.Raw = r.Raw(&r.draft.Count, func() {
		r.Object(func(name []byte) {
			switch string(name) {
			case "text":
				m.Text = r.String()
			case "parts":
				if text := r.parts(); m.Text == "" {
					m.Text = text
				}
			}
		})
	})
	if m.Text == "" {
		return nil
	}
	return m
}

// parts joins the texts of parts other than thoughts. They repeat a text in pieces.
func (r *reader) parts() string {
	var all strings.Builder
	r.Array(func() {
		var text string
		thought := false
		r.Object(func(name []byte) {
			switch string(name) {
			case "text":
				text = r.String()
			case "thought":
				thought = r.Bool()
			}
		})
		if !thought {
			all.WriteString(text)
		}
	})
	return all.String()
}

// chunk reads the next chunk and adds it to the open message, or begins one.
func (r *reader) chunk() {
	c := chunk{role: store.Tool, plain: true}
	var parts string
	if !r.Is('{') {
		r.draft.Drop("unreadable message")
		return
	}
	c.raw = r.Raw(&r.draft.Count, func() {
		r.Object(func(name []byte) {
			switch string(name) {
			case "role":
				c.role = role(r.String())
			case "text":
				c.text = r.String()
			case "parts":
				parts = r.parts()
			case "isThought":
				c.plain = !r.Bool() && c.plain
			case "errorMessage":
				c.plain = r.String() == "" && c.plain
			case "createTime":
				c.time = r.Time()
			case "driveDocument", "driveImage", "driveAudio", "driveVideo", "youtubeVideo":
				c.file = r.id(strings.TrimPrefix(string(name), "drive"))
			case "inlineFile", "inlineImage":
				c.file = "inline"
			}
		})
	})
	c.text = cmp.Or(c.text, parts)
	if r.open != nil && r.open.role != c.role {
		r.close()
	}
	r.add(&c)
}

func role(name string) store.Role {
	switch name {
	case "user":
		return store.User
	case "model":
		return store.Assistant
	}
	return store.Tool
}

// id names a file that the chat refers to.
func (r *reader) id(kind string) (file string) {
	r.Object(func(name []byte) {
		if string(name) == "id" {
			file = strings.ToLower(kind) + " " + r.String()
		}
	})
	return file
}

func (r *reader) add(c *chunk) {
	if r.open == nil {
		r.open = &chunk{role: c.role, time: c.time}
	}
	if r.open.time.IsZero() {
		r.open.time = c.time
	}
	if c.plain {
		r.texts = append(r.texts, c.text)
	}
	r.files = append(r.files, c.file)
	r.pieces = append(r.pieces, c.raw)
}

// close makes a message of the open chunks.
func (r *reader) close() {
	if r.open == nil {
		return
	}
	m := &chat.Message{
		Role: r.open.role, ContentType: "text", Text: chat.Paragraphs(r.texts), Time: r.open.time, Visible: true,
		Raw: append(append([]byte{'['}, bytes.Join(r.pieces, []byte{','})...), ']'),
	}
	switch m.Role {
	case store.User:
		m.Text = cmp.Or(m.Text, chat.Attached(r.files))
	case store.Assistant:
		m.Model = r.draft.Model
	default:
		m.Visible = false
	}
	r.draft.Nodes = append(r.draft.Nodes, chat.Node{ID: r.ids.Of(m), Message: m})
	r.open, r.texts, r.files, r.pieces = nil, nil, nil, nil
}

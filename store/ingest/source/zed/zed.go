// Package zed parses the threads of the agent in the editor Zed, which are in a database. It does no I/O of its own.
package zed

import (
	"cmp"
	"encoding/json"

	"github.com/klauspost/compress/zstd"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Format is threads/threads.db in the folder of the editor's data: a row for each thread, with its messages as JSON,
// nearly always compressed. Messages have no times, so that turns have that of their thread.
var Format = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Zed, Name: "Zed", Matches: matches, Companion: source.IsLogOf, Read: source.ReadsDatabase(threads),
	Get: "the threads on this machine",
	Kept: []source.Place{
		{Base: source.Local, Folder: "zed/threads", Files: []string{"threads.db"}},
		{Base: source.Local, Folder: "Zed/threads", Files: []string{"threads.db"}},
	},
}

func matches(s *source.Sample) bool { return s.HasTable("threads", "id", "data_type", "data") }

// maxThread bounds the JSON of a thread, in bytes.
const maxThread = 256 << 20

func threads(d *source.Database) source.Conversations {
	return func(yield func(*chat.Parsed, error) bool) {
		unpack, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxThread))
		if err != nil {
			yield(nil, err)
			return
		}
		defer unpack.Close()
		columns := d.Columns("threads", "id", "summary", "created_at", "updated_at", "parent_id", "data_type", "data")
		for row, err := range d.Rows("SELECT " + columns + " FROM threads") {
			if err != nil {
				yield(nil, err)
				return
			}
			p, skip := parse(row, unpack)
			if skip != nil && !yield(nil, skip) || p != nil && !yield(p, nil) {
				return
			}
		}
	}
}

func parse(row source.Row, unpack *zstd.Decoder) (*chat.Parsed, *chat.Skip) {
	data := row.Bytes(6)
	if row.Text(5) == "zstd" {
		var err error
		if data, err = unpack.DecodeAll(data, nil); err != nil {
			return nil, &chat.Skip{Reason: "damaged", Err: err}
		}
	}
	if !json.Valid(data) {
		return nil, &chat.Skip{Reason: "unreadable"}
	}
	t := &thread{Cursor: chat.NewCursor(data), subagent: row.Text(4) != ""}
	t.Source, t.ID, t.Title = store.Zed, row.Text(0), row.Text(1)
	t.Created, t.Updated = chat.Time(row.Text(2)), chat.Time(row.Text(3))
	t.Object(t.field)
	switch {
	case t.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: len(t.Nodes)}
	case len(t.Nodes) == 0:
		return nil, &chat.Skip{Reason: "no messages"}
	}
	if t.Created.IsZero() {
		t.Created = t.Updated
	}
	return chat.Build(&t.Draft), nil
}

// thread is a thread, as far as its messages have come.
type thread struct {
	source.Session
	*chat.Cursor
	subagent bool // nothing that it is asked are words of the person
}

func (t *thread) field(name []byte) {
	switch string(name) {
	case "title", "summary":
		t.Title = cmp.Or(t.Title, t.Text(&t.Count))
	case "model":
		t.Object(func(name []byte) {
			if string(name) == "model" {
				t.Model = t.String()
			}
		})
	case "messages":
		t.Array(func() { t.message(t.Span(t.Skip)) })
	}
}

// message reads a message: an object with its kind as the only member, or, of releases before 2025-10, one with a role.
// "Resume" marks where an answer was taken up again.
func (t *thread) message(raw []byte) {
	c := chat.NewCursor(raw)
	if !c.Is('{') {
		t.Drop("no message")
		return
	}
	m := &message{Cursor: c}
	c.Object(func(name []byte) {
		switch string(name) {
		case "User":
			m.role = store.User
			c.Object(m.field)
		case "Agent":
			m.role = store.Assistant
			c.Object(m.field)
		case "role":
			m.role = store.Role(c.String())
		case "segments":
			m.field(name)
		}
	})
	if m.role == "" {
		t.Drop("message of unknown type")
		return
	}
	words := chat.Paragraphs(m.content.Texts)
	if t.subagent && m.role == store.User {
		words = ""
	}
	said := m.content.Message(&t.Count, m.role, words, raw)
	if said.Role == store.Assistant {
		said.Model = t.Model
	}
	t.Add(m.id, said)
}

type message struct {
	*chat.Cursor
	role    store.Role
	id      string
	content source.Content
}

func (m *message) field(name []byte) {
	switch string(name) {
	case "id":
		m.id = m.String()
	case "content", "segments":
		m.Array(func() { m.Object(m.block) })
	}
}

// block reads a member of a block: one that is named for its kind, or the text of an older one.
func (m *message) block(kind []byte) {
	switch string(kind) {
	case "Text", "text":
		m.content.Texts = append(m.content.Texts, m.String())
	case "Thinking":
		m.Object(func(name []byte) {
			if string(name) == "text" {
				m.content.Thoughts = append(m.content.Thoughts, m.String())
			}
		})
	case "ToolUse":
		m.Object(func(name []byte) {
			if string(name) == "name" {
				m.content.Calls = append(m.content.Calls, m.String())
			}
		})
	}
}

package cursor

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Database is state.vscdb in the folders globalStorage and workspaceStorage of the editor: tables of keys and values.
// The first has the chats, a value for each and one for each of its messages; the second those of before 2025, all in
// one value.
var Database = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Cursor, Name: "Cursor", Matches: isDatabase, Companion: source.IsLogOf,
	Read: source.ReadsDatabase(chats),
	Kept: []source.Place{
		{Base: source.Config, Folder: "Cursor/User", Files: []string{
			"globalStorage/state.vscdb", "workspaceStorage/*/state.vscdb",
		}},
	},
}

const (
	composer = "composerData:"
	bubble   = "bubbleId:"
	// chatdata is the key of the chats of before 2025.
	chatdata = "workbench.panel.aichat.view.aichat.chatdata"

	composers = "SELECT key, value FROM cursorDiskKV WHERE key >= ? AND key < ?"
	tabs      = "SELECT key, value FROM ItemTable WHERE key = ?"
)

// isDatabase tells the databases with chats from those of other editors, which have the same tables.
func isDatabase(s *source.Sample) bool {
	return s.HasTable("cursorDiskKV", "key", "value") && hasRow(s.Database, composers, composer, after(composer)) ||
		s.HasTable("ItemTable", "key", "value") && hasRow(s.Database, tabs, chatdata)
}

func hasRow(d *source.Database, sql string, parameters ...string) bool {
	for _, err := range d.Rows(sql, parameters...) {
		return err == nil
	}
	return false
}

// after returns the least text after all that begin with prefix, whose last character is a colon.
func after(prefix string) string { return strings.TrimSuffix(prefix, ":") + ";" }

func chats(d *source.Database) source.Conversations {
	return func(yield func(*chat.Parsed, error) bool) {
		send := func(e *editorChat, err error) bool {
			if err != nil {
				yield(nil, err)
				return false
			}
			p, skip := e.parsed()
			return skip != nil && yield(nil, skip) || p != nil && yield(p, nil)
		}
		if _, ok := d.Tables()["cursorDiskKV"]; ok {
			for row, err := range d.Rows(composers, composer, after(composer)) {
				if err != nil {
					yield(nil, err)
					return
				}
				e, err := readComposer(d, strings.TrimPrefix(row.Text(0), composer), row.Bytes(1))
				if !send(e, err) {
					return
				}
			}
		}
		if _, ok := d.Tables()["ItemTable"]; !ok {
			return
		}
		for row, err := range d.Rows(tabs, chatdata) {
			if err != nil {
				yield(nil, err)
				return
			}
			if value := row.Bytes(1); json.Valid(value) {
				for _, e := range readTabs(value) {
					if !send(e, nil) {
						return
					}
				}
			}
		}
	}
}

// editorChat is a chat of the editor, as far as its messages have come.
type editorChat struct {
	source.Session
	shown []string // ids of its messages, in order
	kept  bool     // messages are in it, not in values of their own
}

func newChat(id string) *editorChat {
	return &editorChat{Session: source.Session{Draft: chat.Draft{Source: store.Cursor, ID: id}}}
}

func (e *editorChat) parsed() (*chat.Parsed, *chat.Skip) {
	switch {
	case e == nil:
		return nil, &chat.Skip{Reason: "unreadable"}
	case len(e.Nodes) == 0:
		return nil, &chat.Skip{Reason: "no messages"}
	}
	e.DateByMessages()
	if e.ID == "" {
		e.ID = "cursor " + chat.ContentID(e.Created.Format(time.RFC3339Nano), e.Nodes[0].ID)
	}
	return chat.Build(&e.Draft), nil
}

// readComposer reads a chat and its messages; nil: the value is not JSON.
func readComposer(d *source.Database, id string, value []byte) (*editorChat, error) {
	if !json.Valid(value) {
		return nil, nil
	}
	e := newChat(id)
	c := chat.NewCursor(value)
	c.Object(func(name []byte) { e.field(c, string(name)) })
	if e.kept {
		return e, nil
	}
	values := map[string][]byte{}
	prefix := bubble + id + ":"
	for row, err := range d.Rows(composers, prefix, after(prefix)) {
		if err != nil {
			return e, err
		}
		values[strings.TrimPrefix(row.Text(0), prefix)] = row.Bytes(1)
	}
	for _, shown := range e.shown {
		raw, there := values[shown]
		if !there || !json.Valid(raw) {
			e.Drop("unreadable message")
			continue
		}
		delete(values, shown) // it comes once
		e.bubble(shown, raw)
	}
	return e, nil
}

func (e *editorChat) field(c *chat.Cursor, name string) {
	switch name {
	case "name", "chatTitle", "title":
		e.Title = cmp.Or(c.Text(&e.Count), e.Title)
	case "tabId":
		e.ID = cmp.Or(e.ID, c.String())
	case "createdAt":
		e.Created = c.Time()
	case "lastUpdatedAt", "lastSendTime":
		e.Updated = c.Time()
	case "modelConfig":
		e.Model = modelIn(c)
	case "fullConversationHeadersOnly":
		c.Array(func() {
			c.Object(func(name []byte) {
				if string(name) == "bubbleId" {
					e.shown = append(e.shown, c.String())
				}
			})
		})
	case "conversation", "bubbles":
		c.Array(func() {
			e.kept = true
			e.bubble("", c.Span(c.Skip))
		})
	}
}

func modelIn(c *chat.Cursor) (model string) {
	c.Object(func(name []byte) {
		if string(name) == "modelName" {
			model = c.String()
		}
	})
	return model
}

// bubble reads a message.
func (e *editorChat) bubble(id string, raw []byte) {
	var kind, text, rawText, tool, thought, model string
	var at time.Time
	c := chat.NewCursor(raw)
	isObject := c.Object(func(name []byte) {
		switch string(name) {
		case "bubbleId", "id":
			id = cmp.Or(id, c.String())
		case "type":
			kind = c.String()
		case "text":
			text = c.String()
		case "rawText", "content", "message":
			rawText = cmp.Or(rawText, c.String())
		case "createdAt", "timestamp":
			at = c.Time()
		case "toolFormerData":
			tool = member(c, "name")
		case "thinking":
			thought = member(c, "text")
		case "modelInfo":
			model = modelIn(c)
		}
	})
	if !isObject {
		e.Drop("unreadable message")
		return
	}
	words := cmp.Or(text, rawText)
	var m *chat.Message
	switch said := strings.TrimSpace(words) != ""; {
	case said && (kind == "1" || kind == "user"):
		m = e.Count.Speech(store.User, words, raw)
	case said && (kind == "2" || kind == "ai" || kind == "assistant"):
		m = e.Count.Speech(store.Assistant, words, raw)
		m.Model = cmp.Or(model, e.Model)
	case kind == "1" || kind == "user":
		m = e.Count.Aside(store.User, "image", "", raw)
	default:
		m = e.Count.Aside(store.Assistant, "tool_use", chat.Paragraphs([]string{thought, tool, words}), raw)
	}
	m.Time = at
	e.Add(id, m)
}

func member(c *chat.Cursor, wanted string) (text string) {
	c.Object(func(name []byte) {
		if string(name) == wanted {
			text = c.String()
		}
	})
	return text
}

// readTabs reads the chats that one value has.
func readTabs(value []byte) (all []*editorChat) {
	c := chat.NewCursor(value)
	c.Object(func(name []byte) {
		if string(name) == "tabs" {
			c.Array(func() {
				e := newChat("")
				c.Object(func(name []byte) { e.field(c, string(name)) })
				all = append(all, e)
			})
		}
	})
	return all
}

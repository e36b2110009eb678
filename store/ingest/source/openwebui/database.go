package openwebui

import (
	"bytes"
	"encoding/json"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Database is webui.db, the database of a server. It has the chats of all its users.
var Database = source.Format{
	Source: store.OpenWebUI, Name: "Open WebUI", Matches: isDatabase, Companion: source.IsLogOf,
	Read: source.ReadsDatabase(chats), Derive: derive,
}

func isDatabase(s *source.Sample) bool { return s.HasTable("chat", "id", "user_id", "title", "chat") }

// chats yields the chats of a database.
func chats(d *source.Database) source.Conversations {
	return func(yield func(*chat.Parsed, error) bool) {
		columns := d.Columns("chat", "id", "title", "created_at", "updated_at", "chat")
		for row, err := range d.Rows("SELECT " + columns + " FROM chat") {
			if err != nil {
				yield(nil, err)
				return
			}
			p, skip := Decode(object(row))
			if skip != nil && !yield(nil, skip) || p != nil && !yield(p, nil) {
				return
			}
		}
	}
}

// object returns a row as the object that an export has of it.
func object(row source.Row) []byte {
	body := row.Bytes(4)
	if !json.Valid(body) {
		body = []byte("null")
	}
	var b bytes.Buffer
	for i, name := range []string{"id", "title", "created_at", "updated_at"} {
		value, err := json.Marshal(row.Text(i))
		if err != nil {
			continue // never: it is text
		}
		b.WriteString(`,"` + name + `":`)
		b.Write(value)
	}
	b.WriteString(`,"chat":`)
	b.Write(body)
	b.WriteByte('}')
	all := b.Bytes()
	all[0] = '{'
	return all
}

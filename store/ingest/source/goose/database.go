package goose

import (
	"cmp"
	"encoding/json"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Database is sessions.db in sessions in ~/.local/share/goose, as releases since 2025-10 write it.
var Database = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Goose, Name: "Goose", Matches: isDatabase, Companion: source.IsLogOf,
	Read: source.ReadsDatabase(sessions),
	Get:  "the sessions on this machine",
	Kept: []source.Place{
		{Base: source.Data, Folder: "goose/sessions", Files: []string{"sessions.db", "*.jsonl"}},
	},
}

func isDatabase(s *source.Sample) bool {
	return s.HasTable("sessions", "id") && s.HasTable("messages", "session_id", "role", "content_json")
}

func sessions(d *source.Database) source.Conversations {
	return func(yield func(*chat.Parsed, error) bool) {
		columns := d.Columns("sessions", "id", "name", "description", "created_at", "updated_at", "session_type")
		for row, err := range d.Rows("SELECT " + columns + " FROM sessions") {
			if err != nil {
				yield(nil, err)
				return
			}
			s := &source.Session{Draft: chat.Draft{
				Source: store.Goose, ID: row.Text(0), Title: cmp.Or(row.Text(1), row.Text(2)),
				Created: chat.Time(row.Text(3)), Updated: chat.Time(row.Text(4)),
			}}
			kind := row.Text(5)
			if err := messages(d, s, kind == "sub_agent" || kind == "hidden"); err != nil {
				yield(nil, err)
				return
			}
			if s.ID == "" || len(s.Nodes) == 0 {
				if !yield(nil, &chat.Skip{Reason: "no messages", Nodes: len(s.Nodes)}) {
					return
				}
				continue
			}
			if !yield(chat.Build(&s.Draft), nil) {
				return
			}
		}
	}
}

// messages adds the messages of a session. In one that the program began, the person says nothing.
func messages(d *source.Database, s *source.Session, hidden bool) error {
	columns := d.Columns("messages", "role", "content_json", "created_timestamp", "metadata_json")
	for row, err := range d.Rows("SELECT "+columns+" FROM messages WHERE session_id = ? ORDER BY rowid", s.ID) {
		if err != nil {
			return err
		}
		content, metadata := row.Bytes(1), row.Bytes(3)
		if !json.Valid(content) {
			s.Drop("unreadable message")
			continue
		}
		m := &message{role: row.Text(0), at: chat.Time(row.Text(2)), content: source.ReadContent(chat.NewCursor(content))}
		m.hidden = hidden && m.role == string(store.User) || json.Valid(metadata) && isHidden(chat.NewCursor(metadata))
		m.add(s, content)
	}
	return nil
}

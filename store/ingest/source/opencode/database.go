package opencode

import (
	"encoding/json"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Database is opencode.db in ~/.local/share/opencode, of releases since 2026: a table for each kind of object.
var Database = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.OpenCode, Name: "OpenCode", Matches: isDatabase, Companion: source.IsLogOf,
	Read: source.ReadsDatabase(sessions),
	Get:  "the sessions on this machine",
	Kept: []source.Place{
		{Base: source.Data, Folder: "opencode", Files: []string{"opencode.db", "storage/session/*/ses_*.json"}},
	},
}

func isDatabase(s *source.Sample) bool {
	return s.HasTable("session", "id", "title") && s.HasTable("message", "id", "session_id", "data") &&
		s.HasTable("part", "message_id", "data")
}

func sessions(d *source.Database) source.Conversations {
	return func(yield func(*chat.Parsed, error) bool) {
		columns := d.Columns("session", "id", "title", "parent_id", "time_created", "time_updated")
		for row, err := range d.Rows("SELECT " + columns + " FROM session") {
			if err != nil {
				yield(nil, err)
				return
			}
			s := &session{subagent: row.Text(2) != ""}
			s.ID, s.Title = row.Text(0), row.Text(1)
			s.Created, s.Updated = chat.Time(row.Text(3)), chat.Time(row.Text(4))
			if err := s.messages(d); err != nil {
				yield(nil, err)
				return
			}
			p, skip := s.parsed()
			if skip != nil && !yield(nil, skip) || p != nil && !yield(p, nil) {
				return
			}
		}
	}
}

func (s *session) messages(d *source.Database) error {
	columns := d.Columns("message", "id", "data", "time_created")
	ofMessage := "SELECT " + d.Columns("part", "id", "data") + " FROM part WHERE message_id = ?"
	for row, err := range d.Rows("SELECT "+columns+" FROM message WHERE session_id = ? ORDER BY id", s.ID) {
		if err != nil {
			return err
		}
		message, at := object{row.Text(0), row.Bytes(1)}, chat.Time(row.Text(2))
		if !json.Valid(message.raw) {
			s.Drop("unreadable message")
			continue
		}
		var parts []object
		for row, err := range d.Rows(ofMessage, message.id) {
			if err != nil {
				return err
			}
			if part := (object{row.Text(0), row.Bytes(1)}); json.Valid(part.raw) {
				parts = append(parts, part)
			}
		}
		s.add(message, at, parts)
	}
	return nil
}

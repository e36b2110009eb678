// Package cursor parses the transcripts of agents of Cursor. It does no I/O of its own.
//
// A transcript has no times, no ids and no title. The chats of the editor itself are in a database.
package cursor

import (
	"path"
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Transcript is the layout of projects/PROJECT/agent-transcripts/SESSION.jsonl in ~/.cursor.
var Transcript = source.Format{
	Tools: true, Derive: chat.DeriveTools,
	Source: store.Cursor, Name: "Cursor", Matches: matches, Read: source.ReadsLog("cursor: read", start),
	Get: "the transcripts of agents on this machine",
	Kept: []source.Place{
		{Folder: ".cursor/projects", Files: []string{"*/agent-transcripts/**/*.jsonl"}},
	},
}

func matches(s *source.Sample) bool {
	lines := s.Records()
	for _, line := range lines {
		role, content := line.Get("role").Text(), line.Get("message", "content")
		if role != "user" && role != "assistant" || line.Has("type") || !content.IsArray() && !content.IsString() {
			return false
		}
	}
	return len(lines) > 0
}

// log is a transcript, as far as its lines have come.
type log struct{ source.Session }

func start(f *source.File) source.Log {
	name := path.Base(f.Name)
	id := strings.TrimSuffix(name, path.Ext(name))
	return &log{source.Session{Draft: chat.Draft{Source: store.Cursor, ID: id}}}
}

// Record reads a line.
func (l *log) Record(raw []byte) {
	var role string
	var texts, calls []string
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) {
		switch string(name) {
		case "role":
			role = c.String()
		case "message":
			c.Object(func(name []byte) {
				if string(name) == "content" {
					texts, calls = content(c)
				}
			})
		}
	})
	text := chat.Paragraphs(texts)
	switch {
	case role == "user" && query(text) != "":
		l.Add("", l.Count.Speech(store.User, query(text), raw))
	case role == "user":
		l.Add("", l.Count.Aside(store.System, "context", text, raw))
	case role == "assistant" && text != "":
		l.Add("", l.Count.Speech(store.Assistant, text, raw))
	case role == "assistant":
		l.Add("", l.Count.Aside(store.Assistant, "tool_use", strings.Join(calls, ", "), raw))
	default:
		l.Add("", l.Count.Aside(store.Tool, "tool_result", text, raw))
	}
}

func content(c *chat.Cursor) (texts, calls []string) {
	if c.Is('"') {
		return []string{c.String()}, nil
	}
	c.Array(func() {
		var kind, text, tool string
		c.Object(func(name []byte) {
			switch string(name) {
			case "type":
				kind = c.String()
			case "text":
				text = c.String()
			case "name":
				tool = c.String()
			}
		})
		switch kind {
		case "text":
			texts = append(texts, text)
		case "tool_use":
			calls = append(calls, tool)
		}
	})
	return texts, calls
}

// query returns the person's words: what is in the elements user_query. The rest of a message with one is context; a
// message without is theirs as a whole.
func query(text string) string {
	const begin, end = "<user_query>", "</user_query>"
	if !strings.Contains(text, begin) {
		return source.OwnWords(text, injected)
	}
	var all []string
	for _, part := range strings.Split(text, begin)[1:] {
		inner, _, _ := strings.Cut(part, end)
		all = append(all, strings.TrimSpace(inner))
	}
	return chat.Paragraphs(all)
}

// injected are the beginnings of texts in the person's name that the program wrote.
var injected = []source.Envelope{
	{Start: "<system_reminder>", End: "</system_reminder>"},
	{Start: "<attached_files>", End: "</attached_files>"},
	{Start: "<additional_data>", End: "</additional_data>"},
}

// Draft returns the session.
func (l *log) Draft() *chat.Draft { return &l.Session.Draft }

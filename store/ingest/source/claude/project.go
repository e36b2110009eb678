package claude

import (
	"encoding/json"
	"io"
	"iter"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// Claude keeps two things beside the chats: projects, with their instructions and documents, and what it remembers of a
// person. Each is a conversation of hidden messages, from which documents derive, so that its versions are kept and
// forgotten like those of a chat.

// Projects is the layout of projects.json, or of a file of projects/.
var Projects = source.Format{
	Source: store.Claude, Name: "Claude", Derive: derive,
	Matches: func(s *source.Sample) bool {
		return s.Any(func(v source.Value) bool { return v.Get("docs").IsArray() && v.Has("uuid", "prompt_template") })
	},
	Read: source.Reads(func(r io.Reader) source.Conversations { return keptBeside(r, decodeProject) }),
}

// Memories is the layout of memories.json.
var Memories = source.Format{
	Source: store.Claude, Name: "Claude", Derive: derive,
	Matches: func(s *source.Sample) bool {
		return s.Any(func(v source.Value) bool { return v.Has("conversations_memory") || v.Has("project_memories") })
	},
	Read: source.Reads(func(r io.Reader) source.Conversations { return keptBeside(r, decodeMemories) }),
}

func keptBeside(r io.Reader, decode chat.Decoder) iter.Seq2[*chat.Parsed, error] {
	return chat.Stream("claude: read", r, decode)
}

// The content types of messages that are not of a chat.
const (
	projectText = "claude_project"
	memoryText  = "claude_memory"
)

// fileFacts is the raw JSON of such a message, whose text is the file's.
type fileFacts struct {
	UUID string `json:"uuid,omitempty"`
	Name string `json:"filename,omitempty"`
}

// file is a text that Claude keeps beside the chats.
type file struct {
	fileFacts
	text, created string
}

func (r *reader) file() (f file) {
	r.Object(func(name []byte) {
		switch string(name) {
		case "uuid":
			f.UUID = r.String()
		case "filename", "file_name":
			f.Name = r.String()
		case "content":
			f.text = r.Text(&r.draft.Count)
		case "created_at":
			f.created = r.String()
		}
	})
	return f
}

// keep adds a hidden message. Without an id it has one of its content.
func (r *reader) keep(kind string, f file) {
	if f.text == "" {
		r.draft.Drop("no text")
		return
	}
	raw, err := json.Marshal(f.fileFacts)
	if err != nil { // there is nothing in it that has no JSON
		raw = []byte("{}")
	}
	id := f.UUID
	switch {
	case id == "" && kind == projectText && f.Name == "":
		id = "instructions"
	case id == "":
		id = chat.ContentID(f.Name, f.text)
	}
	r.draft.Nodes = append(r.draft.Nodes, chat.Node{ID: id, Message: &chat.Message{
		Role: store.System, ContentType: kind, Text: f.text, Time: chat.Time(f.created), Raw: raw,
	}})
}

func decodeProject(raw []byte) (*chat.Parsed, *chat.Skip) {
	r := &reader{Cursor: chat.NewCursor(raw), draft: chat.Draft{Source: store.Claude, Derive: derive, Beside: true}}
	var instructions file
	starter := false
	r.Object(func(name []byte) {
		switch string(name) {
		case "uuid":
			r.draft.ID = r.String()
		case "name":
			r.draft.Title = r.Text(&r.draft.Count)
		case "created_at":
			r.draft.Created = r.Time()
		case "updated_at":
			r.draft.Updated = r.Time()
		case "is_starter_project":
			starter = r.Bool()
		case "prompt_template":
			instructions.text = r.Text(&r.draft.Count)
		case "docs":
			r.Array(func() { r.keep(projectText, r.file()) })
		}
	})
	if instructions.text != "" {
		r.keep(projectText, instructions)
	}
	if starter {
		return nil, &chat.Skip{Reason: chat.Supplied, Nodes: len(r.draft.Nodes)}
	}
	return r.built("project")
}

// built returns the draft, unless it has no text or no id.
func (r *reader) built(what string) (*chat.Parsed, *chat.Skip) {
	switch {
	case r.draft.First() == nil:
		return nil, &chat.Skip{Reason: chat.Empty, Nodes: len(r.draft.Nodes)}
	case r.draft.ID == "":
		return nil, &chat.Skip{Reason: "no id", Nodes: len(r.draft.Nodes)}
	}
	return chat.Build(&r.draft), nil
}

func decodeMemories(raw []byte) (*chat.Parsed, *chat.Skip) {
	r := &reader{Cursor: chat.NewCursor(raw), draft: chat.Draft{
		Source: store.Claude, ID: "memories", Title: "What Claude remembers", Derive: derive, Beside: true,
	}}
	r.Object(func(name []byte) {
		switch string(name) {
		case "account_uuid":
			r.draft.ID = "memories/" + r.String()
		case "conversations_memory":
			r.keep(memoryText, file{text: r.Text(&r.draft.Count)})
		case "project_memories":
			r.Object(func(name []byte) {
				r.keep(memoryText, file{fileFacts{Name: "project " + string(name)}, r.Text(&r.draft.Count), ""})
			})
		}
	})
	return r.built("memory")
}

// besideChats returns the document of a message that is not of a chat, false if it is of one.
func besideChats(c *store.Conversation, m *store.Message) (d chat.Derived, ok bool) {
	d = chat.Derived{Key: m.SourceID, Text: m.Text, Time: m.Time, From: m.ID}
	switch m.ContentType {
	case projectText:
		d.Kind = store.Project
	case memoryText:
		d.Kind, d.MIME = store.Memory, "text/markdown"
	default:
		return d, false
	}
	var facts fileFacts
	if json.Unmarshal(m.Raw, &facts) == nil {
		d.Name = facts.Name
	}
	switch d.Title = c.Title; {
	case d.Kind == store.Memory:
		d.Name = ""
		if facts.Name != "" {
			d.Title += " · " + facts.Name
		}
	case d.Name != "":
		d.Title += " · " + d.Name
	default:
		d.Title, d.MIME = d.Title+" · instructions", "text/markdown"
	}
	return d, d.Text != ""
}

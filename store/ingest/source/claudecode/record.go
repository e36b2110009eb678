package claudecode

import (
	"strings"
	"time"

	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
)

// record is what Lens reads of a line.
type record struct {
	raw            []byte
	kind           string // "user", "assistant", "system" …
	subtype        string // of kind "system"
	id, parent     string
	logicalParent  string // over a compaction, which begins a new tree
	session, agent string
	at             time.Time
	hasMessage     bool
	program        bool // the program wrote it in the person's name
	sidechain      bool // between the assistant and a subagent
	model, message string
	content        content

	title, summary, leaf string // of kinds that name the session
	queued               bool   // words typed while a tool ran; in content
}

// content is the content of a message, by kinds of blocks.
type content struct {
	texts    []string
	thoughts []string
	results  []string
	images   int
	result   bool     // it has the result of a tool
	calls    []string // names of tools
}

func read(raw []byte, count *chat.Count) *record {
	r := &record{raw: raw}
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) { r.field(c, string(name), count) })
	return r
}

func (r *record) field(c *chat.Cursor, name string, count *chat.Count) {
	switch name {
	case "type":
		r.kind = c.String()
	case "subtype":
		r.subtype = c.String()
	case "uuid":
		r.id = c.String()
	case "parentUuid":
		r.parent = c.String()
	case "logicalParentUuid":
		r.logicalParent = c.String()
	case "sessionId":
		r.session = c.String()
	case "agentId":
		r.agent = c.String()
	case "timestamp":
		r.at = c.Time()
	case "isSidechain":
		r.sidechain = c.Bool()
	case "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage":
		r.program = c.Bool() || r.program
	case "origin":
		c.Object(func(name []byte) {
			if string(name) == "kind" {
				kind := c.String()
				r.program = r.program || kind != "" && kind != "human"
			}
		})
	case "toolUseResult":
		r.content.result = r.content.result || !c.Is('n')
	case "message":
		r.hasMessage = c.Object(func(name []byte) { r.messageField(c, string(name), count) })
	case "attachment":
		c.Object(func(name []byte) {
			switch string(name) {
			case "type":
				r.queued = c.String() == "queued_command"
			case "commandMode":
				mode := c.String()
				r.program = r.program || mode != "" && mode != "prompt"
			case "prompt":
				r.content.read(c, count)
			}
		})
	case "content":
		r.content.read(c, count)
	case "aiTitle", "customTitle":
		r.title = c.String()
	case "summary":
		r.summary = c.String()
	case "leafUuid":
		r.leaf = c.String()
	}
}

func (r *record) messageField(c *chat.Cursor, name string, count *chat.Count) {
	switch name {
	case "id":
		r.message = c.String()
	case "model":
		r.model = c.String()
	case "content":
		r.content.read(c, count)
	}
}

// read reads the content of a message: a string or blocks.
func (t *content) read(c *chat.Cursor, count *chat.Count) {
	if c.Is('"') {
		t.texts = append(t.texts, c.String())
		return
	}
	c.Array(func() {
		if c.Is('"') {
			t.texts = append(t.texts, c.String())
			return
		}
		t.block(c, count)
	})
}

func (t *content) block(c *chat.Cursor, count *chat.Count) {
	var kind, text, thought, tool string
	var result content
	c.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = c.String()
		case "text":
			text = c.String()
		case "thinking":
			thought = c.String()
		case "name":
			tool = c.String()
		case "content":
			result.read(c, count)
		}
	})
	switch kind {
	case "text":
		t.texts = append(t.texts, text)
	case "thinking", "redacted_thinking":
		t.thoughts = append(t.thoughts, thought)
	case "tool_use", "server_tool_use":
		t.calls = append(t.calls, tool)
	case "tool_result", "web_search_tool_result":
		t.result = true
		t.results = append(t.results, result.texts...)
	case "image", "document":
		t.images++
	default:
		count.Unknown(kind)
	}
}

// ownWords returns what the person wrote, without the context that the program put before it.
func (r *record) ownWords() string {
	if r.program || r.sidechain || r.content.result {
		return ""
	}
	var own []string
	for _, text := range r.content.texts {
		own = append(own, source.OwnWords(text, injected))
	}
	words := chat.Paragraphs(own)
	if words == "" && len(r.content.texts) == 0 && r.content.images > 0 {
		return "[image]"
	}
	return words
}

// aside returns the message of a record that belongs to no turn.
func (r *record) aside(count *chat.Count) *chat.Message {
	t := &r.content
	switch {
	case t.result:
		return count.Aside(store.Tool, "tool_result", chat.Paragraphs(append(t.results, t.texts...)), r.raw)
	case r.kind == "assistant" && len(t.calls) > 0:
		return count.Aside(store.Assistant, "tool_use", chat.Paragraphs(append(t.texts, strings.Join(t.calls, ", "))), r.raw)
	case r.kind == "assistant" && len(t.thoughts) > 0:
		return count.Aside(store.Assistant, "thinking", chat.Paragraphs(t.thoughts), r.raw)
	case r.kind == "assistant":
		return count.Aside(store.Assistant, "text", chat.Paragraphs(t.texts), r.raw)
	case r.kind == "user":
		return count.Aside(store.System, "context", chat.Paragraphs(t.texts), r.raw)
	}
	kind := r.kind
	if r.subtype != "" {
		kind = r.subtype
	}
	return count.Aside(store.System, kind, chat.Paragraphs(t.texts), r.raw)
}

package codex

import (
	"time"

	"lens/store/ingest/chat"
)

// record is what Lens reads of a line and of its payload; of the first generation, the line is the payload.
type record struct {
	raw        []byte
	kind       string // of the line: "session_meta", "response_item" …; empty in the first generation
	at         time.Time
	payload    payload
	hasPayload bool
}

// payload has the members of all kinds of payloads.
type payload struct {
	kind     string // "message", "function_call", "user_message", "item_completed" …
	id       string
	role     string
	at       time.Time
	model    string
	text     string   // of an event
	blocks   []string // texts of a message
	thoughts []string // of a reasoning
	call     string   // name and arguments of a call
	output   string
	turns    int // that were taken back
	item     *payload
	state    bool   // a marker of the first generation
	turn     string // id of the person's turn
	subagent bool   // the session is that of a subagent
	parent   string // id of the session that started it
}

func read(raw []byte) *record {
	r := &record{raw: raw}
	c := chat.NewCursor(raw)
	c.Object(func(name []byte) {
		switch string(name) {
		case "timestamp":
			r.at = c.Time()
		case "payload":
			r.hasPayload = true
			r.payload.read(c)
		case "type":
			r.kind = c.String()
		}
	})
	if !r.hasPayload { // the first generation
		r.kind, r.payload = "", payload{}
		r.payload.read(chat.NewCursor(raw))
		r.at = r.payload.at
	}
	return r
}

func (p *payload) read(c *chat.Cursor) {
	c.Object(func(name []byte) { p.field(c, string(name)) })
}

func (p *payload) field(c *chat.Cursor, name string) {
	switch name {
	case "type":
		p.kind = c.String()
	case "id":
		p.id = c.String()
	case "role":
		p.role = c.String()
	case "timestamp":
		p.at = c.Time()
	case "model":
		p.model = c.String()
	case "message":
		p.text = c.String()
	case "content", "raw_content":
		p.blocks = append(p.blocks, texts(c)...)
	case "summary", "summary_text":
		p.thoughts = append(p.thoughts, texts(c)...)
	case "name", "arguments", "input", "query":
		if text := c.String(); text != "" {
			p.call += text + "\n"
		}
	case "output", "aggregated_output", "stdout":
		p.output += chat.Paragraphs(texts(c))
	case "num_turns":
		for _, digit := range c.String() {
			if p.turns < 1<<20 && '0' <= digit && digit <= '9' {
				p.turns = p.turns*10 + int(digit-'0')
			}
		}
	case "item":
		if p.item == nil && c.Is('{') {
			p.item = new(payload)
			p.item.read(c)
		}
	case "turn_id":
		p.turn = c.String()
	case "source":
		p.readSource(c)
	case "parent_thread_id":
		p.parent = c.String()
	case "thread_source":
		p.subagent = p.subagent || c.String() == "subagent"
	case "record_type":
		p.state = c.String() == "state"
	}
}

// readSource reads where a session comes from: the name of a program or, of a subagent, an object, which names the
// session that started it unless the program did that of its own.
func (p *payload) readSource(c *chat.Cursor) {
	if !c.Is('{') {
		return
	}
	c.Object(func(name []byte) {
		if string(name) != "subagent" {
			return
		}
		p.subagent = true
		if !c.Is('{') {
			return
		}
		c.Object(func([]byte) { // the kind of subagent
			if !c.Is('{') {
				return
			}
			c.Object(func(name []byte) {
				if string(name) == "parent_thread_id" {
					p.parent = c.String()
				}
			})
		})
	})
}

// texts returns a string, the texts of blocks, or what a result of a tool has as its content.
func texts(c *chat.Cursor) (all []string) {
	switch {
	case c.Is('"'):
		return []string{c.String()}
	case c.Is('{'):
		c.Object(func(name []byte) {
			if n := string(name); n == "content" || n == "output" || n == "text" {
				all = append(all, texts(c)...)
			}
		})
		return all
	}
	c.Array(func() {
		if !c.Is('{') {
			all = append(all, c.String())
			return
		}
		c.Object(func(name []byte) {
			if string(name) == "text" {
				all = append(all, c.String())
			}
		})
	})
	return all
}

package source

import (
	"cmp"

	"lens/store"
	"lens/store/ingest/chat"
)

// Content is what a message of a coding tool says: a string, or a list of blocks as the interfaces of models have them.
type Content struct {
	Texts    []string
	Thoughts []string
	Calls    []string // the names of tools
	Results  []string // the texts that tools returned
	isResult bool     // it has a result, perhaps without a text
}

// ReadContent reads a string or a list of blocks.
func ReadContent(c *chat.Cursor) *Content {
	all := new(Content)
	if c.Is('"') {
		all.Texts = []string{c.String()}
		return all
	}
	c.Array(func() { all.block(c) })
	return all
}

func (all *Content) block(c *chat.Cursor) {
	if c.Is('"') {
		all.Texts = append(all.Texts, c.String())
		return
	}
	var kind, text, thought, name string
	var results []string
	c.Object(func(member []byte) {
		switch string(member) {
		case "type":
			kind = c.String()
		case "text":
			text = c.String()
		case "thinking":
			thought = c.String()
		case "name":
			name = c.String()
		case "toolCall":
			c.Object(func(member []byte) {
				if string(member) == "value" {
					name = nameOf(c)
				}
			})
		case "content", "run", "toolResult":
			results = textsIn(c, 0)
		}
	})
	switch kind {
	case "text":
		all.Texts = append(all.Texts, text)
	case "thinking", "reasoning":
		all.Thoughts = append(all.Thoughts, cmp.Or(thought, text))
	case "tool_use", "toolRequest":
		all.Calls = append(all.Calls, name)
	case "tool_result", "toolResponse":
		all.Results, all.isResult = append(all.Results, results...), true
	}
}

func nameOf(c *chat.Cursor) (name string) {
	c.Object(func(member []byte) {
		if string(member) == "name" {
			name = c.String()
		}
	})
	return name
}

// textsIn returns the texts of what a tool returned: a string, or those below the members in which programs keep them.
func textsIn(c *chat.Cursor, depth int) (all []string) {
	const deepest = 8
	switch {
	case c.Is('"'):
		return []string{c.String()}
	case depth == deepest:
	case c.Is('['):
		c.Array(func() { all = append(all, textsIn(c, depth+1)...) })
	case c.Is('{'):
		c.Object(func(member []byte) {
			switch string(member) {
			case "content", "result", "text", "value", "output":
				all = append(all, textsIn(c, depth+1)...)
			}
		})
	}
	return all
}

// Message returns a message with this content. words are those of its texts that its author said; a message without
// them is an aside.
func (all *Content) Message(count *chat.Count, role store.Role, words string, raw []byte) *chat.Message {
	text := chat.Paragraphs(all.Texts)
	switch {
	case words != "" && (role == store.User || role == store.Assistant):
		return count.Speech(role, words, raw)
	case all.isResult:
		return count.Aside(store.Tool, "tool_result", chat.Paragraphs(all.Results), raw)
	case role == store.Assistant:
		return count.Aside(store.Assistant, "tool_use", chat.Paragraphs(append(all.Thoughts, all.Calls...)), raw)
	case role == store.User && text == "":
		return count.Aside(store.User, "image", "", raw)
	}
	return count.Aside(store.System, "context", text, raw)
}

package chatgpt

import (
	"strings"

	"lens/store"
	"lens/store/ingest/chat"
)

// kind is a content_type.
type kind string

// The known kinds. Content of any other kind is counted as unknown, and its text is that of its parts.
const (
	text            kind = "text"
	multimodal      kind = "multimodal_text"
	code            kind = "code"
	executionOutput kind = "execution_output"
	computerOutput  kind = "computer_output"
	citableOutput   kind = "citable_code_output"
	systemError     kind = "system_error"
	tetherQuote     kind = "tether_quote"
	tetherDisplay   kind = "tether_browsing_display"
	sonicWebpage    kind = "sonic_webpage"
	thoughts        kind = "thoughts"
	reasoningRecap  kind = "reasoning_recap"
	userContext     kind = "user_editable_context"
	modelContext    kind = "model_editable_context"
	tetherCode      kind = "tether_browsing_code"
	computerState   kind = "computer_initialize_state"
	noKind          kind = ""
)

// content collects the fields of a content object of any kind, because its type may come last.
type content struct {
	exported string // content_type
	isText   bool   // content was a bare string
	parts    []part

	fields   map[string]string // all other string fields
	thoughts []string
}

func (c *content) kind() kind {
	if c.exported == "" && (c.parts != nil || c.isText) {
		return text
	}
	return kind(c.exported)
}

func (r *reader) content(c *content) {
	if r.Is('"') {
		c.isText, c.parts = true, []part{{text: r.String()}}
		return
	}
	r.Object(func(name []byte) {
		switch {
		case string(name) == "content_type":
			c.exported = r.Repeated(string(text))
		case string(name) == "parts":
			c.parts = r.parts()
		case string(name) == "thoughts":
			r.Array(func() { c.thoughts = append(c.thoughts, r.thought()) })
		case r.Is('"'):
			if c.fields == nil {
				c.fields = make(map[string]string)
			}
			c.fields[string(name)] = r.String()
		}
	})
}

func (r *reader) thought() string {
	var summary, body string
	r.Object(func(name []byte) {
		switch string(name) {
		case "summary":
			summary = r.String()
		case "content":
			body = r.String()
		}
	})
	return lines(summary, body)
}

// text returns the readable text of m.
func (r *reader) text(m *message, k kind) string {
	c := &m.content
	switch k {
	case text, multimodal:
		return r.prose(m)
	case code:
		return codeText(m)
	case executionOutput, systemError:
		return lines(c.fields["name"], c.fields["text"])
	case computerOutput:
		return r.prose(m)
	case citableOutput:
		return c.fields["output_str"]
	case tetherQuote:
		return lines(c.fields["title"], c.fields["url"], c.fields["text"])
	case tetherDisplay:
		return c.fields["summary"]
	case sonicWebpage: // only raw keeps the page itself, which is often huge
		return lines(c.fields["title"], c.fields["url"])
	case thoughts:
		return strings.Join(c.thoughts, "\n\n")
	case reasoningRecap:
		return c.fields["content"]
	case userContext:
		return lines(append([]string{c.fields["user_profile"], c.fields["user_instructions"]}, m.meta.about...)...)
	case modelContext:
		return c.fields["model_set_context"]
	case noKind:
		return ""
	}
	r.draft.Count.Unknown(string(k))
	if k == tetherCode || k == computerState {
		return ""
	}
	return r.prose(m)
}

// canBeSpeech reports whether a message of kind k may be part of the dialog, as opposed to tool output, thoughts and
// context. Unknown kinds may: a user message of one still opens a turn.
func canBeSpeech(m *message, k kind) bool {
	switch k {
	case text, multimodal, code:
		return true
	case executionOutput, computerOutput, citableOutput, systemError, tetherQuote, tetherDisplay, sonicWebpage, thoughts,
		reasoningRecap, userContext, modelContext, tetherCode, computerState:
		return false
	}
	return true
}

// codeText returns code as it was shown, or the document when it is a call of a canvas tool.
func codeText(m *message) string {
	body := m.content.fields["text"]
	if body == "" && m.content.parts != nil {
		body = joinParts(m.content.parts)
	}
	if document, ok := canvas(body); ok && strings.HasPrefix(m.recipient, "canmore.") {
		return document
	}
	language := m.content.fields["language"]
	if body == "" || m.Role != store.Assistant || (m.recipient != "" && m.recipient != "all") {
		return body
	}
	if language == "unknown" {
		language = ""
	}
	return "```" + language + "\n" + strings.TrimRight(body, "\n") + "\n```"
}

// canvas returns the content of a canvas document, {"name", "type", "content"} as JSON, and whether body is one.
func canvas(body string) (string, bool) {
	c, ok := chat.JSONIn(body)
	if !ok {
		return "", false
	}
	var kind, document string
	c.Object(func(name []byte) {
		switch string(name) {
		case "type":
			kind = c.String()
		case "content":
			document = c.String()
		}
	})
	return document, kind == "document" || strings.HasPrefix(kind, "code/")
}

// lines joins the strings that are not empty with line breaks.
func lines(all ...string) string {
	var b strings.Builder
	for _, s := range all {
		if s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(s)
	}
	return b.String()
}

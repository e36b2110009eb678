package chat

import (
	"bytes"

	"lens/store"
)

// Limits of the messages of programs that work for a person, in bytes. Their logs hold whole files and pictures.
const (
	MaxAside  = 4 << 10 // text and JSON of an aside, and JSON of a message in words beside its text
	maxRecord = 1 << 20 // JSON of a message in words; its text is kept in any case
)

// Speech returns the message of a record of a log: words of the person or of the assistant. It copies raw, unless that
// is longer than the words by more than MaxAside: then it has what a tool read or returned, too. That does not count
// as truncated.
func (c *Count) Speech(role store.Role, text string, raw []byte) *Message {
	m := &Message{Role: role, ContentType: "text", Text: text, Visible: true}
	if len(raw) > MaxAside && len(unquote(raw))-len(text) > MaxAside {
		m.Raw, _ = keepRaw(raw, 0)
	} else {
		m.Raw = c.record(raw, maxRecord)
	}
	c.kept += len(m.Text) + len(m.Raw)
	return m
}

// Aside returns a message that belongs to no turn: a call or the output of a tool, a thought, context that a program
// added. kind says which. It copies raw, unless that is longer than MaxAside, and keeps as much of the text. What an
// aside had beyond that does not count as truncated.
func (c *Count) Aside(role store.Role, kind, text string, raw []byte) *Message {
	truncated := c.Truncated
	m := &Message{Role: role, ContentType: kind, Raw: c.record(raw, MaxAside)}
	m.Text, _ = cut(text, MaxAside)
	c.Truncated = truncated
	c.kept += len(m.Text) + len(m.Raw)
	return m
}

// record returns a copy of the JSON of a record, or what keepRaw leaves of it.
func (c *Count) record(raw []byte, limit int) []byte {
	raw, scrubbed := ScrubJSON(raw)
	if scrubbed {
		c.Scrubbed++
	}
	raw, short := keepRaw(raw, limit)
	if short {
		c.Truncated++
		return raw
	}
	return bytes.Clone(raw)
}

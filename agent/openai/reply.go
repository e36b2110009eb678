package openai

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	api "github.com/sashabaranov/go-openai"

	"lens/internal/provider"
)

// chunk is one event of a streamed reply, or a whole reply.
type chunk struct {
	Choices []struct {
		Index   int     `json:"index"`
		Delta   message `json:"delta"`
		Message message `json:"message"` // instead of Delta, where the reply is one document
		Finish  string  `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
	} `json:"usage"`
	Object string          `json:"object"`
	Error  json.RawMessage `json:"error"`

	done bool // no event follows: [DONE], or the end of the document
}

// message is a message or a part of it.
type message struct {
	Content          content        `json:"content"`
	Reasoning        string         `json:"reasoning"`
	ReasoningContent string         `json:"reasoning_content"`
	ToolCalls        []api.ToolCall `json:"tool_calls"`
}

// isEmpty reports whether the message says nothing, not even in its thoughts.
func (m message) isEmpty() bool {
	return m.Content == "" && m.Reasoning == "" && m.ReasoningContent == "" && len(m.ToolCalls) == 0
}

// content is text. Some servers send it in parts, whose types other than text are thoughts (Mistral).
type content string

// UnmarshalJSON implements json.Unmarshaler.
func (c *content) UnmarshalJSON(raw []byte) error {
	if len(raw) == 0 || raw[0] != '[' {
		return json.Unmarshal(raw, (*string)(c))
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if p.Type == "text" {
			*c += content(p.Text)
		}
	}
	return nil
}

// errorReply is an error that the server sends instead of a message, or in the middle of one.
type errorReply []byte

func (errorReply) Error() string { return "the server sent an error" }

// strangeReply is something that is neither a chat reply nor an error: a web page, for example.
type strangeReply []byte

func (strangeReply) Error() string { return "no chat reply" }

// readReply reads a reply in any form that servers send it: a stream, or one document. It stops early when each returns
// false. It returns nil at the end of the bytes, even if the message is incomplete: each has seen no end then.
func readReply(r io.Reader, each func(chunk) bool) error {
	in := bufio.NewReader(r)
	first, err := firstByte(in)
	switch {
	case err != nil:
		return endIsNoError(err)
	case first == '{' || first == '[' || first == '<':
		return readDocument(in, first, each)
	}
	events := eventReader{each: each}
	return events.read(in)
}

// firstByte returns the first byte after space and a byte order mark, without consuming it.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		r, _, err := in.ReadRune()
		if err != nil {
			return 0, err
		}
		if !strings.ContainsRune(" \t\r\n\uFEFF", r) {
			_ = in.UnreadRune() // follows ReadRune
			next, err := in.Peek(1)
			if err != nil {
				return 0, err
			}
			return next[0], nil
		}
	}
}

func endIsNoError(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// readDocument reads a reply that is one document.
func readDocument(in io.Reader, first byte, each func(chunk) bool) error {
	if first != '{' { // a page may be endless
		in = io.LimitReader(in, maxRefusal)
	}
	text, err := io.ReadAll(in)
	var c chunk
	switch failed := json.Unmarshal(text, &c); {
	case first == '[' && isListOfErrors(text):
		return errorReply(text)
	case first != '{':
		return strangeReply(text)
	case err != nil:
		return err
	case failed != nil && !json.Valid(text) && !bytes.HasSuffix(bytes.TrimSpace(text), []byte("}")):
		return nil // it was cut
	case c.isError():
		return errorReply(text)
	case failed != nil || len(c.Choices) == 0:
		return strangeReply(text)
	}
	for i := range c.Choices {
		c.Choices[i].Delta = c.Choices[i].Message
	}
	c.done = true
	each(c)
	return nil
}

// isError reports whether the chunk is an error: vLLM marks it by its object.
func (c chunk) isError() bool {
	return len(c.Error) > 0 && string(c.Error) != "null" || c.Object == "error"
}

// isListOfErrors reports whether a document is Gemini's form of an error.
func isListOfErrors(text []byte) bool {
	var list []chunk
	return json.Unmarshal(text, &list) == nil && len(list) > 0 && list[0].isError()
}

// eventReader reads server-sent events. It takes an event for complete as soon as its data is, because some servers
// leave out the empty line after it.
type eventReader struct {
	each    func(chunk) bool
	event   string // its name
	data    []byte // of an event that is not complete
	known   bool   // a line was one of an event stream
	strange []byte // the lines that were not, as far as they fit
}

func (e *eventReader) read(in *bufio.Reader) error {
	for {
		line, err := in.ReadBytes('\n')
		if more, failed := e.line(bytes.TrimRight(line, "\r\n"), err == nil); failed != nil || !more {
			return failed
		}
		if err == nil {
			continue
		}
		if err = endIsNoError(err); err == nil && len(e.data) == 0 {
			err = e.leftOver()
		}
		return err
	}
}

// line reads one line. whole is false for a line that the end of the stream cuts. more is false when nothing follows.
func (e *eventReader) line(line []byte, whole bool) (more bool, err error) {
	name, value, colon := bytes.Cut(line, []byte(":"))
	value = bytes.TrimSpace(value)
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		e.event = ""
		if e.data != nil {
			return false, strangeReply(e.data)
		}
		return true, nil
	case string(name) == "data" && colon:
		e.known = true
		return e.add(value)
	case string(name) == "error" && colon && whole: // llama.cpp, until 2025
		return false, errorReply(value)
	case string(name) == "event":
		e.known, e.event = true, string(value)
	case len(name) == 0 && colon, string(name) == "id", string(name) == "retry":
		e.known = true
	case !whole && isCutField(line):
	case len(e.strange)+len(line) < maxRefusal:
		e.strange = append(append(e.strange, line...), '\n')
	}
	return true, nil
}

// isCutField reports whether line is the beginning of a field's name.
func isCutField(line []byte) bool {
	return slices.ContainsFunc([]string{"data:", "event:", "error:", "id:", "retry:"}, func(name string) bool {
		return strings.HasPrefix(name, string(line))
	})
}

// add adds a line of data.
func (e *eventReader) add(value []byte) (more bool, err error) {
	if e.data != nil {
		value = append(append(e.data, '\n'), value...)
	}
	if string(value) == "[DONE]" {
		e.each(chunk{done: true})
		return false, nil
	}
	var c chunk
	failed := json.Unmarshal(value, &c)
	switch {
	case failed != nil && !json.Valid(value):
		e.data = bytes.Clone(value) // until the next line completes it
		return true, nil
	case c.isError() || e.event == "error":
		return false, errorReply(value)
	case failed != nil:
		return false, strangeReply(value)
	}
	e.data = nil
	return e.each(c), nil
}

// leftOver judges the lines that were not of an event stream: an error without a name, or a reply of something else.
func (e *eventReader) leftOver() error {
	var c chunk
	switch {
	case len(e.strange) == 0:
		return nil
	case json.Unmarshal(e.strange, &c) == nil && c.isError():
		return errorReply(e.strange)
	case e.known:
		return nil
	}
	return strangeReply(e.strange)
}

// errorBody reads the words of a server.
func (m *Model) errorBody(raw []byte) provider.ErrorBody {
	return provider.ReadErrorBody(raw, m.opts.Key)
}

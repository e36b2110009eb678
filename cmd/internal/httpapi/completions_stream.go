package httpapi

import (
	"encoding/json"
	"fmt"
	"io"

	"lens/agent"
	"lens/internal/cleantext"
)

// completionStream writes an investigation as chunks of a chat completion.
//
// The protocol cannot take text back, but the agent does: what a model says before it calls a tool is not part of the
// answer. Such text is short, so the beginning of each text is held back. If a longer one is withdrawn, the stream says
// so before the answer begins.
type completionStream struct {
	head  completionHead
	usage bool // the client asked for it

	started   bool
	pending   string // received, but not written yet
	wroteText bool   // part of the current text was written
}

// holdBackLimit is the number of bytes that are held back.
const holdBackLimit = 240

// withdrawnNotice follows text that was written and then withdrawn.
const withdrawnNotice = "\n\n*(The text above is not part of the answer.)*\n\n"

// completionChunk is one chunk of an answer.
type completionChunk struct {
	Object string `json:"object"`
	completionHead
	Choices []chunkChoice    `json:"choices"`
	Usage   *completionUsage `json:"usage,omitempty"`
	Lens    *evidence        `json:"lens,omitempty"`
}

// partialChunk is the last chunk of an answer that failed.
type partialChunk struct {
	Object string `json:"object"`
	completionHead
	Choices []chunkChoice `json:"choices"`
	Lens    agent.Partial `json:"lens"`
}

type chunkChoice struct {
	Index  int               `json:"index"`
	Delta  chunkDelta        `json:"delta"`
	Finish *completionFinish `json:"finish_reason"`
}

type chunkDelta struct {
	Role    agent.Role `json:"role,omitempty"`
	Content string     `json:"content,omitempty"`
}

// event implements eventWriter.
func (c *completionStream) event(w io.Writer, e agent.Event) error {
	if n, ok := e.(agent.Notice); ok {
		_, err := fmt.Fprintf(w, ": %s\n\n", cleantext.Line(n.Message)) // a comment: the protocol has no place for it
		return err
	}
	if !c.started {
		c.started = true
		if err := c.write(w, chunkChoice{Delta: chunkDelta{Role: agent.Assistant}}, nil); err != nil {
			return err
		}
	}
	switch e := e.(type) {
	case agent.Text:
		c.pending += e.Text
		if c.wroteText || len(c.pending) > holdBackLimit {
			return c.flush(w)
		}
	case agent.Withdrawn:
		c.pending = ""
		if c.wroteText {
			c.pending = withdrawnNotice
			err := c.flush(w)
			c.wroteText = false
			return err
		}
	case agent.Partial:
		return c.partial(w, e)
	case agent.Done:
		return c.done(w, e)
	}
	return nil
}

// partial writes the text that was held back, or a report in place of an answer, and the findings. An error follows.
func (c *completionStream) partial(w io.Writer, p agent.Partial) error {
	if p.Report {
		c.pending = p.Text
	}
	c.pending += sources(p.Citations)
	if c.pending != "" {
		if err := c.flush(w); err != nil {
			return err
		}
	}
	return writeData(w, partialChunk{
		Object: "chat.completion.chunk", completionHead: c.head, Choices: []chunkChoice{{}}, Lens: p,
	})
}

// flush writes the text that was held back.
func (c *completionStream) flush(w io.Writer) error {
	text := c.pending
	c.pending, c.wroteText = "", true
	return c.write(w, chunkChoice{Delta: chunkDelta{Content: text}}, nil)
}

func (c *completionStream) done(w io.Writer, d agent.Done) error {
	c.pending += sources(referencesOf(d))
	if err := c.flush(w); err != nil {
		return err
	}
	evidence := evidenceOf(d)
	finish := completionFinishOf(d.Finish)
	if err := c.write(w, chunkChoice{Finish: &finish}, &evidence); err != nil {
		return err
	}
	if c.usage {
		usage := usageOf(d.Usage)
		last := completionChunk{
			Object: "chat.completion.chunk", completionHead: c.head, Choices: []chunkChoice{}, Usage: &usage,
		}
		if err := writeData(w, last); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "data: [DONE]\n\n")
	return err
}

func (c *completionStream) write(w io.Writer, choice chunkChoice, evidence *evidence) error {
	return writeData(w, completionChunk{
		Object: "chat.completion.chunk", completionHead: c.head, Choices: []chunkChoice{choice}, Lens: evidence,
	})
}

// failure implements eventWriter. Nothing follows: only a complete answer ends with [DONE].
func (c *completionStream) failure(w io.Writer, f agent.Failure) error {
	return writeData(w, openAIErrorOf(f))
}

// heartbeat implements eventWriter.
func (c *completionStream) heartbeat(w io.Writer) error { return agent.WriteHeartbeat(w) }

func writeData(w io.Writer, data any) error {
	text, err := json.Marshal(data) // escapes line feeds, so the event is one line
	if err != nil {
		return fmt.Errorf("httpapi: encode: %w", err)
	}
	_, err = fmt.Fprintf(w, "data: %s\n\n", text)
	return err
}

package httpapi

import (
	"encoding/json"
	"fmt"
	"io"

	"lens/agent"
)

// completionStream writes an investigation as the pieces of a chat completion.
//
// The protocol cannot take back what was said, and the investigator does: what a model says before it calls a tool is no part of its answer.
// Such asides are short, so the beginning of whatever is said is held back until it is longer than one; where a long one is taken back all the
// same, the stream says so before the answer begins.
type completionStream struct {
	head  completionHead
	usage bool // was asked for

	begun  bool
	held   string // said, and not written yet
	shown  bool   // something of what is being said was written
	finish finishReason
}

// longestAside is how many bytes of what is said are held back.
const longestAside = 240

// notTheAnswer follows what was written and then taken back.
const notTheAnswer = "\n\n*(All of the above was said before looking further, and is no part of the answer.)*\n\n"

// completionChunk is a piece of an answer.
type completionChunk struct {
	Object string `json:"object"`
	completionHead
	Choices []pieceChoice    `json:"choices"`
	Usage   *completionUsage `json:"usage,omitempty"`
	Lens    *proof           `json:"lens,omitempty"`
}

type pieceChoice struct {
	Index  int           `json:"index"`
	Delta  piece         `json:"delta"`
	Finish *finishReason `json:"finish_reason"`
}

type piece struct {
	Role    agent.Role `json:"role,omitempty"`
	Content string     `json:"content,omitempty"`
}

// event implements wire.
func (c *completionStream) event(w io.Writer, e agent.Event) error {
	if c.finish == "" {
		c.finish = finishStop
	}
	c.finish = c.finish.after(e)
	if !c.begun {
		c.begun = true
		if err := c.write(w, pieceChoice{Delta: piece{Role: agent.Assistant}}, nil); err != nil {
			return err
		}
	}
	switch e := e.(type) {
	case agent.Text:
		c.held += e.Text
		if c.shown || len(c.held) > longestAside {
			return c.show(w)
		}
	case agent.Withdrawn:
		c.held = ""
		if c.shown {
			c.held = notTheAnswer
			err := c.show(w)
			c.shown = false
			return err
		}
	case agent.Done:
		return c.done(w, e)
	}
	return nil
}

// show writes what was held back.
func (c *completionStream) show(w io.Writer) error {
	text := c.held
	c.held, c.shown = "", true
	return c.write(w, pieceChoice{Delta: piece{Content: text}}, nil)
}

func (c *completionStream) done(w io.Writer, d agent.Done) error {
	c.held += sources(d.Citations)
	if err := c.show(w); err != nil {
		return err
	}
	proof := proofOf(d)
	if err := c.write(w, pieceChoice{Finish: &c.finish}, &proof); err != nil {
		return err
	}
	if c.usage {
		usage := usageOf(d.Usage)
		if err := writeData(w, completionChunk{Object: "chat.completion.chunk", completionHead: c.head, Choices: []pieceChoice{}, Usage: &usage}); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "data: [DONE]\n\n")
	return err
}

func (c *completionStream) write(w io.Writer, choice pieceChoice, proof *proof) error {
	return writeData(w, completionChunk{Object: "chat.completion.chunk", completionHead: c.head, Choices: []pieceChoice{choice}, Lens: proof})
}

// failure implements wire. Nothing follows: only a whole answer ends with [DONE].
func (c *completionStream) failure(w io.Writer, f agent.Failure) error {
	return writeData(w, openAIErrorOf(f))
}

// heartbeat implements wire.
func (c *completionStream) heartbeat(w io.Writer) error { return agent.WriteHeartbeat(w) }

func writeData(w io.Writer, data any) error {
	text, err := json.Marshal(data) // escapes line feeds: the event is one line
	if err != nil {
		return fmt.Errorf("httpapi: encode: %w", err)
	}
	_, err = fmt.Fprintf(w, "data: %s\n\n", text)
	return err
}

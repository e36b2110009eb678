package chat

import (
	"context"
	"iter"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/async"
	"lens/tui/ui"
)

// How often events are delivered: no faster than frames can show them, and so often without any that the elapsed time
// is redrawn.
const (
	pace    = 33 * time.Millisecond
	silence = 500 * time.Millisecond
)

// heardMsg delivers the events of a stream since the last message. Those of another stream than the current one are
// dropped.
type heardMsg struct {
	from *async.Stream[agent.Event]
	async.Batch[agent.Event]
}

// send sends the question; a number alone opens that citation.
func (c *Chat) send() tea.Cmd {
	text := strings.TrimSpace(c.question.Text())
	if n, ok := citationNumber(text); ok {
		c.question.Clear()
		c.jump(n)
		return nil
	}
	switch {
	case text == "":
		return nil
	case c.opts.Investigator == nil:
		c.notify(c.opts.missing(c.ui))
		return nil
	case !c.ready:
		c.notify("The archive isn't open yet")
		return nil
	}
	if c.editing {
		c.replaceLast()
	}
	c.question.Clear()
	return c.investigate(text)
}

// replaceLast removes the last exchange, before its question is edited or repeated, unless it is a conclusion.
func (c *Chat) replaceLast() {
	if last := c.Last(); last != nil && !last.Conclusion {
		c.Stop()
		c.said.DropLast()
	}
}

// retry asks the last question again.
func (c *Chat) retry() tea.Cmd {
	last := c.Last()
	if last == nil || c.opts.Investigator == nil || !c.ready {
		c.notify("No question to ask again")
		return nil
	}
	c.replaceLast()
	return c.investigate(last.Question)
}

// investigate sends a question. It stops an answer in progress, which keeps what it has.
func (c *Chat) investigate(question string) tea.Cmd {
	c.Stop()
	c.asked, c.editing, c.number = true, false, ""
	messages := append(c.record.of(c.Exchanges()).Messages(), agent.Message{Role: agent.User, Text: question})
	c.said.Add(question, c.ui.Now())
	c.ui.Post(OnAnswers)
	c.stream = async.NewStream[agent.Event](c.ui.Ctx)
	return tea.Batch(runCmd(c.ui, c.opts.Investigator, c.stream, messages), listenCmd(c.ui, c.stream))
}

// runCmd runs an investigation to its end.
func runCmd(c *ui.Context, by Investigator, s *async.Stream[agent.Event], messages []agent.Message) tea.Cmd {
	return c.Tasks.Command(func() tea.Msg {
		s.Run(func(ctx context.Context) iter.Seq2[agent.Event, error] { return by.Investigate(ctx, messages) })
		return nil
	})
}

// listenCmd delivers what has been heard.
func listenCmd(c *ui.Context, s *async.Stream[agent.Event]) tea.Cmd {
	return c.Tasks.Command(func() tea.Msg {
		if batch, ok := s.Next(pace, silence); ok {
			return heardMsg{s, batch}
		}
		return nil
	})
}

// Stop stops the answer in progress, keeps what it has, and reports whether there was one.
func (c *Chat) Stop() bool {
	s := c.stream
	if s == nil {
		return false
	}
	s.Stop()
	c.hear(s.Take().Items)
	c.stream, c.record.due = nil, true
	c.Last().Stop()
	return true
}

// takeHeard applies events of the current stream and handles its end.
func (c *Chat) takeHeard(msg heardMsg) tea.Cmd {
	if msg.from != c.stream {
		return nil
	}
	c.hear(msg.Items)
	if !msg.Over {
		return listenCmd(c.ui, msg.from)
	}
	c.stream.Stop()
	c.stream, c.record.due = nil, true
	if last := c.Last(); msg.Err != nil {
		message, hint := c.ui.Explained(msg.Err)
		last.Fail(message, hint)
		c.ui.Post(ui.Failed{Doing: "asking the model", Err: msg.Err, Message: message, Hint: hint})
	} else {
		last.Stop() // no effect if it is done
	}
	return nil
}

func (c *Chat) hear(events []agent.Event) {
	for _, e := range events {
		c.Last().Hear(cleanEvent(e), c.ui.Now())
		if result, ok := e.(agent.ToolResult); ok {
			c.follow(result)
		}
	}
}

// follow tells what a step has found.
func (c *Chat) follow(result agent.ToolResult) {
	if step := c.Last().Step(result.ID); step == nil || !step.Worked() {
		return
	}
	if t, ok := result.Detail.(*retrieval.Turn); ok && t != nil {
		c.ui.Post(Follow{Turn: t})
	} else if q, ok := result.Asked.(query.Query); ok {
		c.ui.Post(Follow{Query: &q})
	}
}

package chat

import (
	"context"
	"iter"
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

// investigation is the answer in progress. The zero value with ui and by is none.
type investigation struct {
	ui *ui.Context
	by Investigator // nil: there is no model

	// before is called before the model is asked, outside the event loop.
	before func()

	of     *Exchange
	stream *async.Stream[agent.Event] // nil: no answer in progress
}

// isRunning reports whether an answer is in progress.
func (i *investigation) isRunning() bool { return i.stream != nil }

// begin asks for the answer of an exchange, for a conversation whose last message is its question.
func (i *investigation) begin(of *Exchange, messages []agent.Message) tea.Cmd {
	i.of, i.stream = of, async.NewStream[agent.Event](i.ui.Ctx)
	return tea.Batch(i.runCmd(messages), listenCmd(i.ui, i.stream))
}

// runCmd runs the investigation to its end.
func (i *investigation) runCmd(messages []agent.Message) tea.Cmd {
	by, before, s := i.by, i.before, i.stream
	return i.ui.Tasks.Command(func() tea.Msg {
		s.Run(func(ctx context.Context) iter.Seq2[agent.Event, error] {
			before()
			return by.Investigate(ctx, messages)
		})
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

// stop ends the answer, which keeps what it has, and returns its exchange, nil if none was in progress.
func (i *investigation) stop() (stopped *Exchange) {
	if !i.isRunning() {
		return nil
	}
	i.stream.Stop()
	i.hear(i.stream.Take().Items)
	i.of.Stop()
	stopped, i.of, i.stream = i.of, nil, nil
	return stopped
}

// handle applies events of the current stream, and returns the exchange when that has ended.
func (i *investigation) handle(msg heardMsg) (next tea.Cmd, ended *Exchange) {
	if msg.from != i.stream {
		return nil, nil
	}
	i.hear(msg.Items)
	if !msg.Over {
		return listenCmd(i.ui, msg.from), nil
	}
	i.stream.Stop()
	if msg.Err != nil {
		failure := i.ui.Fail("asking the model", msg.Err)
		i.of.Fail(failure.Message, failure.Hint)
	} else {
		i.of.Stop() // no effect if it is done
	}
	ended, i.of, i.stream = i.of, nil, nil
	return nil, ended
}

func (i *investigation) hear(events []agent.Event) {
	for _, e := range events {
		i.of.Hear(cleanEvent(e), i.ui.Now())
		if result, ok := e.(agent.ToolResult); ok {
			i.follow(result)
		}
	}
}

// follow tells what a step has found.
func (i *investigation) follow(result agent.ToolResult) {
	if step := i.of.Step(result.ID); step == nil || !step.Worked() {
		return
	}
	if t, ok := result.Detail.(*retrieval.Turn); ok && t != nil {
		i.ui.Post(Follow{Turn: t})
	} else if q, ok := result.Asked.(query.Query); ok {
		i.ui.Post(Follow{Query: &q})
	}
}

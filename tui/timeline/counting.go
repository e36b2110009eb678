package timeline

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/retrieval/timebin"
	"lens/tui/async"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Source counts turns over time. See retrieval.Engine.
type Source interface {
	Activity(ctx context.Context, q query.Query) (*retrieval.Activity, error)
}

// counting asks for the turns per hour of the window in view, or in the finest bins, when it needs them.
type counting struct {
	ui     *ui.Context
	source Source // nil until the archive is open
	asking async.Latest[counted]
}

// counted is a window, and the bins by which it is counted.
type counted struct {
	zoom.Span
	bin timebin.Bin
}

// countedMsg delivers the turns per hour of a window.
type countedMsg struct {
	number int
	counted
	hours *retrieval.Activity
	err   error
}

func (c *counting) request(want counted) tea.Cmd {
	if c.source == nil {
		return nil
	}
	ctx, number, ok := c.asking.Ask(c.ui.Ctx, want, c.ui.Now())
	if !ok {
		return nil
	}
	source := c.source
	return c.ui.Tasks.Command(func() tea.Msg {
		q := query.Query{
			Bin: want.bin.String(), Filter: query.Filter{Since: utc(want.From), Until: utc(want.To)},
		}
		hours, err := source.Activity(ctx, q)
		if ctx.Err() != nil {
			return nil
		}
		return countedMsg{number, want, hours, err}
	})
}

// handle handles a result and reports whether it has counts.
func (c *counting) handle(msg countedMsg) bool {
	if !c.asking.Accept(msg.number) {
		return false
	}
	if msg.err != nil {
		c.ui.Post(ui.Failed{
			Doing: "counting turns per hour", Said: "Couldn't count turns per hour", Err: msg.err,
		})
	}
	return msg.err == nil
}

func utc(second int64) time.Time { return time.Unix(second, 0).UTC() }

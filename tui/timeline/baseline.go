package timeline

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/async"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Source counts turns over time. See retrieval.Engine.
type Source interface {
	Activity(ctx context.Context, q query.Query) (*retrieval.Activity, error)
}

// baseline counts all turns, whatever is searched. Hours are counted for the window in view, when it needs them.
type baseline struct {
	zoom.Profile
	ui     *ui.Context
	source Source // nil until the archive is open
	asking async.Latest[zoom.Span]
}

// countedMsg delivers the turns per hour of a window.
type countedMsg struct {
	number int
	window zoom.Span
	hours  *retrieval.Activity
	err    error
}

func (b *baseline) request(z zoom.Zoom) tea.Cmd {
	if b.source == nil || !b.Lacks(z) {
		return nil
	}
	ctx, number, ok := b.asking.Ask(b.ui.Ctx, z.Span, b.ui.Now())
	if !ok {
		return nil
	}
	source, window := b.source, z.Span
	return b.ui.Tasks.Command(func() tea.Msg {
		q := query.Query{Bin: "hour", Filter: query.Filter{Since: utc(window.From), Until: utc(window.To)}}
		hours, err := source.Activity(ctx, q)
		if ctx.Err() != nil {
			return nil
		}
		return countedMsg{number, window, hours, err}
	})
}

func (b *baseline) take(msg countedMsg) {
	switch {
	case !b.asking.Accept(msg.number):
	case msg.err != nil:
		b.ui.Post(ui.Failed{
			Doing: "counting turns per hour", Said: "Couldn't count turns per hour", Err: msg.err,
		})
	default:
		b.Hours, b.Window = zoom.NewTally(msg.hours.Histogram), msg.window
	}
}

func utc(second int64) time.Time { return time.Unix(second, 0).UTC() }

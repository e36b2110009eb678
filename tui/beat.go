package tui

import (
	"cmp"
	"context"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Frame pacing. Bubble Tea draws on a ticker that never stops: a change waits eight milliseconds on average for the
// next of sixty ticks a second, and an idle program still wakes the processor sixty times a second. Fixes are
// proposed upstream (charmbracelet/bubbletea#1776, #1796). Until one is released the explorer resets that ticker
// itself: it ticks at once after a new view, then at the frame rate for a while, then hardly ever.

// beat controls the ticker that draws frames.
type beat struct {
	program *tea.Program
	frame   time.Duration // between two frames while the screen changes
	stirred chan struct{} // holds a token while a view waits to be drawn
}

const (
	usualFPS, mostFPS = 60, 120

	soon = time.Millisecond       // until a view is drawn after a quiet time
	once = soon + soon/2          // until the ticker returns to the frame rate
	lull = 300 * time.Millisecond // until the ticker slows down: even a slow terminal has drawn by then
	rest = time.Second            // between two ticks while idle
)

func newBeat(fps int) beat {
	fps = min(cmp.Or(max(0, fps), usualFPS), mostFPS)
	return beat{frame: time.Second / time.Duration(fps), stirred: make(chan struct{}, 1)}
}

// stir requests a draw.
func (b beat) stir() {
	select {
	case b.stirred <- struct{}{}:
	default:
	}
}

// keep returns the command that controls the ticker of the running program. It returns nil when the ticker is out of
// reach; drawing then works as usual.
func (b beat) keep(ctx context.Context) tea.Cmd {
	ticker := tickerOf(b.program)
	if ticker == nil {
		return nil
	}
	return func() tea.Msg {
		b.set(ctx, ticker)
		return nil
	}
}

// set controls the ticker until ctx ends.
func (b beat) set(ctx context.Context, ticker *time.Ticker) {
	var calm <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-b.stirred:
			ticker.Reset(soon)
			if !waited(ctx, once) {
				return
			}
			ticker.Reset(b.frame)
			if !waited(ctx, b.frame-once) {
				return
			}
			calm = time.After(lull)
		case <-calm:
			ticker.Reset(rest)
		}
	}
}

// tickerOf reads the private ticker of a running program, nil when it has no field of that name and type.
func tickerOf(p *tea.Program) *time.Ticker {
	if p == nil {
		return nil
	}
	field := reflect.ValueOf(p).Elem().FieldByName("ticker")
	if !field.IsValid() || field.Type() != reflect.TypeFor[*time.Ticker]() {
		return nil
	}
	return (*time.Ticker)(field.UnsafePointer())
}

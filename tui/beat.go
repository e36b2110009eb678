package tui

import (
	"cmp"
	"context"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"
)

// When a frame is drawn. Bubble Tea draws at the ticks of a ticker that never stops: what has changed waits for the next of sixty a second,
// eight milliseconds on average, and the processor is woken as often while nobody does anything. Changes that end this are proposed
// upstream (charmbracelet/bubbletea#1776, #1796). Until one is in a release the explorer sets that ticker itself: to tick at once when a
// view was made, at the frame rate for a while, and then hardly ever.

// beat sets the ticker that frames are drawn by.
type beat struct {
	program *tea.Program
	frame   time.Duration // between two frames, as long as things move
	stirred chan struct{} // holds a token when there is a view to draw
}

const (
	usualFPS, mostFPS = 60, 120

	soon = time.Millisecond       // until a view is drawn after a pause
	once = soon + soon/2          // until the ticker goes on at the frame rate
	lull = 300 * time.Millisecond // until the ticker slows down: by then it is drawn even where the terminal takes it slowly
	rest = time.Second            // between two ticks while nothing happens
)

func newBeat(fps int) beat {
	fps = min(cmp.Or(max(0, fps), usualFPS), mostFPS)
	return beat{frame: time.Second / time.Duration(fps), stirred: make(chan struct{}, 1)}
}

// stir says that there is a view to draw.
func (b beat) stir() {
	select {
	case b.stirred <- struct{}{}:
	default:
	}
}

// keep is the command that sets the ticker. The program must run already; where its ticker is out of reach, that goes on as it was.
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

// set sets the ticker until ctx ends.
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

// tickerOf returns the ticker of a program that runs, which it keeps to itself; nil where it has none by that name.
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

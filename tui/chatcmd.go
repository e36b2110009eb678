package tui

import (
	"context"
	"iter"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/tui/async"
	"lens/tui/turn"
)

// Receiving an answer takes two commands: one ranges over the investigation until it ends or is canceled; the other
// delivers the collected events to the event loop, about thirty times a second at most.

// stream is a running investigation. Messages from any but the current stream are dropped.
type stream struct {
	ctx    context.Context
	cancel context.CancelFunc
	news   chan struct{}
	passed time.Time // when events were last delivered; used by listenCmd only

	mu    sync.Mutex
	heard []agent.Event
	err   error
	over  bool
}

func newStream(ctx context.Context, cancel context.CancelFunc) *stream {
	return &stream{ctx: ctx, cancel: cancel, news: make(chan struct{}, 1)}
}

// heardMsg delivers the events of a stream since the last message.
type heardMsg struct {
	from   *stream
	events []agent.Event
	err    error // of an investigation that is over; nil: it succeeded
	over   bool
}

// drawnMsg delivers rendered answers.
type drawnMsg struct {
	gen     int
	drawing answers
}

// put changes the stream under its lock and wakes the listener.
func (s *stream) put(note func()) {
	s.mu.Lock()
	note()
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// take returns and removes the collected events.
func (s *stream) take() (events []agent.Event, over bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, s.heard = s.heard, nil
	return events, s.over, s.err
}

// hearCmd runs an investigation to its end.
func (m *model) hearCmd(
	s *stream,
	investigate func(context.Context, []agent.Message) iter.Seq2[agent.Event, error],
	messages []agent.Message,
) tea.Cmd {
	return m.ui.Tasks.Command(func() tea.Msg {
		var last error
		for e, err := range investigate(s.ctx, messages) {
			if err != nil {
				last = err
				break
			}
			s.put(func() { s.heard = append(s.heard, e) })
			if s.ctx.Err() != nil {
				break
			}
		}
		s.put(func() { s.over, s.err = true, last })
		return nil
	})
}

// listenCmd delivers collected events: at once after a silence, else no faster than frames can show them. It also
// returns when nothing has arrived for a while, so that the elapsed time is redrawn.
func (m *model) listenCmd(s *stream) tea.Cmd {
	pace, silence := m.pace.stream, m.pace.silence
	return m.ui.Tasks.Command(func() tea.Msg {
		timer := time.NewTimer(silence)
		defer timer.Stop()
		select {
		case <-s.news:
		case <-timer.C:
		case <-s.ctx.Done():
			return nil
		}
		if !async.Wait(s.ctx, pace-time.Since(s.passed)) {
			return nil
		}
		s.passed = time.Now()
		events, over, err := s.take()
		return heardMsg{s, events, err, over}
	})
}

// drawCmd renders answers.
func (m *model) drawCmd(gen int, d answers) tea.Cmd {
	return m.ui.Tasks.Command(func() tea.Msg { return drawnMsg{gen, d.Draw(turn.Markdown)} })
}

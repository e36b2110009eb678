package tui

import (
	"context"
	"iter"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/agent"
	"lens/tui/turn"
)

// How an answer gets here: one command ranges over the investigation until it ends or is cancelled, so that nothing can overlap with
// asking it for its next event; another passes on what it heard, some thirty times a second at most.

// stream is an investigation under way. What is said of another one than the model's own counts no more.
type stream struct {
	ctx    context.Context
	cancel context.CancelFunc
	news   chan struct{}
	passed time.Time // when something was passed on last; only listenCmd's

	mu    sync.Mutex
	heard []agent.Event
	err   error
	over  bool
}

func newStream(ctx context.Context, cancel context.CancelFunc) *stream {
	return &stream{ctx: ctx, cancel: cancel, news: make(chan struct{}, 1)}
}

// heardMsg is what a stream brought since the last one.
type heardMsg struct {
	from   *stream
	events []agent.Event
	err    error // how it ended, when it is over
	over   bool
}

// drawnMsg brings answers that were rendered.
type drawnMsg struct {
	gen     int
	drawing answers
}

// put takes note of something and rings.
func (s *stream) put(note func()) {
	s.mu.Lock()
	note()
	s.mu.Unlock()
	select {
	case s.news <- struct{}{}:
	default:
	}
}

// take returns what was heard and not yet taken.
func (s *stream) take() (events []agent.Event, over bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	events, s.heard = s.heard, nil
	return events, s.over, s.err
}

// hearCmd runs an investigation to its end.
func (m *model) hearCmd(s *stream, investigate func(context.Context, []agent.Message) iter.Seq2[agent.Event, error], messages []agent.Message) tea.Cmd {
	return m.crew.job(func() tea.Msg {
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

// listenCmd passes on what is heard: at once after a silence, else not before a frame can show it. Where nothing is heard for long it comes
// back all the same, so that one sees the time pass.
func (m *model) listenCmd(s *stream) tea.Cmd {
	pace, silence := m.pace.stream, m.pace.silence
	return m.crew.job(func() tea.Msg {
		timer := time.NewTimer(silence)
		defer timer.Stop()
		select {
		case <-s.news:
		case <-timer.C:
		case <-s.ctx.Done():
			return nil
		}
		if !waited(s.ctx, pace-time.Since(s.passed)) {
			return nil
		}
		s.passed = time.Now()
		events, over, err := s.take()
		return heardMsg{s, events, err, over}
	})
}

// drawCmd renders answers.
func (m *model) drawCmd(gen int, d answers) tea.Cmd {
	return m.crew.job(func() tea.Msg { return drawnMsg{gen, d.Draw(turn.Markdown)} })
}

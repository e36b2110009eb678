package app

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"go.uber.org/goleak"
)

// requests records the requests to an engine and how each ended.
type requests struct {
	mu                sync.Mutex
	begun, ended      []string
	canceled, running int
}

func (r *requests) begin(call string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun = append(r.begun, call)
	r.running++
}

func (r *requests) end(call string, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.running--
	if err != nil {
		r.canceled++
		return err
	}
	r.ended = append(r.ended, call)
	return nil
}

// counted returns an engine whose searches block until canceled, except for queries that end with "l".
func counted(e *fakeEngine) *requests {
	r := new(requests)
	e.before = func(ctx context.Context, call string) error {
		if !strings.HasPrefix(call, "peek ") {
			return ctx.Err()
		}
		r.begin(call)
		if !strings.HasSuffix(call, "l") {
			<-ctx.Done()
		}
		return r.end(call, ctx.Err())
	}
	return r
}

// Commands are held back while ten letters are typed, as when typing is faster than the debounce.
func TestSearch_TenQuickLettersAreOneSearch(t *testing.T) {
	e := newFake(300)
	r := counted(e)
	d := explore(e, 100, 30).keys("/")
	d.hold = true
	for _, letter := range "in-flight " + "cancel" {
		d.send(tea.KeyPressMsg{Code: letter, Text: string(letter)})
	}
	d.hold, d.queue, d.held = false, d.held, nil
	d.work()
	if want := []string{"peek in-flight cancel"}; !slices.Equal(r.begun, want) {
		t.Errorf("the engine was asked %q, want %q", r.begun, want)
	}
}

// On a terminal, at any typing speed: a superseded search is canceled and never shown.
func TestSearch_OnlyTheLastQueryIsShown(t *testing.T) {
	e := newFake(300)
	r := counted(e)
	term := start(context.Background(), t, Options{Archive: over(e)}, 100, 30)
	term.waitFor(t, "300 turns")
	for _, letter := range "/how do i cancel" {
		term.press(t, string(letter))
	}
	term.waitFor(t, "Matches  ")
	term.waitFor(t, "best first")
	term.press(t, "\rq")
	if err := term.ended(t); err != nil {
		t.Error(err)
	}
	if want := []string{"peek how do i cancel"}; !slices.Equal(r.ended, want) {
		t.Errorf("answered were %q, want %q", r.ended, want)
	}
	if r.running != 0 || r.canceled != len(r.begun)-1 {
		t.Errorf("of %d searches %d were canceled, %d still run", len(r.begun), r.canceled, r.running)
	}
}

// Fifty searches are superseded and ten canceled with ctrl+c: all of them end, and none leaks a goroutine.
func TestSearch_SupersededSearchesLeakNothing(t *testing.T) {
	before := goleak.IgnoreCurrent()
	e := newFake(50)
	r := counted(e)
	begun := make(chan struct{}, 100)
	block := e.before
	e.before = func(ctx context.Context, call string) error {
		if strings.HasPrefix(call, "peek ") {
			begun <- struct{}{}
		}
		return block(ctx, call)
	}
	t.Run("run", func(t *testing.T) {
		term := start(context.Background(), t, Options{Archive: over(e)}, 100, 30)
		term.waitFor(t, "50 turns")
		term.press(t, "/anything\r")
		<-begun
		term.press(t, "+") // and pan: searches without a debounce
		<-begun
		for i := range 48 + 10 {
			term.press(t, []string{"H", "L"}[i%2])
			<-begun
			if i >= 48 {
				term.press(t, "\x03")
				term.waitFor(t, "Canceled (ctrl+c again quits)")
			}
		}
		term.press(t, "q")
		if err := term.ended(t); err != nil {
			t.Error(err)
		}
		term.mustBeRestored(t)
	})
	if r.canceled != 60 || len(r.begun) != 60 || len(r.ended) != 0 || r.running != 0 {
		t.Errorf("of %d searches %d were canceled, %q answered, %d still run; want 60, 60, none, 0", len(r.begun), r.canceled, r.ended, r.running)
	}
	goleak.VerifyNone(t, before,
		goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"), goleak.IgnoreAnyFunction("github.com/charmbracelet/ultraviolet.(*TerminalReader).StreamEvents"))
}

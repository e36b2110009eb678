package tui

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

// beating runs a beat in a synctest bubble with fake time.
func beating(t *testing.T, fps int, do func(b beat, ticker *time.Ticker)) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		b := newBeat(fps)
		ticker := time.NewTicker(b.frame)
		go b.set(ctx, ticker)
		do(b, ticker)
	})
}

// ticks counts the ticks in a duration.
func ticks(ticker *time.Ticker, in time.Duration) (n int) {
	end := time.After(in)
	for {
		select {
		case <-ticker.C:
			n++
		case <-end:
			return n
		}
	}
}

func TestBeat_DrawsAtOnceThenRests(t *testing.T) {
	beating(t, 0, func(b beat, ticker *time.Ticker) {
		for range 3 {
			begun := time.Now()
			b.stir()
			if <-ticker.C; time.Since(begun) > soon {
				t.Errorf("the first tick comes after %v", time.Since(begun))
			}
			if n := ticks(ticker, lull); n < int(lull/b.frame)-1 {
				t.Errorf("%d ticks until it is surely drawn", n)
			}
			ticks(ticker, rest)
			if n := ticks(ticker, time.Minute); n > int(time.Minute/rest) {
				t.Errorf("%d ticks in a minute in which nothing happens", n)
			}
		}
	})
}

func TestBeat_KeepsTheFrameRate(t *testing.T) {
	for fps, most := range map[int]int{0: 60, 30: 30, 120: 120, 1000: 120} {
		beating(t, fps, func(b beat, ticker *time.Ticker) {
			drawn := 0
			for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(soon / 4) {
				b.stir()
				select {
				case <-ticker.C:
					drawn++
				default:
				}
			}
			if drawn < most/2 || drawn > most+1 {
				t.Errorf("%d frames in a second, of at most %d", drawn, most)
			}
		})
	}
}

// looker is a program that looks up its own ticker when it starts.
type looker struct {
	program *tea.Program
	found   *time.Ticker
}

func (l *looker) Init() tea.Cmd {
	l.found = tickerOf(l.program)
	return tea.Quit
}
func (l *looker) Update(tea.Msg) (tea.Model, tea.Cmd) { return l, nil }
func (l *looker) View() tea.View                      { return tea.NewView("") }

// If this fails with a new Bubble Tea, check whether that draws only on changes: then beat can go.
func TestBeat_FindsTheTicker(t *testing.T) {
	l := &looker{}
	l.program = tea.NewProgram(l, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignals())
	if _, err := l.program.Run(); err != nil {
		t.Fatal(err)
	}
	if l.found == nil {
		t.Error("the ticker is not where it was: the explorer draws sixty times a second while nothing happens")
	}
}

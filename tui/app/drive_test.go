package app

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/ui/uitest"
)

// driver runs a model without a terminal: commands run one after another, without delays.
type driver struct {
	*model
	queue []tea.Cmd
	held  []tea.Cmd // if the driver holds commands back
	hold  bool
	quit  bool

	clipboard string // text copied through the terminal
}

func drive(opts Options, width, height int) *driver { return newDriver(opts).start(width, height) }

// newDriver returns a driver that has not drawn yet.
func newDriver(opts Options) *driver {
	if opts.Terminal.Environ == nil {
		opts.Terminal.Environ = []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}
	}
	opts.tests.pace = &pace{}
	m := newModel(context.Background(), opts)
	now := time.Unix(0, 0)
	m.ui.Now = func() time.Time { now = now.Add(time.Second); return now } // nothing coalesces
	return &driver{model: m}
}

// start does what follows the first frame.
func (d *driver) start(width, height int) *driver {
	d.enqueue(d.Init())
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// explore returns a driver with an engine, after the archive was opened.
func explore(e *fakeEngine, width, height int) *driver {
	return drive(Options{Archive: over(e)}, width, height)
}

func (d *driver) send(msg tea.Msg) {
	_, cmd := d.Update(msg)
	d.enqueue(cmd)
	d.work()
}

func (d *driver) enqueue(cmd tea.Cmd) {
	switch {
	case cmd == nil:
	case d.hold:
		d.held = append(d.held, cmd)
	default:
		d.queue = append(d.queue, cmd)
	}
}

// work runs commands until none is left.
func (d *driver) work() {
	for len(d.queue) > 0 {
		cmd := d.queue[0]
		d.queue = d.queue[1:]
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			d.queue = append(d.queue, slices.DeleteFunc(msg, func(c tea.Cmd) bool { return c == nil })...)
		case tea.QuitMsg:
			d.quit = true
		case tickMsg: // time does not advance here
			d.ticking = false
		default:
			if reflect.TypeOf(msg) == reflect.TypeOf(tea.SetClipboard("")()) {
				d.clipboard = fmt.Sprint(msg)
			}
			_, next := d.Update(msg)
			d.enqueue(next)
		}
	}
	d.queue = nil // its array would hold what the commands hold
}

// keys presses keys separated by spaces: "/ c a n c e l enter".
func (d *driver) keys(names string) *driver {
	for _, pressed := range uitest.Keys(names) {
		d.send(pressed)
	}
	return d
}

// do does what commands do in the focused pane, by their IDs.
func (d *driver) do(ids ...string) *driver {
	for _, id := range ids {
		of := d.model.keyboard.keys.at(d.focus)
		d.enqueue(of[named(of, id)].Do())
		d.work()
		d.send(nil)
	}
	return d
}

// search types a query and leaves the bar.
func (d *driver) search(query string) *driver {
	d.keys("/ end ctrl+u")
	for _, r := range query {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return d.keys("enter")
}

// counted returns the sum of all bars.
func (d *driver) counted() (sum int) {
	for _, b := range d.timeline.Chart().Bins {
		sum += b.Count
	}
	return sum
}

// screen returns the text on the screen.
func (d *driver) screen() string { return ansi.Strip(d.drawn()) }

// drawn returns the view as a terminal emulator renders it.
func (d *driver) drawn() string {
	if d.View().Content == "" {
		return ""
	}
	return lipgloss.NewCanvas(d.width, d.height).Compose(lipgloss.NewLayer(d.View().Content)).Render()
}

func (d *driver) mustShow(t *testing.T, wanted ...string) *driver {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(d.screen(), w) {
			t.Errorf("the screen does not show %q:\n%s", w, d.screen())
		}
	}
	return d
}

func (d *driver) mustNotShow(t *testing.T, unwanted ...string) {
	t.Helper()
	for _, w := range unwanted {
		if strings.Contains(d.screen(), w) {
			t.Errorf("the screen shows %q:\n%s", w, d.screen())
		}
	}
}

func utc(second int64) time.Time { return time.Unix(second, 0).UTC() }

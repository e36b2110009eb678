package tui

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

func drive(opts Options, width, height int) *driver {
	if opts.Environ == nil {
		opts.Environ = []string{"TERM=xterm-256color", "LANG=en_US.UTF-8"}
	}
	opts.pace = &pace{}
	m := newModel(context.Background(), opts)
	now := time.Unix(0, 0)
	m.ui.Now = func() time.Time { now = now.Add(time.Second); return now } // nothing coalesces
	d := &driver{model: m}
	d.enqueue(m.Init())
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
	return d
}

// explore returns a driver with an engine, after the archive was opened.
func explore(e *fakeEngine, width, height int) *driver {
	return drive(Options{Open: func(context.Context) (Engine, error) { return e, nil }}, width, height)
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
}

// keyNames has the keys that are not text.
var keyNames = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"shift+left": {Code: tea.KeyLeft, Mod: tea.ModShift}, "shift+right": {Code: tea.KeyRight, Mod: tea.ModShift},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
	"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "space": {Code: tea.KeySpace, Text: " "},
	"ctrl+c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl+d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
	"ctrl+n": {Code: 'n', Mod: tea.ModCtrl}, "ctrl+x": {Code: 'x', Mod: tea.ModCtrl},
	"ctrl+w": {Code: 'w', Mod: tea.ModCtrl}, "ctrl+k": {Code: 'k', Mod: tea.ModCtrl}, "ctrl+l": {Code: 'l', Mod: tea.ModCtrl},
	"ctrl+z": {Code: 'z', Mod: tea.ModCtrl}, "alt+b": {Code: 'b', Mod: tea.ModAlt}, "alt+f": {Code: 'f', Mod: tea.ModAlt},
}

func pressOf(name string) tea.KeyPressMsg {
	if k, ok := keyNames[name]; ok {
		return k
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// keys presses keys separated by spaces: "/ c a n c e l enter".
func (d *driver) keys(names string) *driver {
	for name := range strings.FieldsSeq(names) {
		d.send(pressOf(name))
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

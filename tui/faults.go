package tui

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"lens/internal/errs"
	"lens/tui/dialog"
	"lens/tui/ui"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Errors: a pane shows an error in a line or two; E lists the latest with details.

// failure is an error as a pane shows it.
type failure struct{ message, hint, code string }

// fault is a failure in the list of errors.
type fault struct {
	failure
	when   time.Time
	doing  string // "searching"
	detail string // the error itself, with the operations that failed
	times  int    // in a row
}

// mostFaults bounds the list of errors.
const mostFaults = 20

// fail shows an error in one pane; the other panes go on.
func (m *model) fail(p pane, doing string, err error) {
	if f := m.trouble(doing, err); !m.locked.IsShown() {
		m.failed[p] = f
	}
}

// trouble adds an error to the list and returns it for display.
func (m *model) trouble(doing string, err error) failure {
	return m.record(doing, err, m.explained(err))
}

// record adds an error that was explained to the list.
func (m *model) record(doing string, err error, f failure) failure {
	now := fault{failure: f, when: m.ui.Now(), doing: doing, detail: ui.Line(err.Error()), times: 1}
	if last := len(m.faults) - 1; last >= 0 && m.faults[last].detail == now.detail && m.faults[last].doing == doing {
		now.times += m.faults[last].times
		m.faults = m.faults[:last]
	}
	if f.code == "locked" {
		m.shut()
	}
	m.faults = append(m.faults, now)
	m.faults = m.faults[max(0, len(m.faults)-mostFaults):]
	return f
}

// complain adds an error to the list and shows it in the footer after said, shortened to fit. E has the rest.
func (m *model) complain(doing, said string, err error) {
	rest := " " + m.ui.Theme.Glyphs.Separator + " E for details"
	text := said + ": " + m.trouble(doing, err).message
	m.notice = ansi.Truncate(text, max(1, m.width-ansi.StringWidth(rest)), m.ui.Theme.Glyphs.Ellipsis) + rest
}

// report adds an error of a component to the list, and shows it in the footer unless the component does.
func (m *model) report(msg ui.Failed) {
	switch {
	case msg.Said != "":
		m.complain(msg.Doing, msg.Said, msg.Err)
	case msg.Message != "":
		m.record(msg.Doing, msg.Err, failure{msg.Message, msg.Hint, codeOf(msg.Err)})
	default:
		m.trouble(msg.Doing, msg.Err)
	}
}

// explained translates an error for display. nil gives an empty failure.
func (m *model) explained(err error) failure {
	if err == nil {
		return failure{}
	}
	f := failure{message: err.Error()}
	if m.opts.Explain != nil {
		f.message, f.hint = m.opts.Explain(err)
	}
	f.code = codeOf(err)
	f.message, f.hint = ui.Line(f.message), ui.Line(f.hint)
	return f
}

// codeOf returns the code of an error, "" for none.
func codeOf(err error) string {
	if known, ok := errors.AsType[*errs.Error](err); ok {
		return string(known.Code)
	}
	return ""
}

// troubledMsg reports an error of a command; said precedes the reason in the footer.
type troubledMsg struct {
	doing, said string
	err         error
}

func (msg troubledMsg) take(m *model) tea.Cmd {
	m.complain(msg.doing, msg.said, msg.err)
	return nil
}

// openErrors lists the errors, latest first.
func (m *model) openErrors() tea.Cmd {
	if len(m.faults) == 0 {
		m.notice = "No errors"
		return nil
	}
	return m.open(dialog.NewPager(m.ui, "Errors", m.faultLines))
}

func (m *model) faultLines(width int) []string {
	var lines []string
	say := func(name, text string) {
		if text == "" {
			return
		}
		room := max(1, width-8)
		for i, line := range strings.Split(ansi.Hardwrap(ansi.Wrap(text, room, ""), room, true), "\n") {
			if i > 0 {
				name = ""
			}
			lines = append(lines, m.ui.Theme.Dim.Render(m.ui.Theme.Fit(name, 8))+line)
		}
	}
	for i := len(m.faults) - 1; i >= 0; i-- {
		f := m.faults[i]
		head := f.when.In(m.ui.Zone).Format("15:04:05 MST") + "  " + f.doing
		if f.times > 1 {
			head += fmt.Sprintf(", %d times", f.times)
		}
		lines = append(lines, m.ui.Theme.Bold.Render(head))
		say("error", f.message)
		say("code", cmp.Or(f.code, "internal"))
		say("next", f.hint)
		if f.detail != f.message {
			say("detail", f.detail)
		}
		lines = append(lines, "")
	}
	say("log", ui.Line(m.opts.Log))
	return lines
}

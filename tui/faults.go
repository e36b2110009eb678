package tui

import (
	"errors"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/errs"
	"lens/tui/errlog"
	"lens/tui/ui"
)

// Errors: a pane shows an error in a line or two; E lists the latest with details.

// failure is an error as a pane shows it.
type failure struct{ message, hint, code string }

// trouble adds an error to the list and returns it for display.
func (m *model) trouble(doing string, err error) failure {
	return m.record(doing, err, m.explained(err))
}

// record adds an error that was explained to the list.
func (m *model) record(doing string, err error, f failure) failure {
	if f.code == "locked" {
		m.shut()
	}
	m.errors.Add(errlog.Entry{
		Doing:   doing,
		Message: f.message,
		Hint:    f.hint,
		Code:    f.code,
		Detail:  ui.Line(err.Error()),
	})
	return f
}

// complain adds an error to the list and shows it in the footer after said, shortened to fit. The list has the rest.
func (m *model) complain(doing, said string, err error) {
	rest := " " + m.ui.Theme.Glyphs.Separator + " " + m.ui.Key("errors") + " for details"
	text := said + ": " + m.trouble(doing, err).message
	m.footer.Say(ansi.Truncate(text, max(1, m.width-ansi.StringWidth(rest)), m.ui.Theme.Glyphs.Ellipsis) + rest)
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

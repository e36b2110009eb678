package app

import (
	"errors"

	"github.com/charmbracelet/x/ansi"

	"lens/internal/errs"
	"lens/tui/errlog"
	"lens/tui/footer"
	"lens/tui/theme"
	"lens/tui/ui"
)

// Errors: a pane shows an error in a line or two; the list of errors has the latest with details.

// report adds an error of a component to the list, and shows it in the footer unless the component does. The list has
// what does not fit.
func (w *workspace) report(msg ui.Failed, width int) {
	if msg.Message == "" {
		msg.Message, msg.Hint = w.ui.Explained(msg.Err)
	}
	w.errors.Add(errlog.Entry{
		Doing:   msg.Doing,
		Message: msg.Message,
		Hint:    msg.Hint,
		Code:    string(codeOf(msg.Err)),
		Detail:  ui.Line(msg.Err.Error()),
	})
	if msg.Said != "" {
		rest := " " + w.ui.Theme.Glyphs.Separator + " " + w.ui.Key("errors") + " for details"
		text := msg.Said + ": " + msg.Message
		room := max(1, width-theme.Margin-1-footer.Beside-ansi.StringWidth(rest))
		w.footer.Fail(ansi.Truncate(text, room, w.ui.Theme.Glyphs.Ellipsis) + rest)
	}
}

// explain adds an error to the list and returns its message.
func (w *workspace) explain(doing string, err error) string {
	failed := w.ui.Fail(doing, err)
	return failed.Message
}

// codeOf returns the code of an error, "" for none.
func codeOf(err error) errs.Code {
	if known, ok := errors.AsType[*errs.Error](err); ok {
		return known.Code
	}
	return ""
}

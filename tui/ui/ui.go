// Package ui is what the components of the explorer share: how they are drawn and driven, and what they tell the app.
//
// A component owns its state and knows nothing of the others. It does I/O in commands only. What others must know, it
// posts as a message; the app routes that once the component has returned, before the next message of the terminal.
package ui

import (
	"context"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/internal/cleantext"
	"lens/internal/errs"
	"lens/tui/async"
	"lens/tui/theme"
)

// Component is a part of the screen.
type Component interface {
	// Update handles the results of the component's commands and, while it has the focus, keys that are text.
	Update(msg tea.Msg) tea.Cmd
	// SetSize sets its size, in cells.
	SetSize(width, height int)
	// View returns as many lines as it is high, each as wide as it is.
	View() []string
	// Commands returns the commands that it offers while it has the focus.
	Commands() []Command
}

// Messages that components post.
type (
	// Notify shows a sentence in the footer until the next key.
	Notify string
	// Failed reports an error. The footer shows Said and the reason, the list of errors also Doing. If Said is "", the
	// component shows the error itself.
	Failed struct {
		Doing, Said string // "searching", "Couldn't search"
		Err         error

		Message, Hint string // Explained(Err), where the component has asked for that: the log tells it once
	}
	// OpenTurn asks for a turn to be opened in the reader, as a step that can be undone.
	OpenTurn struct {
		ID     uuid.UUID
		Answer uuid.UUID // that was cited, if another may have been chosen since; uuid.Nil: whichever is chosen
		Focus  bool      // the reader gets the focus
	}
	// Copy asks for text to be copied.
	Copy string
	// SeekAlike asks for a search for turns similar to one.
	SeekAlike struct{ ID uuid.UUID }
)

// Context is what the app gives all components. Theme and zone may change between two frames.
type Context struct {
	Ctx   context.Context // ends with the explorer
	Tasks async.Tasks
	Now   func() time.Time
	Theme theme.Theme
	Zone  *time.Location // of times on the screen; nil: UTC

	// KeyOf returns the key of a command for texts, by its name in keys.yaml: "errors" if it works everywhere, else with
	// its pane, "turn.toggle-raw". nil: the name.
	KeyOf func(command string) string

	// Editing has the keys that edit a line of text. nil: those of Bubbles.
	Editing *textinput.KeyMap

	// Explain returns a message for the user and a hint, which may be empty. nil: the text of the error.
	Explain func(err error) (message, hint string)

	posted []any
}

// Explained returns an error for display: a message, and a hint that may be empty.
func (c *Context) Explained(err error) (message, hint string) {
	message = err.Error()
	if c.Explain != nil {
		message, hint = c.Explain(err)
	}
	return Line(message), Line(hint)
}

// Failure is an error as a component shows it. The zero value is none.
type Failure struct {
	Message, Hint string
	Refused       bool // the request is wrong, so that trying again does not help
}

// Fail reports an error that the component shows itself, and returns it for that.
func (c *Context) Fail(doing string, err error) Failure {
	message, hint := c.Explained(err)
	c.Post(Failed{Doing: doing, Err: err, Message: message, Hint: hint})
	code := errs.CodeOf(err)
	return Failure{message, hint, code == errs.Invalid || code == errs.NotFound || code == errs.TooLarge}
}

// FailureLines shows an error in a pane, and what to do about it.
func (c *Context) FailureLines(message, hint string) []string {
	lines := []string{"", c.Theme.Error.Render("error: ") + message}
	if hint != "" {
		lines = append(lines, c.Theme.Dim.Render(hint))
	}
	key, dim := c.Theme.Key.Render, c.Theme.Dim.Render
	retry := key(c.Key("retry")) + dim(" retry "+c.Theme.Glyphs.Separator+" ")
	return append(lines, retry+key(c.Key("errors"))+dim(" details"))
}

// Key returns the key of a command for texts; see KeyOf.
func (c *Context) Key(command string) string {
	if c.KeyOf == nil {
		return command
	}
	return c.KeyOf(command)
}

// longestLine is the most bytes of a line that are used, more than any screen shows.
const longestLine = 4 << 10

// Line returns text from outside as one line that is safe for the terminal.
func Line(s string) string { return cleantext.Columns(cleantext.Line(s[:min(len(s), longestLine)])) }

// Post tells the app something.
func (c *Context) Post(msg any) { c.posted = append(c.posted, msg) }

// Posted returns the posted messages in order, and removes them.
func (c *Context) Posted() []any {
	posted := c.posted
	c.posted = nil
	return posted
}

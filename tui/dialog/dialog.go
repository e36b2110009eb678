// Package dialog is what lies over the panes and gets all keys until it is closed: menus, prompts, a picker of files,
// and a pager.
//
// A dialog knows nothing of what it is opened for. It acts through functions that it gets when it is opened. While such
// a function runs the dialog is still open, and what the function opens lies above it. Esc and a click beside a dialog
// close that one alone, which leads back to a menu that lies below. An answer closes all of them.
package dialog

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Dialog is one of them. A dialog with a cursor also has Cursor. One that asks for data has Requests (see
// ui.Component); it may have Stop, which cancels them, and Closed, which ends them. One with KeepsPanes does not
// dim the panes behind it, which are to be read.
type Dialog interface {
	// Update handles a key, a paste, a click or a notch of the wheel, whose positions count from the dialog's corner,
	// and what its commands return. When it is done, it is closed.
	Update(msg tea.Msg) (cmd tea.Cmd, done bool)
	// SetSize sets the size of the screen, in cells.
	SetSize(width, height int)
	// Place returns where on the screen the dialog lies.
	Place() Rect
	// View returns the lines that fill its place.
	View() []string
	// Hints returns its keys for the footer.
	Hints() []key.Binding
}

// Messages that dialogs and those who open them post.
type (
	// Open opens a dialog above the others.
	Open struct{ Dialog }
	// Pasted is pasted text for the pane beneath: the dialog that got it takes none, and has closed.
	Pasted string
)

// Stack has the open dialogs. The last one lies above the others: it alone is drawn, and gets keys and the mouse. The
// zero Stack is empty.
type Stack struct {
	open          []Dialog
	width, height int
}

// Open opens a dialog above the others.
func (s *Stack) Open(d Dialog) {
	d.SetSize(s.width, s.height)
	s.open = append(s.open, d)
}

// IsOpen reports whether a dialog is open.
func (s *Stack) IsOpen() bool { return len(s.open) > 0 }

// Top returns the dialog above the others, nil for none.
func (s *Stack) Top() Dialog {
	if len(s.open) == 0 {
		return nil
	}
	return s.open[len(s.open)-1]
}

// Clear closes all dialogs.
func (s *Stack) Clear() {
	for s.IsOpen() {
		s.close(s.Top())
	}
}

// close closes a dialog, which need not be the top one, nor open any more.
func (s *Stack) close(d Dialog) {
	at := slices.Index(s.open, d)
	if at < 0 {
		return
	}
	s.open = slices.Delete(s.open, at, at+1)
	if c, ok := d.(interface{ Closed() }); ok {
		c.Closed()
	}
}

// SetSize sets the size of the screen, in cells.
func (s *Stack) SetSize(width, height int) {
	s.width, s.height = width, height
	for _, d := range s.open {
		d.SetSize(width, height)
	}
}

// Update gives keys, pastes and the mouse to the top dialog, and anything else to all of them. A click beside the top
// dialog closes it.
func (s *Stack) Update(msg tea.Msg) tea.Cmd {
	top := s.Top()
	if top == nil {
		return nil
	}
	at := top.Place()
	switch msg := msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		return s.pass(top, msg)
	case tea.MouseClickMsg:
		if !at.holds(msg.X, msg.Y) {
			s.close(top)
			return nil
		}
		msg.X, msg.Y = msg.X-at.X, msg.Y-at.Y
		return s.pass(top, msg)
	case tea.MouseWheelMsg:
		msg.X, msg.Y = msg.X-at.X, msg.Y-at.Y
		return s.pass(top, msg)
	}
	var cmds []tea.Cmd
	for _, d := range slices.Clone(s.open) {
		cmds = append(cmds, s.pass(d, msg))
	}
	return tea.Batch(cmds...)
}

// pass gives a message to a dialog. One that is done closes with all that lie below it, unless it was canceled.
func (s *Stack) pass(d Dialog, msg tea.Msg) tea.Cmd {
	cmd, done := d.Update(msg)
	pressed, _ := msg.(tea.KeyPressMsg)
	switch {
	case done && key.Matches(pressed, closes):
		s.close(d)
	case done:
		for _, below := range slices.Clone(s.open[:slices.Index(s.open, d)+1]) {
			s.close(below)
		}
	}
	return cmd
}

// Requests asks for what the open dialogs lack.
func (s *Stack) Requests() tea.Cmd {
	var cmds []tea.Cmd
	for _, d := range s.open {
		if asks, ok := d.(interface{ Requests() tea.Cmd }); ok {
			cmds = append(cmds, asks.Requests())
		}
	}
	return tea.Batch(cmds...)
}

// Stop cancels the requests of the open dialogs and reports whether there were any.
func (s *Stack) Stop() (stopped bool) {
	for _, d := range s.open {
		if stops, ok := d.(interface{ Stop() bool }); ok {
			stopped = stops.Stop() || stopped
		}
	}
	return stopped
}

// Fades reports whether the panes behind the top dialog are dimmed.
func (s *Stack) Fades() bool {
	_, keeps := s.Top().(interface{ KeepsPanes() })
	return !keeps
}

// Place returns where the top dialog lies.
func (s *Stack) Place() Rect { return s.Top().Place() }

// View draws the top dialog.
func (s *Stack) View() []string { return s.Top().View() }

// Hints returns the keys of the top dialog.
func (s *Stack) Hints() []key.Binding { return s.Top().Hints() }

// Cursor returns where on the screen the terminal's cursor stands, false for nowhere.
func (s *Stack) Cursor() (x, y int, ok bool) {
	typed, ok := s.Top().(interface{ Cursor() (x, y int) })
	if !ok {
		return 0, 0, false
	}
	at := s.Place()
	x, y = typed.Cursor()
	return at.X + x, at.Y + y, true
}

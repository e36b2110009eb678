// Package lock is the lock screen of an encrypted archive.
package lock

import (
	"context"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lens/tui/async"
	"lens/tui/ui"
)

// Vault locks and unlocks an encrypted archive.
type Vault interface {
	// Unlock makes Open and the engine work. It may take seconds. After any error another PIN may be tried.
	Unlock(ctx context.Context, pin string) error

	// Lock drops the key. The engine then returns errors with the code errs.Locked.
	Lock() error
}

// Unlocked is posted when the PIN was right.
type Unlocked struct{}

// Screen asks for the PIN. While it is shown, it gets all keys.
type Screen struct {
	ui    *ui.Context
	vault Vault
	keys  keys
	pin   textinput.Model
	shown bool
	said  string // why it is still locked
	tried async.Latest[int]
	tries int

	width, height int
}

const prompt = "PIN "

type keys struct{ unlock, clear, cancel, suspend, redraw key.Binding }

// unlockedMsg delivers the result of a try.
type unlockedMsg struct {
	number int
	err    error
}

// New returns a screen that is not shown.
func New(c *ui.Context, vault Vault) *Screen {
	s := &Screen{ui: c, vault: vault, pin: textinput.New(), keys: keys{
		unlock:  key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "unlocks")),
		clear:   key.NewBinding(key.WithKeys("esc")),
		cancel:  key.NewBinding(key.WithKeys("ctrl+c"), key.WithHelp("ctrl+c", "quits")),
		suspend: key.NewBinding(key.WithKeys("ctrl+z")),
		redraw:  key.NewBinding(key.WithKeys("ctrl+l")),
	}}
	s.pin.EchoMode = textinput.EchoPassword // keys that go by words must not tell where words begin
	s.pin.SetVirtualCursor(false)
	s.pin.KeyMap.Paste.SetEnabled(false) // it would read the clipboard of the host; the terminal's paste works
	return s
}

// Show shows the screen with an empty PIN.
func (s *Screen) Show() {
	s.shown, s.said = true, ""
	s.pin.Reset()
	s.pin.Focus()
}

// IsShown reports whether the archive is locked.
func (s *Screen) IsShown() bool { return s.shown }

// Say shows a sentence until the next try.
func (s *Screen) Say(sentence string) { s.said = sentence }

// SetSize sets the size of the screen, in cells.
func (s *Screen) SetSize(width, height int) { s.width, s.height = width, height }

// Update handles keys and pastes while the screen is shown, and the results of tries.
func (s *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return s.press(msg)
	case tea.PasteMsg:
		msg.Content = strings.TrimRight(msg.Content, "\r\n")
		return s.edit(msg)
	case unlockedMsg:
		s.handle(msg)
	}
	return nil
}

func (s *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, s.keys.unlock):
		return s.try()
	case key.Matches(msg, s.keys.clear):
		s.pin.Reset()
	case key.Matches(msg, s.keys.cancel):
		if !s.tried.Stop() {
			return tea.Quit
		}
		s.said = "Canceled"
	case key.Matches(msg, s.keys.suspend):
		return tea.Suspend
	case key.Matches(msg, s.keys.redraw):
		return tea.ClearScreen
	default:
		return s.edit(msg)
	}
	return nil
}

func (s *Screen) edit(msg tea.Msg) (cmd tea.Cmd) {
	s.pin, cmd = s.pin.Update(msg)
	return cmd
}

// try tries the typed PIN and clears it.
func (s *Screen) try() tea.Cmd {
	pin := s.pin.Value()
	if pin == "" || s.tried.IsBusy() {
		return nil
	}
	s.pin.Reset()
	s.said = ""
	s.tries++
	ctx, number, _ := s.tried.Ask(s.ui.Ctx, s.tries, s.ui.Now())
	unlock := s.vault.Unlock
	return s.ui.Tasks.Command(func() tea.Msg { return unlockedMsg{number, unlock(ctx, pin)} })
}

func (s *Screen) handle(msg unlockedMsg) {
	switch {
	case !s.tried.Accept(msg.number):
	case msg.err != nil:
		s.said = s.ui.Theme.Remarks(s.ui.Explained(msg.err))
	default:
		s.shown = false
		s.ui.Post(Unlocked{})
	}
}

// View draws the screen.
func (s *Screen) View() []string {
	t, said := s.ui.Theme, s.said
	if s.tried.IsBusy() {
		said = "Unlocking" + t.Glyphs.Ellipsis
	}
	text := []string{t.Bold.Render("Lens is locked"), "", t.Accent.Render(prompt) + s.masked(), ""}
	for line := range strings.SplitSeq(ansi.Wrap(said, max(1, s.width-2*s.indent()), ""), "\n") {
		text = append(text, t.Warn.Render(line))
	}
	text = append(text, t.Dim.Render(t.Remarks("PIN or passphrase", says(s.keys.unlock), says(s.keys.cancel))))
	lines := make([]string, s.top(), max(s.height, s.top()))
	for _, line := range text {
		lines = append(lines, strings.Repeat(" ", s.indent())+line)
	}
	return t.Block(lines, s.width, s.height)
}

// masked returns a mask for each typed rune, which is what keys step over and delete, as far as there is room. It isn't
// textinput's: that draws one for each cell, but its cursor counts runes and ignores how far the text is scrolled.
func (s *Screen) masked() string {
	shown := utf8.RuneCountInString(s.pin.Value()) - s.hidden()
	return strings.Repeat(s.ui.Theme.Glyphs.Mark, min(shown, s.room()))
}

// hidden returns how many masks are out of view at the left.
func (s *Screen) hidden() int { return max(0, s.pin.Position()-s.room()+1) }

// room returns how many masks fit, with the cursor behind them.
func (s *Screen) room() int { return max(1, s.width-s.indent()-len(prompt)) }

// Cursor returns where the terminal's cursor stands.
func (s *Screen) Cursor() (x, y int) {
	return s.indent() + len(prompt) + s.pin.Position() - s.hidden(), s.top() + 2
}

func (s *Screen) indent() int { return max(1, (s.width-56)/2) }

func (s *Screen) top() int { return max(0, s.height/3-2) }

func says(b key.Binding) string { return b.Help().Key + " " + b.Help().Desc }

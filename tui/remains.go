package tui

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/internal/cleantext"
	"lens/tui/turn"
)

// Turns that cannot be read: the pane says why, and can show the stored data.

// remains is the stored data of a turn that cannot be read.
type remains struct {
	turn  uuid.UUID
	width int
	text  string
}

// storedMsg delivers the stored data of a turn.
type storedMsg struct {
	turn uuid.UUID
	text string
	err  error
}

// isUnreadable reports whether the wanted turn could not be read.
func (m *model) isUnreadable() bool { return m.failed[paneTurn].message != "" }

// showStored shows the stored data of the turn, or hides it again.
func (m *model) showStored() tea.Cmd {
	if m.remains.turn == m.shown {
		m.remains = remains{}
		return nil
	}
	if m.opts.Stored == nil {
		m.notice = "No stored data to show"
		return nil
	}
	var conversation uuid.UUID
	if match, _ := m.matchUnderCursor(); match != nil && match.TurnID == m.shown {
		conversation = match.Conversation
	}
	ctx, id, stored := m.ui.Ctx, m.shown, m.opts.Stored
	return m.ui.Tasks.Command(func() tea.Msg {
		text, err := stored(ctx, conversation, id)
		return storedMsg{id, text, err}
	})
}

func (msg storedMsg) take(m *model) tea.Cmd {
	if msg.turn != m.shown || !m.isUnreadable() {
		return nil
	}
	if msg.err != nil {
		m.complain("reading stored data", "Couldn't read the stored data", msg.err)
	}
	if msg.err == nil || msg.text != "" {
		m.remains = remains{turn: msg.turn, text: cleantext.Text(indented(msg.text))}
	}
	return nil
}

// indented indents JSON documents, one a line. Other lines stay as they are.
func indented(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		var laid bytes.Buffer
		if json.Indent(&laid, []byte(line), "", "  ") == nil {
			line = laid.String() + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// showRemains shows the stored data in the turn pane.
func (m *model) showRemains(width int) {
	if m.remains.width == width {
		return
	}
	m.remains.width = width
	text := ansi.Hardwrap(cleantext.Columns(cmp.Or(m.remains.text, "Nothing stored")), max(1, width), true)
	m.page.Show(turn.Text{Lines: strings.Split(text, "\n")}, false)
}

package tui

import (
	tea "charm.land/bubbletea/v2"
)

// reader is an overlay of scrollable text: the help, the errors.
type reader struct {
	title string
	lines func(m *model, width int) []string
	top   int // the first visible line
}

func (*reader) place(width, height int) rect { return beneath(width, height) }

// paste closes the overlay and pastes into the query.
func (r *reader) paste(m *model, text string) {
	m.closeOverlay()
	m.insert(text)
}

func (r *reader) scroll(n int) { r.top = max(0, r.top+n*wheelRows) }

func (*reader) hints() []hint {
	return []hint{{keys: "j k", does: "scroll"}, {keys: "space b", does: "page"}, {keys: "q", does: "close"}}
}

// press scrolls, or closes.
func (r *reader) press(m *model, pressed tea.KeyPressMsg) tea.Cmd {
	switch pressed.String() {
	case "j", "down":
		r.top++
	case "k", "up":
		r.top = max(0, r.top-1)
	case "space", "pgdown", "ctrl+d":
		r.top += m.height / 2
	case "b", "pgup", "ctrl+u":
		r.top = max(0, r.top-m.height/2)
	case "g", "home":
		r.top = 0
	case "G", "end":
		r.top = 1 << 20
	default:
		m.closeOverlay()
	}
	return nil
}

func (r *reader) view(m *model, at rect) []string {
	lines, remark := r.lines(m, at.w), "any key closes"
	if room := at.h - 2; len(lines) > room {
		r.top = min(r.top, len(lines)-room)
		lines, remark = lines[r.top:], "j/k scroll, any other key closes"
	}
	head := []string{m.ui.Theme.Spread(m.ui.Theme.Focus.Render(" "+r.title+" "), m.ui.Theme.Dim.Render(remark), at.w), ""}
	return m.ui.Theme.Block(append(head, lines...), at.w, at.h)
}

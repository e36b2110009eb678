package tui

import (
	tea "charm.land/bubbletea/v2"

	"lens/tui/state"
)

// sizeStep is a step of the list in percent of the room; mostSteps bounds the steps.
const (
	sizeStep  = 5
	mostSteps = 6
)

// bounded bounds the sizes, so that every pane keeps some room.
func bounded(s state.Sizes) state.Sizes {
	bound := func(steps int) int { return max(-mostSteps, min(steps, mostSteps)) }
	return state.Sizes{List: bound(s.List), Chart: bound(s.Chart), Chat: bound(s.Chat)}
}

// resizeBy widens the list by steps, and heightens the focused chat, else the chart.
func resizeBy(wider, higher int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		next := m.sizes
		next.List += wider
		switch {
		case m.focus != paneChat:
			next.Chart += higher
		case m.layout().tabs: // there the chat takes from the list
			next.List -= higher
		default:
			next.Chat += higher
		}
		if next = bounded(next); next == m.sizes {
			m.footer.Say("No more room")
			return nil
		}
		m.sizes = next
		return nil
	}
}

package tui

import tea "charm.land/bubbletea/v2"

// Sizes is how a person has changed the sizes of panes; zeros are the layout's own choice.
type Sizes struct {
	List  int `json:"list,omitempty"`  // steps that the list is wider than usual beside the turn, or higher above it
	Chart int `json:"chart,omitempty"` // lines that the chart is higher than usual
	Chat  int `json:"chat,omitempty"`  // steps that the chat is higher below the turn
}

// sizeStep is what a step of the list is, in hundredths of the room; mostSteps bounds all of them.
const (
	sizeStep  = 5
	mostSteps = 6
)

// within returns sizes that leave every pane some room.
func (s Sizes) within() Sizes {
	return Sizes{max(-mostSteps, min(s.List, mostSteps)), max(-mostSteps, min(s.Chart, mostSteps)), max(-mostSteps, min(s.Chat, mostSteps))}
}

// resizeBy makes the list wider by steps, and the chat higher, when it has the keys, or else the chart.
func resizeBy(wider, higher int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		next := m.sizes
		next.List += wider
		switch {
		case m.focus != paneChat:
			next.Chart += higher
		case m.layout().tabs: // what the chat gets there is the list's
			next.List -= higher
		default:
			next.Chat += higher
		}
		if next = next.within(); next == m.sizes {
			m.notice = "No more room"
			return nil
		}
		m.sizes = next
		m.zoom.columns = m.layout().columns()
		return nil
	}
}

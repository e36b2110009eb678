package tui

import tea "charm.land/bubbletea/v2"

// Sizes is how a person has changed the sizes of panes; zeros are the layout's own choice.
type Sizes struct {
	List  int `json:"list,omitempty"`  // steps that the list is wider than usual beside the turn, or higher above it
	Chart int `json:"chart,omitempty"` // lines that the chart is higher than usual
}

// sizeStep is what a step of the list is, in hundredths of the room; mostSteps bounds all of them.
const (
	sizeStep  = 5
	mostSteps = 6
)

// within returns sizes that leave every pane some room.
func (s Sizes) within() Sizes {
	return Sizes{max(-mostSteps, min(s.List, mostSteps)), max(-mostSteps, min(s.Chart, mostSteps))}
}

// resizeBy makes the list wider and the chart higher by steps.
func resizeBy(list, chart int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		next := Sizes{m.sizes.List + list, m.sizes.Chart + chart}.within()
		if next == m.sizes {
			m.notice = "there is no more room to give"
			return nil
		}
		m.sizes = next
		m.zoom.columns = m.layout().columns()
		return nil
	}
}

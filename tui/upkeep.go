package tui

import (
	"time"

	"lens/tui/async"

	tea "charm.land/bubbletea/v2"
)

// Upkeep is work that an opened archive needs, for example since an older Lens made it. It begins by itself, once.

// upkeepMsg says what there is to do.
type upkeepMsg Work

// upkeepCmd looks for upkeep after a pause, which gives urgent requests precedence.
func (m *model) upkeepCmd(pause time.Duration) tea.Cmd {
	due, ctx := m.opts.Upkeep, m.ui.Ctx
	if due == nil || m.engine == nil || m.keptUp {
		return nil
	}
	m.keptUp = true
	return m.ui.Tasks.Command(func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		if work := due(ctx); work != nil {
			return upkeepMsg(*work)
		}
		return nil
	})
}

func (msg upkeepMsg) take(m *model) tea.Cmd { return m.start(Work(msg)) }

package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/async"
	"lens/tui/ui"
)

// Badges in the first line name current limits: offline, read-only.

func (m *model) badges() []string {
	var badges []string
	if m.opts.Offline {
		badges = append(badges, "offline")
	}
	if m.limit != "" {
		badges = append(badges, m.limit)
	}
	return badges
}

// limitMsg reports what limits changes to the archive; both fields are empty when nothing does.
type limitMsg struct{ badge, why string }

// limitCmd checks for limits after a pause, which gives urgent requests precedence.
func (m *model) limitCmd(pause time.Duration) tea.Cmd {
	if m.engine == nil {
		return nil
	}
	limit, ctx := m.opts.Archive.Limit, m.ui.Ctx
	return m.ui.Tasks.Command(func() tea.Msg {
		if !async.Wait(ctx, pause) {
			return nil
		}
		badge, why := limit(ctx)
		return limitMsg{badge, why}
	})
}

// take reports a new limit once and keeps checking until it is gone. By then another process may have changed the
// archive, so everything is read again.
func (msg limitMsg) take(m *model) tea.Cmd {
	before := m.limit
	switch m.limit = ui.Line(msg.badge); {
	case m.limit == "" && before != "":
		m.footer.Say("The archive can be changed again")
		m.refresh()
	case m.limit != "" && before == "":
		m.footer.Say(ui.Line(msg.why))
	}
	if m.limit == "" {
		return nil
	}
	return m.limitCmd(m.pace.limit)
}

package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Badges say in the first line what limits what can be done, as long as it does.

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

// limitMsg says what limits what can be done with the archive.
type limitMsg struct{ badge, why string }

// asideCmd finds that out, after a pause in which there is better to do.
func (m *model) asideCmd(pause time.Duration) tea.Cmd {
	aside, ctx := m.opts.Aside, m.ctx
	if aside == nil || m.engine == nil {
		return nil
	}
	return m.crew.job(func() tea.Msg {
		if !waited(ctx, pause) {
			return nil
		}
		badge, why := aside(ctx)
		return limitMsg{badge, why}
	})
}

// take tells what is limited, once, and waits until it is not: then another process may have changed the archive.
func (msg limitMsg) take(m *model) tea.Cmd {
	before := m.limit
	switch m.limit = screenLine(msg.badge); {
	case m.limit == "" && before != "":
		m.notice = "the archive can be changed again"
		m.refresh()
	case m.limit != "" && before == "":
		m.notice = screenLine(msg.why)
	}
	if m.limit == "" {
		return nil
	}
	return m.asideCmd(m.pace.limit)
}

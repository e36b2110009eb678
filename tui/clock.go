package tui

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"
)

// The display zone of times: UTC or local. Bins are always in UTC, so that a chart is the same everywhere; the axis
// says UTC when other times are local.

// toggleLocal switches between local time and UTC.
func (m *model) toggleLocal() tea.Cmd {
	m.setLocal(!m.local)
	m.footer.Say("Times in UTC")
	if m.local {
		m.footer.Say("Times in " + m.ui.Now().In(m.ui.Zone).Format("MST") + ", bins in UTC")
	}
	return nil
}

// setLocal shows times in local time or in UTC.
func (m *model) setLocal(local bool) {
	m.local, m.ui.Zone = local, time.UTC
	if local {
		m.ui.Zone = cmp.Or(m.opts.Settings.Zone, time.Local)
	}
}

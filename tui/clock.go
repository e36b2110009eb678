package tui

import (
	"cmp"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Which clock times are told by. Bins are always cut in UTC, so that a chart is the same everywhere; the axis says so where the times beside
// it are local.

// toggleLocal tells times by the clock of this machine, or by UTC again.
func (m *model) toggleLocal() tea.Cmd {
	m.local = !m.local
	m.notice = "times are UTC"
	if m.local {
		m.notice = "times are local (" + m.now().In(m.zone()).Format("MST") + "); bins stay UTC"
	}
	return nil
}

// zone is the one that times are told in.
func (m *model) zone() *time.Location {
	if m.local {
		return cmp.Or(m.opts.Zone, time.Local)
	}
	return time.UTC
}

// day writes the day of a time.
func (m *model) day(t time.Time) string { return t.In(m.zone()).Format(time.DateOnly) }

// clock writes the time of day.
func (m *model) clock(t time.Time) string { return t.In(m.zone()).Format("15:04") }

// moment writes a time to the minute.
func (m *model) moment(t time.Time) string { return t.In(m.zone()).Format("2006-01-02 15:04 MST") }

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
	m.local = !m.local
	m.notice = "Times in UTC"
	if m.local {
		m.notice = "Times in " + m.ui.Now().In(m.zone()).Format("MST") + ", bins in UTC"
	}
	return nil
}

// zone returns the display zone.
func (m *model) zone() *time.Location {
	if m.local {
		return cmp.Or(m.opts.Zone, time.Local)
	}
	return time.UTC
}

// day formats the day of a time.
func (m *model) day(t time.Time) string { return t.In(m.zone()).Format(time.DateOnly) }

// clock formats the time of day.
func (m *model) clock(t time.Time) string { return t.In(m.zone()).Format("15:04") }

// moment formats a time to the minute.
func (m *model) moment(t time.Time) string { return t.In(m.zone()).Format("2006-01-02 15:04 MST") }

package tui

import (
	"lens/tui/jobs"
)

// Work is a long operation in the background.
type Work = jobs.Work

// jobLine describes the progress of all jobs, "" for none.
func (m *model) jobLine() string {
	words := m.jobs.Progress()
	if len(words) > 0 && m.isSearching() {
		words = append(words, "counts still growing")
	}
	return m.ui.Theme.Remarks(words...)
}

// refresh drops everything read from the archive, so that it is requested again.
func (m *model) refresh() {
	m.archive.Reload()
	m.timeline.Reload()
	m.finder.Reload()
	m.bar.Reload()
	m.reader.Reload()
}

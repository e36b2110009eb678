// Package timeline is the histogram of the explorer and the movement through time: the window in view, its bins, the
// cursor and the brush, and how many turns there are.
package timeline

import (
	tea "charm.land/bubbletea/v2"

	"lens/retrieval"
	"lens/tui/histogram"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Timeline is the window in view and what it shows. What it requests follows from its state.
type Timeline struct {
	ui    *ui.Context
	zoom  zoom.Zoom
	turns baseline

	width, height int
}

// New returns an empty timeline.
func New(c *ui.Context) *Timeline { return &Timeline{ui: c, turns: baseline{ui: c}} }

// SetSource sets what counts turns, once the archive is open.
func (t *Timeline) SetSource(source Source) { t.turns.source = source }

// SetSize sets the size of the chart, in cells.
func (t *Timeline) SetSize(width, height int) {
	t.width, t.height = width, height
	t.zoom.Columns = histogram.Columns(width)
}

// Open shows the whole archive, whose turns are counted by day.
func (t *Timeline) Open(o *retrieval.Overview, days retrieval.Histogram) {
	t.turns.Days = zoom.NewTally(days)
	if o.First != nil && o.Last != nil {
		t.zoom = zoom.New(o.First.Unix(), o.Last.Unix(), histogram.Columns(t.width))
	}
}

// Grow is Open for an archive that has changed: the window stays.
func (t *Timeline) Grow(o *retrieval.Overview, days retrieval.Histogram) {
	t.turns.Days = zoom.NewTally(days)
	t.zoom = t.zoom.Grow(o)
}

// Zoom returns the window in view, with its bins, cursor and brush.
func (t *Timeline) Zoom() zoom.Zoom { return t.zoom }

// SetZoom replaces it.
func (t *Timeline) SetZoom(z zoom.Zoom) { t.zoom = z }

// Turns returns the counts of all turns.
func (t *Timeline) Turns() zoom.Profile { return t.turns.Profile }

// Requests asks for the turns per hour that the window needs.
func (t *Timeline) Requests() tea.Cmd { return t.turns.request(t.zoom) }

// Stop cancels the counting of turns per hour and reports whether it was in progress.
func (t *Timeline) Stop() bool { return t.turns.asking.Stop() }

// Retry counts again what could not be counted, or was stopped.
func (t *Timeline) Retry() { t.turns.asking.Forget() }

// Reload counts again, because the archive may have changed.
func (t *Timeline) Reload() {
	t.turns.asking.Forget()
	t.turns.Window = zoom.Span{}
}

// Update handles results.
func (t *Timeline) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(countedMsg); ok {
		t.turns.take(msg)
	}
	return nil
}

// Package timeline is the histogram of the explorer and the movement through time: the window in view, its bins, the
// cursor and the brush, and how many turns there are.
package timeline

import (
	tea "charm.land/bubbletea/v2"

	"lens/retrieval"
	"lens/retrieval/timebin"
	"lens/tui/histogram"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// Timeline is the window in view and what it shows. What it requests follows from its state.
type Timeline struct {
	plot
	ui       *ui.Context
	counting counting
	press    press
	placed   placement
	unaimed  zoom.View // from before a window was typed
	opened   bool      // the archive is

	width, height int // of the chart
}

// New returns a timeline without an archive.
func New(c *ui.Context) *Timeline { return &Timeline{ui: c, counting: counting{ui: c}} }

// SetSource sets what counts turns, once the archive is open.
func (t *Timeline) SetSource(source Source) { t.counting.source = source }

// SetSize sets the size of the chart, in cells.
func (t *Timeline) SetSize(width, height int) {
	t.width, t.height = width, height
	t.fit()
}

// fit tells the zoom how many columns there are for bins.
func (t *Timeline) fit() {
	if t.zoom.Columns = histogram.Columns(t.width); t.form() == Rows {
		t.zoom.Columns = histogram.RowColumns(t.width)
	}
}

// Lines returns how many lines the chart takes of a screen of a height, 0 for as many as usual.
func (t *Timeline) Lines(height int) int {
	if t.look.Form != Rows || !t.in.Searching || len(t.in.Pinned) == 0 {
		return 0
	}
	return histogram.RowLines(len(t.compared()), height/2)
}

// Open shows the whole archive, whose turns are counted by day.
func (t *Timeline) Open(o *retrieval.Overview, days retrieval.Histogram) {
	t.opened, t.turns.Days = true, zoom.NewTally(days)
	if o.First != nil && o.Last != nil {
		t.zoom = zoom.New(o.First.Unix(), o.Last.Unix(), histogram.Columns(t.width))
	}
}

// Grow is Open for an archive that has changed: the window stays.
func (t *Timeline) Grow(o *retrieval.Overview, days retrieval.Histogram) {
	t.opened, t.turns.Days = true, zoom.NewTally(days)
	t.zoom = t.zoom.Grow(o)
}

// Zoom returns the window in view, with its bins, cursor and brush.
func (t *Timeline) Zoom() zoom.Zoom { return t.zoom }

// Look returns how the chart is drawn.
func (t *Timeline) Look() Look { return t.look }

// SetLook changes how the chart is drawn.
func (t *Timeline) SetLook(look Look) {
	t.look = look
	t.fit()
}

// SetInputs sets what the timeline shows and others know. The app calls it after each message.
func (t *Timeline) SetInputs(in Inputs) {
	t.in = in
	t.fit()
	t.placeAgain()
	t.rank()
}

// Requests asks for the turns per hour that the window needs.
func (t *Timeline) Requests() tea.Cmd {
	if !t.turns.Lacks(t.zoom) {
		return nil
	}
	return t.counting.request(counted{t.zoom.Span, t.zoom.Divided()})
}

// Stop cancels the counting of turns per hour and reports whether it was in progress.
func (t *Timeline) Stop() bool { return t.counting.asking.Stop() }

// Retry counts again what could not be counted, or was stopped.
func (t *Timeline) Retry() { t.counting.asking.Forget() }

// Reload counts again, because the archive may have changed.
func (t *Timeline) Reload() {
	t.counting.asking.Forget()
	t.turns.Window = zoom.Span{}
}

// Update handles results.
func (t *Timeline) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(countedMsg); ok && t.counting.handle(msg) {
		t.turns.Hours, t.turns.Window = zoom.NewTally(msg.hours.Histogram), msg.Span
		t.turns.Fine = msg.bin.Unit == timebin.Minute
	}
	return nil
}

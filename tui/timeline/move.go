package timeline

import (
	tea "charm.land/bubbletea/v2"

	"lens/retrieval/timebin"
	"lens/tui/dialog"
	"lens/tui/ui"
	"lens/tui/zoom"
)

// WindowChanged is posted when the window in view or its bins have changed, as a step that can be undone.
type WindowChanged struct {
	Step bool // several in quick succession are one entry of the history
}

// operation changes the window or its bins, or says why not.
type operation = func(zoom.Zoom) (zoom.Zoom, string)

// change applies an operation.
func (t *Timeline) change(op operation, step bool) {
	next, refusal := op(t.zoom)
	if refusal != "" {
		t.ui.Post(ui.Notify(refusal))
	}
	changed := next.Span != t.zoom.Span || next.Bin != t.zoom.Bin
	if t.zoom = next; changed {
		t.ui.Post(WindowChanged{step})
	}
}

// Enter shows a window, as a step that can be undone.
func (t *Timeline) Enter(window zoom.Span) {
	t.change(func(z zoom.Zoom) (zoom.Zoom, string) { return z.Look(window), "" }, false)
}

// SetView shows a window of the history, in its bins.
func (t *Timeline) SetView(v zoom.View) {
	t.zoom.View = v
	t.zoom = t.zoom.Idle()
}

// Aim shows a window while it is typed, and for the zero span the view from before; begins says that this is now.
func (t *Timeline) Aim(window zoom.Span, begins bool) {
	if begins {
		t.unaimed = t.zoom.View
	}
	t.SetView(t.unaimed)
	if window != (zoom.Span{}) {
		t.zoom = t.zoom.Look(t.zoom.Snap(window))
	}
}

// jump moves the cursor to a bin that follows from the counts.
func (t *Timeline) jump(to func(counts []int, from, step int) int, step int) {
	t.zoom = t.zoom.MoveTo(to(t.counts(), t.chart().Cursor, step))
}

// jumpToPeak moves to the next peak, for step -1 to the previous one. Without peaks it moves to the next local maximum.
func (t *Timeline) jumpToPeak(step int) {
	c := t.chart()
	if len(c.Peaks) == 0 {
		t.jump(zoom.NextPeak, step)
		return
	}
	best := -1
	for _, at := range c.Peaks {
		if (at-c.Cursor)*step > 0 && (best < 0 || (best-at)*step > 0) {
			best = at
		}
	}
	if best < 0 {
		t.ui.Post(ui.Notify("No more peaks"))
		return
	}
	t.zoom = t.zoom.MoveTo(best)
}

// askRange asks for a date range and shows it.
func (t *Timeline) askRange() tea.Cmd {
	if t.zoom.IsEmpty() {
		t.ui.Post(ui.Notify("No dates"))
		return nil
	}
	t.ui.Post(dialog.Open{Dialog: dialog.NewPrompt(t.ui, dialog.PromptOptions{
		Label:  "Go to",
		Hint:   "2024-05, 2024-05..2024-06, last 90d, yesterday",
		Answer: func(text string) (tea.Cmd, string) { return nil, t.enterTyped(text) },
	})})
	return nil
}

// enterTyped shows the window that a text means, or says why not.
func (t *Timeline) enterTyped(text string) (refusal string) {
	typed, err := timebin.ParseSpan(text, t.ui.Now())
	if err != nil {
		return "Not a date. Try 2024-05, 2024-05..2024-06, last 90d"
	}
	window := t.zoom.All.Bounded(typed.Since, typed.Until)
	if window.Clip(t.zoom.All).Width() <= 0 {
		return "No turns in that range"
	}
	t.Enter(t.zoom.Snap(window))
	return ""
}

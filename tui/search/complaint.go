package search

import (
	"github.com/charmbracelet/x/ansi"

	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/ui"
)

// What the bar says about what is typed: at its right end, and in the footer what it has no room for.

// status returns what is wrong with the typed query, else the chips, the badges and the outcome, as much as fits.
func (b *Bar) status() string {
	room := b.line.Room(b.width, b.focused)
	if complaint := b.complaintWithin(room); complaint != "" {
		return b.ui.Theme.Warn.Render(complaint)
	}
	chips, drawing := b.drawnChips(), b.chips()
	for _, right := range b.remarks() {
		line := b.ui.Theme.Dim.Render(right)
		if len(chips) > 0 {
			line = drawing.drawAll(chips, right)
		}
		if theme.Width(line) <= room {
			return line
		}
	}
	if len(chips) == 0 {
		return ""
	}
	return drawing.drawFew(chips, room)
}

// remarks returns the badges with the outcome, longest first.
func (b *Bar) remarks() []string {
	badges := b.ui.Theme.Remarks(b.badges...)
	var all []string
	for _, outcome := range b.outcomes {
		all = append(all, b.ui.Theme.Remarks(badges, outcome))
	}
	return append(all, badges, "")
}

// complaint says what is wrong with the typed query. It waits while the value at the cursor can still become right.
func (b *Bar) complaint() Remark {
	c := b.completion()
	if len(c.candidates) == 0 || c.from == 0 {
		return b.draft.complaint
	}
	text := b.line.Text()
	for _, item := range query.Items(text) {
		if item.Key != "" && item.Value == c.from {
			if _, _, err := query.Parse(text[item.From:item.To], b.ui.Now()); err != nil {
				return Remark{}
			}
		}
	}
	return b.draft.complaint
}

// complaintWithin returns as much of that as there is room for beside the query.
func (b *Bar) complaintWithin(room int) string {
	complaint := b.complaint()
	if complaint.Quiet {
		return ""
	}
	for _, text := range []string{complaint.Full(), complaint.Message} {
		if theme.Width(text) <= room {
			return text
		}
	}
	if !b.focused { // the footer has said it whole
		return ansi.Truncate(complaint.Message, room, b.ui.Theme.Glyphs.Ellipsis)
	}
	return ""
}

// FooterLine returns what the footer says about the text while the bar has the focus: what the bar has no room to say,
// or the candidates; "" for nothing.
func (b *Bar) FooterLine(width int) string {
	complaint := b.complaint()
	if complaint.Quiet {
		if len(b.completion().candidates) > 0 {
			return b.candidatesLine(width)
		}
		return b.ui.Theme.Dim.Render(ansi.Truncate(complaint.Full(), width, b.ui.Theme.Glyphs.Ellipsis))
	}
	switch b.complaintWithin(b.line.Room(b.width, true)) {
	case complaint.Full():
		return b.candidatesLine(width)
	case complaint.Message:
		return b.ui.Theme.Dim.Render(complaint.Hint)
	}
	return b.ui.Theme.Warn.Render(complaint.Within(width))
}

// leave settles the text, and lets the footer say what may have been meant and, once, what is wrong where the bar cuts
// it. While the bar has the focus, FooterLine says that.
func (b *Bar) leave() {
	if doubt := b.settle().Within(b.width - 2*theme.Margin); doubt != "" {
		b.ui.Post(ui.Notify(doubt))
	}
	if !b.draft.wrong || b.draft.said || b.width == 0 {
		return
	}
	b.draft.said = true
	if wrong := b.draft.complaint; theme.Width(wrong.Message) > b.line.Room(b.width, false) {
		b.ui.Post(ui.Notify(wrong.Within(b.width - 2*theme.Margin)))
	}
}

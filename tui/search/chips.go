package search

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/ui"
)

// The filters as chips, and the dates that the query names. Filters are named as they are typed, so that one learns
// from the other. X drops the last, a click the one under the pointer, the menu of filters any.

// longestTitle is how much of a title a chip shows, in cells.
const longestTitle = 24

// Labels returns the chips of a search as they are shown.
func (b *Bar) Labels(s Search) []string {
	chips := s.Chips()
	for i, chip := range chips {
		chips[i] = b.chips().label(chip)
	}
	return chips
}

// nearDates begins the chip of the dates that the query names, near which turns rank higher.
const nearDates = "near "

// drawnChips returns the chips of the query, and that of its dates. The results may still be those of an earlier query.
func (b *Bar) drawnChips() []string {
	s := b.Search()
	chips := s.Chips()
	if named := b.results.Dates(); named != "" && !s.PlainDates && NamesDate(s.words, b.ui.Now()) {
		chips = append(chips, nearDates+named)
	}
	return chips
}

// DropLast removes the chip that is drawn last.
func (b *Bar) DropLast() tea.Cmd {
	chips := b.drawnChips()
	if len(chips) == 0 {
		b.ui.Post(ui.Notify("No filter to drop"))
		return nil
	}
	b.drop(chips[len(chips)-1])
	return nil
}

// drop removes a filter. Without the chip of its dates, a query has them as words, until its words change.
func (b *Bar) drop(chip string) {
	b.restrict(func(q *query.Query) {
		switch {
		case chip == WordsOnly:
			q.Mode = ""
		case strings.HasPrefix(chip, nearDates):
			q.Dates = query.DatesOff
		}
		q.Filter = q.Filter.Drop(chip)
	})
}

// Click drops the filter whose chip is drawn at a cell. It reports whether there is one.
func (b *Bar) Click(x, _ int) bool {
	line := ansi.Strip(b.View()[0])
	for _, chip := range slices.Backward(b.drawnChips()) {
		drawn := ansi.Strip(b.chips().draw(chip))
		at := strings.LastIndex(line, drawn)
		if at < 0 {
			continue
		}
		if from := theme.Width(line[:at]); from <= x && x < from+theme.Width(drawn) {
			b.drop(chip)
			return true
		}
		line = line[:at]
	}
	return false
}

func (b *Bar) chips() chips { return chips{b.ui.Theme, b.results} }

// chips draws filters.
type chips struct {
	theme   theme.Theme
	results Results
}

// label names a conversation by its title, where that is known, and any other chip as it is typed.
func (c chips) label(chip string) string {
	text, isConversation := strings.CutPrefix(strings.TrimPrefix(chip, "-"), "conversation:")
	if !isConversation {
		return ui.Line(chip)
	}
	label := "one conversation"
	if id, err := uuid.Parse(text); err == nil {
		if title := c.results.Title(id); title != "" {
			label = c.theme.Quoted(ansi.Truncate(title, longestTitle, c.theme.Glyphs.Ellipsis))
		}
	}
	if strings.HasPrefix(chip, "-") {
		return "not in " + label
	}
	return "in " + label
}

// draw draws a chip with the sign that it can be dropped.
func (c chips) draw(chip string) string {
	return c.theme.Accent.Render(c.label(chip)) + c.theme.Dim.Render(" "+c.theme.Glyphs.Drop)
}

// drawAll draws chips and a remark.
func (c chips) drawAll(all []string, remark string) string {
	var drawn []string
	for _, chip := range all {
		drawn = append(drawn, c.draw(chip))
	}
	if remark != "" {
		drawn = append(drawn, c.theme.Dim.Render(remark))
	}
	return strings.Join(drawn, "  ")
}

// drawFew draws the last chips and how many there are before them, or just their number.
func (c chips) drawFew(all []string, room int) string {
	for from := 1; from < len(all); from++ {
		hidden := c.theme.Dim.Render("+" + theme.Number(from) + " ")
		if line := hidden + c.drawAll(all[from:], ""); theme.Width(line) <= room {
			return line
		}
	}
	return c.theme.Accent.Render(theme.Count(len(all), "filter", "filters"))
}

package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/search"
	"lens/tui/theme"
	"lens/tui/ui"
)

// The filters as chips in the first line. They are named as they are typed, so that one learns from the other. X drops
// the last, a click the one under the pointer, the filter menu any.

func (m *model) chips() []string { return m.sought().Chips() }

// chipLabels returns the chips of a search as they are shown.
func (m *model) chipLabels(s search.Sought) []string {
	chips := s.Chips()
	for i, chip := range chips {
		chips[i] = m.chipLabel(chip)
	}
	return chips
}

// longestTitle is how much of a title a chip shows, in cells.
const longestTitle = 24

// chipLabel names a conversation by its title, where that is known, and any other chip as it is typed.
func (m *model) chipLabel(chip string) string {
	id, isConversation := strings.CutPrefix(strings.TrimPrefix(chip, "-"), "conversation:")
	if !isConversation {
		return ui.Line(chip)
	}
	label := "one conversation"
	if title := m.titleOf(idOf(id)); title != "" {
		label = m.ui.Theme.Quoted(ansi.Truncate(title, longestTitle, m.ui.Theme.Glyphs.Ellipsis))
	}
	if strings.HasPrefix(chip, "-") {
		return "not in " + label
	}
	return "in " + label
}

// titleOf returns the title of a conversation that is on the screen, "" for any other.
func (m *model) titleOf(conversation uuid.UUID) string {
	if t := m.reader.Opened(); t != nil && t.Conversation == conversation {
		return t.Title
	}
	return m.finder.Title(conversation)
}

// drawChip draws a chip with the sign that it can be dropped.
func (m *model) drawChip(chip string) string {
	return m.ui.Theme.Accent.Render(m.chipLabel(chip)) + m.ui.Theme.Dim.Render(" "+m.ui.Theme.Glyphs.Drop)
}

// drawChips draws chips and a remark.
func (m *model) drawChips(chips []string, remark string) string {
	var drawn []string
	for _, chip := range chips {
		drawn = append(drawn, m.drawChip(chip))
	}
	if remark != "" {
		drawn = append(drawn, m.ui.Theme.Dim.Render(remark))
	}
	return strings.Join(drawn, "  ")
}

// drawFewChips draws the last chips and how many there are before them, or just their number.
func (m *model) drawFewChips(chips []string, room int) string {
	for from := 1; from < len(chips); from++ {
		hidden := m.ui.Theme.Dim.Render("+" + theme.Number(from) + " ")
		if line := hidden + m.drawChips(chips[from:], ""); theme.Width(line) <= room {
			return line
		}
	}
	return m.ui.Theme.Accent.Render(theme.Count(len(chips), "filter", "filters"))
}

// chipAt returns the chip that is drawn at a column of the first line, "" for none.
func (m *model) chipAt(x int) string {
	line := ansi.Strip(m.queryView(m.layout().query)[0])
	for _, chip := range slices.Backward(m.chips()) {
		at := strings.LastIndex(line, ansi.Strip(m.drawChip(chip)))
		if at < 0 {
			continue
		}
		from := theme.Width(line[:at])
		if from <= x && x < from+theme.Width(ansi.Strip(m.drawChip(chip))) {
			return chip
		}
		line = line[:at]
	}
	return ""
}

// dropChip removes a filter.
func (m *model) dropChip(chip string) {
	m.restrict(func(q *query.Query) {
		if chip == search.WordsOnly {
			q.Mode = ""
		}
		q.Filter = q.Filter.Drop(chip)
	})
}

// dropLastChip removes the filter that is drawn last.
func (m *model) dropLastChip() tea.Cmd {
	chips := m.chips()
	if len(chips) == 0 {
		m.footer.Say("No filter to drop")
		return nil
	}
	m.dropChip(chips[len(chips)-1])
	return nil
}

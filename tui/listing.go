package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/matches"
	"lens/tui/search"
)

// The order of the list, its marks, and moving within a conversation.

// arrangeBy sorts rows.
func arrangeBy(o search.Order, items []matches.Item) {
	switch o {
	case search.ByDate:
		slices.SortStableFunc(items, func(a, b matches.Item) int { return cmp.Compare(b.At, a.At) })
	case search.OldestFirst:
		slices.SortStableFunc(items, func(a, b matches.Item) int {
			return cmp.Or(cmp.Compare(undatedLast(a), undatedLast(b)), cmp.Compare(a.At, b.At))
		})
	}
}

func undatedLast(item matches.Item) int {
	if item.Clock == "" {
		return 1
	}
	return 0
}

// orderOf returns the order for a result.
func (m *model) orderOf(f search.Result) search.Order {
	if f.IsSomething() {
		return m.order
	}
	return f.Key.Order
}

func (m *model) toggleOrder() tea.Cmd {
	if m.isSearching() {
		m.order = search.ByDate - m.order
	} else {
		m.oldest = !m.oldest
	}
	return nil
}

// mark toggles the mark of the match under the cursor and moves to the next. Marked turns are copied and exported
// together.
func (m *model) mark() tea.Cmd {
	chosen, ok := m.list.Chosen()
	if !ok {
		m.footer.Say("No match selected")
		return nil
	}
	id := uuid.MustParse(chosen.ID)
	if m.marked[id] {
		delete(m.marked, id)
	} else {
		m.marked[id] = true
	}
	m.markings++
	return moveRows(1)(m)
}

// sameConversation moves to the next match in the same conversation, for step -1 to the previous one.
func sameConversation(step int) func(*model) tea.Cmd {
	return func(m *model) tea.Cmd {
		of := map[string]uuid.UUID{}
		if m.found.Peek != nil {
			for _, match := range m.found.Peek.Matches {
				of[match.TurnID.String()] = match.Conversation
			}
		}
		if !m.list.MoveTo(step, func(from, to matches.Item) bool { return of[from.ID] == of[to.ID] }) {
			m.footer.Say("No more matches in this conversation")
			return nil
		}
		m.choose, m.landing = uuid.Nil, uuid.Nil
		m.follow()
		return nil
	}
}

package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/matches"
)

// The order of the list, its marks, and moving within a conversation.

// order is what the rows are sorted by. The zero order is by score.
type order int

const (
	byScore     order = iota
	byDate            // newest first, the undated last
	oldestFirst       // the undated last
)

func (o order) words() string {
	if o == byDate {
		return "by date"
	}
	return "by score"
}

func (o order) sort(items []matches.Item) {
	switch o {
	case byDate:
		slices.SortStableFunc(items, func(a, b matches.Item) int { return cmp.Compare(b.At, a.At) })
	case oldestFirst:
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
func (m *model) orderOf(f find) order {
	if f.isSomething() {
		return m.order
	}
	return f.findKey.order
}

func (m *model) toggleOrder() tea.Cmd {
	if m.isSearching() {
		m.order = byDate - m.order
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
		m.notice = "No match selected"
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
		if m.found.peek != nil {
			for _, match := range m.found.peek.Matches {
				of[match.TurnID.String()] = match.Conversation
			}
		}
		if !m.list.MoveTo(step, func(from, to matches.Item) bool { return of[from.ID] == of[to.ID] }) {
			m.notice = "No more matches in this conversation"
			return nil
		}
		m.choose, m.landing = uuid.Nil, uuid.Nil
		m.follow()
		return nil
	}
}

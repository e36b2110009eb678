package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"lens/tui/search"
)

// Partial results: where the texts of many turns decide about a phrase, an exclusion or a role, a search first reads
// those of the best. What it finds is shown at once, and replaced in place by the result of the whole search.

// chaseRest searches again for a partial result that is shown, now in all texts.
func (m *model) chaseRest(known search.Result) tea.Cmd {
	if !known.IsPartial() {
		m.lanes.rest.Forget()
		return nil
	}
	ctx, gen, ok := m.lanes.rest.Ask(m.ui.Ctx, known.Key, m.ui.Now())
	if !ok {
		return nil
	}
	search := m.peekCmd(ctx, gen, known.Key, false, m.searchPause())
	return func() tea.Msg {
		if found, ok := search().(foundMsg); ok {
			return restMsg(found)
		}
		return nil
	}
}

// takeRest replaces a partial result. One that cannot be completed stays.
func (m *model) takeRest(msg restMsg) {
	switch {
	case !m.lanes.rest.Accept(msg.gen):
	case msg.err != nil:
		m.complain("reading the rest", "Couldn't read the rest", msg.err)
	default:
		m.keep(msg.key, foundMsg(msg).find())
	}
}

// isFinal reports whether a result will not be replaced: it is whole, or reading the rest has failed or was canceled.
func (m *model) isFinal(f search.Result) bool {
	return !f.IsPartial() || m.lanes.rest.Key() == f.Key && !m.lanes.rest.IsBusy()
}

// isComplete reports whether the result that is shown is the final one of the current query and view.
func (m *model) isComplete() bool {
	return m.found.Peek != nil && m.found.Key == m.wantedFind() && m.isFinal(m.found)
}

// restNotice says that the rest is read. A line that was not there before waits until that takes long, since it would
// move the panes.
func (m *model) restNotice() string {
	if !m.noticed && m.lanes.rest.Waiting(m.ui.Now()) < max(time.Nanosecond, m.pace.shown) {
		return ""
	}
	return "Reading the rest" + m.ui.Theme.Glyphs.Ellipsis
}

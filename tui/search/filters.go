package search

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/retrieval/query"
	"lens/tui/dialog"
	"lens/tui/ui"
)

// The menus that turn filters on and off.

// OpenFilters lists the filters.
func (b *Bar) OpenFilters() tea.Cmd {
	b.ui.Post(dialog.Open{Dialog: filterMenu{b}.filters()})
	return nil
}

// OnlyConversation searches only one conversation, for uuid.Nil all.
func (b *Bar) OnlyConversation(id uuid.UUID) {
	b.restrict(func(q *query.Query) {
		q.Filter.Conversations = query.Values[uuid.UUID]{}
		if id != uuid.Nil {
			q.Filter.Conversations.In = []uuid.UUID{id}
		}
	})
}

// filterMenu makes the menus of a bar.
type filterMenu struct{ *Bar }

func (f filterMenu) filters() *dialog.Menu {
	state := func(on bool) string {
		if on {
			return "on"
		}
		return "off"
	}
	asked := f.asked.query
	filter := asked.Filter
	sources := strings.Join(sourceField().Strings(filter), ", ")
	words := f.doing(func(q *query.Query) {
		if q.Mode == query.Keyword {
			q.Mode = ""
		} else {
			q.Mode = query.Keyword
		}
	})
	branches := f.doing(func(q *query.Query) { q.Filter.Branches = !q.Filter.Branches })
	none := f.doing(func(q *query.Query) { q.Filter, q.Mode, q.Dates = query.Filter{}, "", "" })
	items := []dialog.Item{
		{Label: "This conversation only", Right: state(len(filter.Conversations.In) > 0), Do: f.toggleConversation},
		{Label: "Search by words only", Right: state(asked.Mode == query.Keyword), Do: words},
		{Label: "Include abandoned branches", Right: state(filter.Branches), Do: branches},
		{Label: "One source only", Right: cmp.Or(sources, "any"), Do: f.openSources, Opens: true},
	}
	filter.Conversations.In, filter.Branches, filter.Sources = nil, false, query.Values[string]{}
	for _, chip := range filter.Strings() {
		items = append(items, dialog.Item{Label: f.chips().label(chip), Right: "on", Do: func() tea.Cmd {
			f.drop(chip)
			return nil
		}})
	}
	items = append(items, dialog.Item{Label: "Clear all filters", Do: none})
	return dialog.NewMenu(f.ui, dialog.MenuOptions{Title: "Filters", None: "No such filter", Items: items})
}

// doing returns what an item does that changes the query.
func (f filterMenu) doing(change func(*query.Query)) func() tea.Cmd {
	return func() tea.Cmd {
		f.restrict(change)
		return nil
	}
}

// toggleConversation searches only the conversation of the match under the cursor, or all again.
func (f filterMenu) toggleConversation() tea.Cmd {
	if len(f.asked.query.Filter.Conversations.In) > 0 {
		f.OnlyConversation(uuid.Nil)
		return nil
	}
	id := f.results.Conversation()
	if id == uuid.Nil {
		f.ui.Post(ui.Notify("No match selected"))
		return nil
	}
	f.OnlyConversation(id)
	return nil
}

// openSources lists the sources to filter by.
func (f filterMenu) openSources() tea.Cmd {
	only := func(sources ...string) func() tea.Cmd {
		return f.doing(func(q *query.Query) { q.Filter.Sources = query.Values[string]{In: sources} })
	}
	items := []dialog.Item{{Label: "Any source", Do: only()}}
	for _, s := range sourceField().Values {
		items = append(items, dialog.Item{ID: s, Label: s, Do: only(s)})
	}
	list := dialog.NewMenu(f.ui, dialog.MenuOptions{Title: "Source", None: "No such source", Items: items})
	if in := f.asked.query.Filter.Sources.In; len(in) > 0 {
		list.Seek(in[0], 0)
	}
	f.ui.Post(dialog.Open{Dialog: list})
	return nil
}

func sourceField() query.Field {
	field, _ := query.FieldOf("source")
	return field
}

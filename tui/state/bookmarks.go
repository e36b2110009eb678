package state

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"lens/tui/dialog"
	"lens/tui/ui"
)

// Bookmarks are named places.
type Bookmarks struct {
	ui      *ui.Context
	all     []Bookmark
	changes int
}

// NewBookmarks returns no bookmarks.
func NewBookmarks(c *ui.Context) *Bookmarks { return &Bookmarks{ui: c} }

// Messages that Bookmarks post.
type (
	// AskBookmark asks for the current place to be bookmarked.
	AskBookmark struct{}
	// Visit asks for a bookmarked place.
	Visit struct{ Place Place }
)

// Set replaces the bookmarks.
func (b *Bookmarks) Set(all []Bookmark) { b.all = all }

// All returns the bookmarks, oldest first.
func (b *Bookmarks) All() []Bookmark { return b.all }

// Changes counts how often they have changed.
func (b *Bookmarks) Changes() int { return b.changes }

// Ask asks for a name and adds a place under it.
func (b *Bookmarks) Ask(suggested string, here Place) {
	add := func(name string) (cmd tea.Cmd, refusal string) {
		if name = ui.Line(name); name == "" {
			return nil, "Enter a name"
		}
		b.all = append(slices.Clip(b.all), Bookmark{name, b.ui.Now().UTC(), here})
		b.changes++
		b.ui.Post(ui.Notify("Bookmarked. " + b.ui.Key("bookmarks") + " lists them"))
		return nil, ""
	}
	b.ui.Post(dialog.Open{Dialog: dialog.NewPrompt(b.ui, dialog.PromptOptions{
		Label: "Bookmark", Hint: "name this place", Text: suggested, Answer: add,
	})})
}

// Open lists the bookmarks, latest first, with the cursor on that one. The item above them adds one, from every pane.
func (b *Bookmarks) Open() tea.Cmd {
	post := func(msg any) func() tea.Cmd { return ui.Do(func() { b.ui.Post(msg) }) }
	items := []dialog.Item{{Label: "Bookmark this place", Do: post(AskBookmark{}), Opens: true, Extra: true}}
	all := b.all
	for i, mark := range slices.Backward(all) {
		items = append(items, dialog.Item{
			ID:    strconv.Itoa(i),
			Label: ui.Line(mark.Name),
			Right: b.ui.DayColumn(mark.Made),
			Do:    post(Visit{mark.Place}),
		})
	}
	menu := dialog.NewMenu(b.ui, dialog.MenuOptions{
		Title: "Bookmarks: enter opens, ctrl+x deletes",
		None:  "No such bookmark",
		Items: items,
		Also: map[string]dialog.Action{"ctrl+x": {Removes: true, Do: func(item dialog.Item) (tea.Cmd, string) {
			i, err := strconv.Atoi(item.ID)
			if err != nil {
				return nil, "No bookmark selected"
			}
			b.drop(all[i])
			return nil, ""
		}}},
	})
	menu.Seek("", min(len(all), 1))
	b.ui.Post(dialog.Open{Dialog: menu})
	return nil
}

// drop deletes a bookmark.
func (b *Bookmarks) drop(mark Bookmark) {
	b.ui.Post(ui.Notify("Deleted: " + ui.Line(mark.Name)))
	if i := slices.Index(b.all, mark); i >= 0 {
		b.all = slices.Delete(slices.Clone(b.all), i, i+1)
	}
	b.changes++
}

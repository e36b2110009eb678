package menu_test

import (
	"fmt"

	"lens/tui/menu"
	"lens/tui/querybar"
)

func Example() {
	m := menu.New("Commands", "No such command", []menu.Item{
		{ID: "zoom", Label: "zoom"},
		{ID: "next-pane", Label: "next pane", Right: "tab"},
	})
	m.Edit(func(b *querybar.Bar) { b.Insert("pane") })
	chosen, _ := m.Chosen()
	fmt.Println(chosen.ID, chosen.Right)
	// Output: next-pane tab
}

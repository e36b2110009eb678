package search

import (
	tea "charm.land/bubbletea/v2"
	"github.com/google/uuid"

	"lens/tui/querybar"
	"lens/tui/ui"
)

// Commands returns the commands that edit the text while the bar has the focus. Other lines of text have their keys,
// too.
func (b *Bar) Commands() []ui.Command {
	editing := func(id, keys, group string, change func(*querybar.Bar)) ui.Command {
		return ui.On(id, keys, group, func() tea.Cmd {
			b.edit(change)
			return nil
		})
	}
	back := func() tea.Cmd {
		b.deleteBack()
		return nil
	}
	earlier := func() tea.Cmd {
		if !b.recall(1) {
			b.ui.Post(ui.Notify("No earlier query"))
		}
		return nil
	}
	return []ui.Command{
		ui.Hinted("earlier-query", "up", "earlier query", earlier),
		editing("clear", "ctrl+u", "clear", (*querybar.Bar).Clear),
		editing("delete-word", "ctrl+w alt+backspace", "delete word", (*querybar.Bar).DeleteWord),
		editing("delete-to-end", "ctrl+k", "delete to end", (*querybar.Bar).ClearRight),
		ui.On("delete-back", "backspace ctrl+h", "", back),
		editing("delete", "delete ctrl+d", "", (*querybar.Bar).Delete),
		editing("left", "left ctrl+b", "", (*querybar.Bar).Left),
		editing("right", "right ctrl+f", "", (*querybar.Bar).Right),
		editing("word-left", "alt+b ctrl+left alt+left", "word left/right", (*querybar.Bar).WordLeft),
		editing("word-right", "alt+f ctrl+right alt+right", "word left/right", (*querybar.Bar).WordRight),
		editing("to-start", "home ctrl+a", "line start/end", (*querybar.Bar).Home),
		editing("to-end", "end ctrl+e", "line start/end", (*querybar.Bar).End),
	}
}

// Later shows the query after the one that was recalled, and reports whether there is one.
func (b *Bar) Later() bool { return b.recall(-1) }

// deleteBack deletes the character before the cursor, and at the beginning of the query the last chip.
func (b *Bar) deleteBack() {
	if b.line.Cursor() == 0 && b.asked.like.Turn == uuid.Nil {
		b.DropLast()
		return
	}
	b.edit((*querybar.Bar).Backspace)
}

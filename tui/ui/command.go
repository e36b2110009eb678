package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Command is something that a person can do, and the keys for it. Help, footer, palette and keys.yaml are all made from
// the commands, so that they cannot disagree.
type Command struct {
	ID    string      // "next-bin", in the palette and keys.yaml; several panes may use one
	Key   key.Binding // keys in the notation of Bubble Tea; commas join the keys of a chord
	Group string      // what it does, for the help; neighbors with the same one share a line; "": not listed
	Apart bool        // it begins a group of neighbors, which the help sets apart
	Hint  bool        // also listed in the footer
	Late  bool        // the footer lists it after what works everywhere
	Wide  bool        // it works whichever pane has the focus, unless that has another meaning for its key
	Do    func() tea.Cmd
	When  func() bool   // whether it is offered; nil: always
	Says  func() string // what the footer says it does now, "" while there is nothing to do; nil: Group
}

// On returns a command; spaces separate its keys.
func On(id, keys, group string, do func() tea.Cmd) Command {
	return Command{ID: id, Key: key.NewBinding(key.WithKeys(strings.Fields(keys)...)), Group: group, Do: do}
}

// Hinted is On for commands that the footer lists, too.
func Hinted(id, keys, group string, do func() tea.Cmd) Command {
	c := On(id, keys, group, do)
	c.Hint = true
	return c
}

// Saying returns the command for a footer that says what it does now.
func (c Command) Saying(says func() string) Command {
	c.Says = says
	return c
}

// While returns the command for a footer that lists it while something holds.
func (c Command) While(holds func() bool) Command {
	return c.Saying(func() string {
		if !holds() {
			return ""
		}
		return c.Group
	})
}

// Last returns the command for a footer that lists it after all others, where there is room.
func (c Command) Last() Command {
	c.Late = true
	return c
}

// Leading returns the command with which a group begins, which the help sets apart.
func (c Command) Leading() Command {
	c.Apart = true
	return c
}

// Anywhere returns the command for every pane: what it acts on is clear without the focus.
func (c Command) Anywhere() Command {
	c.Wide = true
	return c
}

// Do returns an action that needs no command of Bubble Tea.
func Do(action func()) func() tea.Cmd {
	return func() tea.Cmd {
		action()
		return nil
	}
}

// Keys returns the keys of the command, none where it has only a name.
func (c Command) Keys() []string { return c.Key.Keys() }

// IsOffered reports whether the command makes sense now.
func (c Command) IsOffered() bool { return c.When == nil || c.When() }

package app

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"

	"lens/tui/ui"
)

// keymap has the commands of each pane, of which some work in every pane (ui.Command.Wide), and the global ones.
type keymap struct {
	global  []ui.Command
	panes   [paneCount][]ui.Command
	welcome []ui.Command // of an empty archive
}

// offered limits a command to when it is available.
func offered(when func() bool, c ui.Command) ui.Command {
	c.When = when
	return c
}

// keyboard finds the command for a key, also one of several keys.
type keyboard struct {
	keys  keymap
	chord string // the keys pressed so far
	count int    // of the keys pressed, to know a chord that still waits
	lists bool   // the keys that complete the chord
}

// press returns the command for a key in a pane, none if Do is nil. It waits if a chord begins with the key. Of a chord
// that waits, esc only lets go, and ctrl+c does what it always does.
func (k *keyboard) press(focus pane, key string) (c ui.Command, waits bool) {
	before, keys := k.chord, k.chord+key
	k.count, k.lists = k.count+1, false
	if k.chord = ""; k.keys.begins(focus, keys) {
		k.chord = keys + then
		return c, true
	}
	c, ok := k.keys.find(focus, keys)
	switch {
	case ok || before == "":
	case key == "esc":
		c.Do = ui.Do(func() {})
	case key == "ctrl+c":
		c, _ = k.keys.find(focus, key)
	}
	return c, false
}

// editing returns the keys that edit the query, for other lines of text.
func (k keymap) editing() *textinput.KeyMap {
	keys, query := textinput.DefaultKeyMap(), k.panes[paneQuery]
	for id, binding := range map[string]*key.Binding{
		"clear":         &keys.DeleteBeforeCursor,
		"delete-word":   &keys.DeleteWordBackward,
		"delete-to-end": &keys.DeleteAfterCursor,
		"delete-back":   &keys.DeleteCharacterBackward,
		"delete":        &keys.DeleteCharacterForward,
		"left":          &keys.CharacterBackward,
		"right":         &keys.CharacterForward,
		"word-left":     &keys.WordBackward,
		"word-right":    &keys.WordForward,
		"to-start":      &keys.LineStart,
		"to-end":        &keys.LineEnd,
	} {
		binding.SetKeys(query[named(query, id)].Keys()...)
	}
	return &keys
}

// nowhere stands for the global commands.
const nowhere pane = -1

// find returns the command bound to a key or a chord in a pane.
func (k keymap) find(p pane, keys string) (ui.Command, bool) { return bound(k.at(p), keys) }

// bound returns the command of a set that is bound to a key or a chord.
func bound(set []ui.Command, keys string) (ui.Command, bool) {
	for _, c := range set {
		if slices.Contains(c.Keys(), keys) {
			return c, true
		}
	}
	return ui.Command{}, false
}

// where names the panes in which a key or a chord has a meaning, in their order.
func (k keymap) where(keys string) []string {
	var titles []string
	for p := range paneCount {
		if p.isTyped() {
			continue
		}
		if c, ok := bound(k.panes[p], keys); ok && c.Do != nil {
			titles = append(titles, paneTable[p].title)
		}
	}
	return titles
}

// then separates the keys of a chord.
const then = ","

// begins reports whether a chord begins with keys: "]" begins "],c".
func (k keymap) begins(p pane, keys string) bool {
	return slices.ContainsFunc(k.at(p), func(c ui.Command) bool {
		return slices.ContainsFunc(c.Keys(), func(chord string) bool { return strings.HasPrefix(chord, keys+then) })
	})
}

// after returns the commands whose chords begin with keys, each with its last key.
func (k keymap) after(p pane, keys string) []ui.Command {
	var all []ui.Command
	for _, c := range k.at(p) {
		for _, chord := range c.Keys() {
			if last, ok := strings.CutPrefix(chord, keys+then); ok {
				c.Key.SetKeys(last)
				all = append(all, c)
			}
		}
	}
	return all
}

// set returns the commands of a pane, for nowhere the global ones.
func (k keymap) set(p pane) []ui.Command {
	if p == nowhere {
		return k.global
	}
	return k.panes[p]
}

// wide returns the commands of a pane that work in every pane.
func (k keymap) wide(p pane) []ui.Command {
	return slices.DeleteFunc(slices.Clone(k.panes[p]), func(c ui.Command) bool { return !c.Wide })
}

// at returns the commands that work in a pane, its own first.
func (k keymap) at(p pane) []ui.Command {
	if p.isTyped() {
		return k.panes[p]
	}
	all := slices.Clone(k.panes[p])
	for other := range paneCount {
		if other != p {
			all = append(all, k.wide(other)...)
		}
	}
	return append(all, k.global...)
}

// hint is one entry of help and footer: "h/l", "bin".
type hint struct {
	keys  []string // the first of each command
	does  string
	words string // by which the palette finds the commands
	first string // the id of the first command
	apart bool   // it begins a group
}

// label formats the keys for display: "h/l", and "y t/c" for chords that begin alike.
func (h hint) label() string {
	first, _, chord := strings.Cut(h.keys[0], then)
	labels := make([]string, len(h.keys))
	for i, k := range h.keys {
		labels[i] = keyLabel(k)
		if last, ok := strings.CutPrefix(k, first+then); ok && chord && i > 0 {
			labels[i] = last
		}
	}
	if slices.Contains(labels, "/") {
		return strings.Join(labels, " ")
	}
	return strings.Join(labels, "/")
}

// binding returns the hint as the footer draws it.
func (h hint) binding() key.Binding {
	return key.NewBinding(key.WithKeys(h.keys...), key.WithHelp(h.label(), h.does))
}

// hints merges neighboring commands of a group that are offered into one hint, each with its first key.
func hints(of []ui.Command) []hint {
	var out []hint
	for _, c := range of {
		switch last := len(out) - 1; {
		case c.Group == "" || len(c.Keys()) == 0 || !c.IsOffered():
		case last >= 0 && out[last].does == c.Group:
			out[last].keys = append(out[last].keys, c.Keys()[0])
			out[last].words += " " + wordsOf(c.ID)
		default:
			out = append(out, hint{[]string{c.Keys()[0]}, c.Group, wordsOf(c.ID), c.ID, c.Apart})
		}
	}
	return out
}

// footed returns the commands that the footer lists, each with what it says there.
func footed(of []ui.Command) []ui.Command {
	var listed []ui.Command
	for _, c := range of {
		if c.Says != nil {
			c.Group = c.Says()
		}
		if c.Hint {
			listed = append(listed, c)
		}
	}
	return listed
}

// keyLabel formats a key for display: "] c" for "],c".
func keyLabel(keys string) string {
	if first, second, ok := strings.Cut(keys, then); ok && first != "" && second != "" {
		return first + " " + second
	}
	return keys
}

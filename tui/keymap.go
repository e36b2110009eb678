package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// command is something a person can do. Help, footer, palette and the file of other keys are all made from the commands, so that none can
// say what is not so.
type command struct {
	name  string   // "next-bin": how the palette and a file of keys call it; one name may stand in several panes
	keys  []string // as Bubble Tea writes them; the keys of a chord are joined by commas
	group string   // what the help says of it and of its neighbours of the same group; "": nothing
	hint  bool     // the footer shows the group too
	do    func(*model) tea.Cmd
	edit  func(*bar) // of a command that edits a line of text, wherever one is typed
}

// keymap has the commands of each pane, and those that work in all of them.
type keymap struct {
	global, query, histogram, matches, turn, chat, ask []command
}

// on makes a command; keys are written apart.
func on(name, keys, group string, do func(*model) tea.Cmd) command {
	return command{name: name, keys: strings.Fields(keys), group: group, do: do}
}

// hinted is on for what the footer shows too.
func hinted(name, keys, group string, do func(*model) tea.Cmd) command {
	c := on(name, keys, group, do)
	c.hint = true
	return c
}

// editing makes a command that edits the query, and whatever else is typed.
func editing(name, keys, group string, change func(*bar)) command {
	c := on(name, keys, group, edit(change))
	c.edit = change
	return c
}

// editOf returns how a key edits a line of text, nil when it does not.
func editOf(of []command, key string) func(*bar) {
	for _, c := range of {
		if slices.Contains(c.keys, key) {
			return c.edit
		}
	}
	return nil
}

// isTyped reports whether letters are text in a pane: then the global commands do not work there.
func (p pane) isTyped() bool { return p == paneQuery || p == paneAsk }

// of returns the commands that a pane has besides the global ones.
func (k keymap) of(p pane) []command {
	switch p {
	case paneQuery:
		return k.query
	case paneHistogram:
		return k.histogram
	case paneMatches:
		return k.matches
	case paneChat:
		return k.chat
	case paneAsk:
		return k.ask
	}
	return k.turn
}

// find returns the command that a key stands for in a pane, or keys of a chord pressed one after another. What is typed into the query is text, whatever else it may mean.
func (k keymap) find(p pane, keys string) (command, bool) {
	for _, c := range k.at(p) {
		if slices.Contains(c.keys, keys) {
			return c, true
		}
	}
	return command{}, false
}

// then stands between the keys of a chord.
const then = ","

// begins reports whether a chord begins with keys: "]" begins "],c".
func (k keymap) begins(p pane, keys string) bool {
	return slices.ContainsFunc(k.at(p), func(c command) bool {
		return slices.ContainsFunc(c.keys, func(chord string) bool { return strings.HasPrefix(chord, keys+then) })
	})
}

// at returns the commands that work in a pane, its own first.
func (k keymap) at(p pane) []command {
	if p.isTyped() {
		return k.of(p)
	}
	return slices.Concat(k.of(p), k.global)
}

// hint is what help and footer say of the neighbours in a group: "h l", "bin".
type hint struct {
	keys, does string
	footer     bool
}

// hints explains commands, a group once. Each command is named by the first of its keys.
func hints(of []command) []hint {
	var out []hint
	for _, c := range of {
		switch last := len(out) - 1; {
		case c.group == "" || len(c.keys) == 0:
		case last >= 0 && out[last].does == c.group:
			out[last].keys += " " + spoken(c.keys[0])
			out[last].footer = out[last].footer || c.hint
		default:
			out = append(out, hint{spoken(c.keys[0]), c.group, c.hint})
		}
	}
	return out
}

// spoken is a key as a person is told it: "]c" for "],c".
func spoken(keys string) string {
	if first, second, ok := strings.Cut(keys, then); ok && first != "" && second != "" {
		return first + second
	}
	return keys
}

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
	when  func(*model) bool // whether it is offered; nil: always
	edit  func(*bar)        // of a command that edits a line of text, wherever one is typed
}

// keymap has the commands of each pane, and those that work in all of them.
type keymap struct {
	global, query, histogram, matches, turn, info, chat, ask []command
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

// offered makes a command that is there only where it can do something.
func offered(when func(*model) bool, c command) command {
	c.when = when
	return c
}

// isWithheld reports whether a command is not offered.
func (m *model) isWithheld(c command) bool { return c.when != nil && !c.when(m) }

// chordNotice tells how a chord that was begun can go on.
func (m *model) chordNotice(keys string) string {
	words := []string{spoken(keys) + m.theme.Glyphs.Ellipsis}
	for _, c := range m.keys.after(m.focus, keys) {
		words = append(words, c.keys[0]+" "+strings.ReplaceAll(c.name, "-", " "))
	}
	return strings.Join(words, "  ")
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

// nowhere is no pane; panesWithKeys are those in which letters are commands.
const nowhere pane = -1

var panesWithKeys = []pane{paneHistogram, paneMatches, paneTurn, paneInfo, paneChat}

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
	case paneInfo:
		return k.info
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

// after returns the commands whose chords begin with keys, each with the key that ends it.
func (k keymap) after(p pane, keys string) []command {
	var all []command
	for _, c := range k.at(p) {
		for _, chord := range c.keys {
			if last, ok := strings.CutPrefix(chord, keys+then); ok {
				c.keys = []string{last}
				all = append(all, c)
			}
		}
	}
	return all
}

// shadowed reports whether a pane means something else by the first key of a global command.
func (k keymap) shadowed(p pane, c command) bool {
	if len(c.keys) == 0 || named(k.of(p), c.name) >= 0 {
		return false
	}
	return slices.ContainsFunc(k.of(p), func(own command) bool {
		return slices.ContainsFunc(own.keys, func(key string) bool { return key == c.keys[0] || strings.HasPrefix(key, c.keys[0]+then) })
	})
}

// told returns what a pane's commands are for the help: its own, and those global ones that another pane has other keys for. For no pane
// it is the global ones that work everywhere.
func (k keymap) told(p pane) []command {
	shadowed := func(c command) bool {
		return slices.ContainsFunc(panesWithKeys, func(p pane) bool { return k.shadowed(p, c) })
	}
	if p == nowhere {
		return slices.DeleteFunc(slices.Clone(k.global), shadowed)
	}
	all := slices.Clone(k.of(p))
	for _, c := range k.global {
		if !p.isTyped() && shadowed(c) && !k.shadowed(p, c) && named(all, c.name) < 0 {
			all = append(all, c)
		}
	}
	return all
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

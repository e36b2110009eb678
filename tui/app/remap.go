package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lens/tui/ui"
)

// sets returns the sets of commands by their names in keys.yaml.
func (k *keymap) sets() map[string]*[]ui.Command {
	sets := map[string]*[]ui.Command{"everywhere": &k.global, "welcome": &k.welcome}
	for p := range paneCount {
		sets[paneTable[p].name] = &k.panes[p]
	}
	return sets
}

// Binding is a command with its default keys.
type Binding struct{ Name, Keys, Does string }

// Bindings lists the commands of all panes, by their names in keys.yaml.
func Bindings(ctx context.Context) []Binding {
	k := newModel(ctx, Options{}).keys
	var all []Binding
	sets := k.sets()
	for _, set := range slices.Sorted(maps.Keys(sets)) {
		for _, c := range *sets[set] {
			name := c.ID
			if set != "everywhere" {
				name = set + "." + name
			}
			all = append(all, Binding{name, strings.Join(c.Keys(), " "), nameOfCommand(c)})
		}
	}
	return all
}

// remap assigns other keys to commands: "next-theme" in every pane that has it, "histogram.zoom-in" in one pane. A key
// is taken from the command that had it in the same pane. The notice says, in a sentence, which commands have another
// name now, or are gone. After an error the keymap must not be used.
func (k *keymap) remap(other map[string][]string) (notice string, err error) {
	var said []string
	for _, name := range slices.Sorted(maps.Keys(other)) {
		is := name
		if !k.has(is) {
			is = k.renamed(name)
		}
		switch {
		case is == "":
			said = append(said, name+" is not a command")
			continue
		case is != name:
			said = append(said, name+" is now "+is)
		}
		k.give(is, other[name])
	}
	if len(said) > 0 {
		notice = "keys.yaml: " + strings.Join(said, ", ")
	}
	return notice, errors.Join(k.check()...)
}

// split divides the name of a command: "" for the pane where it names all of them.
func split(name string) (pane, id string) {
	pane, id, scoped := strings.Cut(name, ".")
	if !scoped {
		return "", name
	}
	return pane, id
}

// has reports whether there is a command of a name.
func (k *keymap) has(name string) bool {
	pane, id := split(name)
	for set, commands := range k.sets() {
		if (pane == "" || pane == set) && named(*commands, id) >= 0 {
			return true
		}
	}
	return false
}

// renames has the names of commands that were renamed, with their panes.
var renames = map[string]string{
	"histogram.first-bin":   "histogram.first",
	"histogram.last-bin":    "histogram.last",
	"histogram.drop-brush":  "histogram.leave",
	"histogram.zoom":        "histogram.look-into",
	"histogram.to-matches":  "histogram.down",
	"histogram.keep-scope":  "keep-all",
	"histogram.pin":         "pin",
	"matches.first-match":   "matches.first",
	"matches.last-match":    "matches.last",
	"matches.read":          "matches.look-into",
	"matches.to-histogram":  "matches.leave",
	"turn.scroll-down":      "turn.down",
	"turn.scroll-up":        "turn.up",
	"turn.beginning":        "turn.first",
	"turn.end":              "turn.last",
	"turn.to-matches":       "turn.leave",
	"titles":                "conversations",
	"turn.next-answer":      "turn.next-version",
	"turn.copy":             "copy",
	"turn.copy-code":        "copy-code",
	"info.scroll-down":      "info.down",
	"info.scroll-up":        "info.up",
	"info.beginning":        "info.first",
	"info.end":              "info.last",
	"info.to-matches":       "info.leave",
	"info.turn":             "info.look-into",
	"chat.chat":             "chat.look-into",
	"chat.stop":             "chat.leave",
	"chat.scroll-down":      "chat.down",
	"chat.scroll-up":        "chat.up",
	"chat.beginning":        "chat.first",
	"chat.end":              "chat.last",
	"chat.pin-answer":       "chat.pin",
	"home.previous-quarter": "home.previous-bin",
	"home.next-quarter":     "home.next-bin",
	"home.import":           "welcome.import",
	"home.found":            "welcome.found",
}

// renamed returns what a name is now, "" for nothing. A name without a pane becomes that of the first pane which had
// it, or without one where all panes agree.
func (k *keymap) renamed(name string) string {
	if is, ok := renames[name]; ok {
		return is
	}
	pane, id := split(name)
	if pane != "" {
		return ""
	}
	is := ""
	for _, was := range slices.Sorted(maps.Keys(renames)) {
		if _, old := split(was); old != id {
			continue
		}
		_, now := split(renames[was])
		switch {
		case is == "":
			is = renames[was]
		case is != renames[was]:
			is = now
		}
	}
	return is
}

// give assigns keys to the commands of a name, and takes them from others in the same pane. What works in every pane
// takes them from all that does.
func (k *keymap) give(name string, keys []string) {
	pane, id := split(name)
	everywhere := false
	for set, commands := range k.sets() {
		at := named(*commands, id)
		if pane != "" && set != pane || at < 0 {
			continue
		}
		everywhere = everywhere || set == "everywhere" || (*commands)[at].Wide
		take(*commands, keys, false)
	}
	if everywhere {
		take(k.global, keys, false)
		for p := range paneCount {
			take(k.panes[p], keys, true)
		}
	}
	for set, commands := range k.sets() {
		if at := named(*commands, id); at >= 0 && (pane == "" || set == pane) {
			(*commands)[at].Key.SetKeys(slices.Clone(keys)...)
		}
	}
}

// take takes keys from commands, or only from the wide ones, and chords that begin with one.
func take(from []ui.Command, keys []string, wide bool) {
	for i := range from {
		c := &from[i]
		if wide && !c.Wide {
			continue
		}
		c.Key.SetKeys(slices.DeleteFunc(slices.Clone(c.Keys()), func(had string) bool {
			return slices.ContainsFunc(keys, func(key string) bool { return had == key || strings.HasPrefix(had, key+then) })
		})...)
	}
}

// key returns the first key of a command for texts, by its name for remap; without a pane, it is one that works
// everywhere. A command without a key is named behind the key of the palette, which has it.
func (k *keymap) key(name string) string {
	pane, id := split(name)
	if pane == "" {
		pane = "everywhere"
	}
	set := k.sets()[pane]
	if set == nil {
		return name
	}
	at := named(*set, id)
	if at < 0 {
		return name
	}
	if keys := (*set)[at].Keys(); len(keys) > 0 {
		return keyLabel(keys[0])
	}
	words := strings.ReplaceAll(id, "-", " ")
	if name == "commands" {
		return words
	}
	return k.key("commands") + " " + words
}

// check refuses a keymap without keys for quitting or for the help.
func (k *keymap) check() []error {
	var wrong []error
	for _, name := range []string{"quit", "interrupt", "help"} {
		if at := named(k.global, name); len(k.global[at].Keys()) == 0 {
			wrong = append(wrong, fmt.Errorf("command %q must keep a key", name))
		}
	}
	return wrong
}

// named returns the index of the command with a name, -1 for none.
func named(of []ui.Command, name string) int {
	return slices.IndexFunc(of, func(c ui.Command) bool { return c.ID == name })
}

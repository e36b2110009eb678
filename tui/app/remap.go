package app

import (
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

// remap assigns other keys to commands: "next-theme" in every pane that has it, "histogram.zoom" in one pane. A key
// is taken from the command that had it in the same pane. The error covers all invalid entries; the keymap must not
// be used then.
func (k *keymap) remap(other map[string][]string) error {
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(other)) {
		if err := k.give(name, other[name]); err != nil {
			wrong = append(wrong, err)
		}
	}
	return errors.Join(append(wrong, k.check()...)...)
}

// give assigns keys to the commands of a name.
func (k *keymap) give(name string, keys []string) error {
	pane, command, scoped := strings.Cut(name, ".")
	if !scoped {
		pane, command = "", name
	}
	found := false
	for set, commands := range k.sets() {
		if scoped && set != pane {
			continue
		}
		at := named(*commands, command)
		if at < 0 {
			continue
		}
		found = true
		for i := range *commands {
			c := &(*commands)[i]
			left := slices.DeleteFunc(slices.Clone(c.Keys()), func(key string) bool { return slices.Contains(keys, key) })
			c.Key.SetKeys(left...)
		}
		(*commands)[at].Key.SetKeys(slices.Clone(keys)...)
	}
	if !found {
		return fmt.Errorf("no such command: %q (press : in the explorer for the list)", name)
	}
	return nil
}

// key returns the first key of a command for texts, by its name for remap; without a pane, it is one that works
// everywhere. A command without a key is named behind the key of the palette, which has it.
func (k *keymap) key(name string) string {
	pane, id, scoped := strings.Cut(name, ".")
	if !scoped {
		pane, id = "everywhere", name
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

package uitest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

var codes = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace,
	"backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
}

var mods = map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}

// Key returns the press of a key in the notation of Bubble Tea: "a", "G", "+", "enter", "ctrl+x", "shift+left". It
// panics if there is no such key.
func Key(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	rest := name
	for {
		before, after, ok := strings.Cut(rest, "+")
		mod, known := mods[before]
		if !ok || !known {
			break
		}
		k.Mod |= mod
		rest = after
	}
	k.Code = codes[rest]
	if r, size := utf8.DecodeRuneInString(rest); k.Code == 0 && size > 0 && size == len(rest) {
		k.Code = r
	}
	switch {
	case k.Code == 0:
		panic(fmt.Sprintf("there is no key %q", name))
	case k.Mod == 0 && (codes[rest] == 0 || rest == "space"):
		k.Text = string(k.Code)
	}
	return k
}

// Keys returns the presses of keys separated by spaces: "/ c a n c e l enter".
func Keys(names string) (pressed []tea.KeyPressMsg) {
	for name := range strings.FieldsSeq(names) {
		pressed = append(pressed, Key(name))
	}
	return pressed
}

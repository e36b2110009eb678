package dialog

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/textinput"
	"pgregory.net/rapid"

	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

func TestInput_DeletesTheWordAfterTheCursor(t *testing.T) {
	for text, want := range map[string]string{
		"|a": "|", "|one two": "| two", "|  one two": "| two", "one| two": "one|", "|   ": "|", "a|b ": "a| ", "ab|": "ab|",
		"|": "|", "東|京 x": "東| x",
	} {
		before, after, _ := strings.Cut(text, "|")
		i := newInput(uitest.Context(theme.Dark), before+after)
		i.text.SetCursor(len([]rune(before)))
		i.edit(uitest.Key("alt+d"))
		runes := []rune(i.value())
		if got := string(runes[:i.text.Position()]) + "|" + string(runes[i.text.Position():]); got != want {
			t.Errorf("alt+d makes %q of %q, not %q", got, text, want)
		}
	}
}

// No key of the editor panics, wherever the cursor is, and the line is drawn in its width.
func TestInput_AnyKeys(t *testing.T) {
	all := []string{"a", "space", "é", "世", "left", "right", "home", "end", "esc", "enter", "tab"}
	keys := textinput.DefaultKeyMap()
	for _, bound := range [][]string{
		keys.CharacterForward.Keys(), keys.CharacterBackward.Keys(), keys.WordForward.Keys(), keys.WordBackward.Keys(),
		keys.DeleteWordBackward.Keys(), keys.DeleteWordForward.Keys(), keys.DeleteAfterCursor.Keys(),
		keys.DeleteBeforeCursor.Keys(), keys.DeleteCharacterBackward.Keys(), keys.DeleteCharacterForward.Keys(),
		keys.LineStart.Keys(), keys.LineEnd.Keys(), keys.Paste.Keys(),
	} {
		all = append(all, bound...)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := uitest.Context(theme.Dark)
		i := newInput(c, rapid.StringN(0, 12, 40).Draw(t, "text"))
		width := rapid.IntRange(1, 40).Draw(t, "width")
		for range rapid.IntRange(1, 30).Draw(t, "presses") {
			i.edit(uitest.Key(rapid.SampledFrom(all).Draw(t, "key")))
			if at := i.text.Position(); at < 0 || at > len([]rune(i.value())) {
				t.Fatalf("the cursor is at %d of %q", at, i.value())
			}
			if line := i.view(width, "", c.Theme); theme.Width(line) != width {
				t.Fatalf("%d cells on %d: %q", theme.Width(line), width, line)
			}
		}
	})
}

package turn_test

import (
	"strings"
	"testing"

	"lens/tui/theme"
	"lens/tui/turn"
)

func TestMarkdown_ListsAndCode(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"paragraphs of an item stand apart, under its text": {
			"1. **Bold lead:**\n\n   Second paragraph, which is wrapped.\n\n   Third.\n2. next\n",
			"1. Bold lead:\n\n   Second paragraph, which is\n   wrapped.\n\n   Third.\n2. next",
		},
		"also behind a list, in the item that they belong to": {
			"- b\n  - deep\n\n    deep two\n\n  after deep\n",
			"• b\n  • deep\n\n    deep two\n\n  after deep",
		},
		"and behind code":    {"- a\n\n  ```\n  x\n  ```\n\n  after\n", "• a\n\n  x\n\n  after"},
		"and in a task":      {"- [ ] task\n\n  more\n", "[ ] task\n\n    more"},
		"and inside a quote": {"> - a\n>\n>   b\n", "│\n│ • a\n│\n│ b"},
		"long lines of code go on with a mark": {
			"```\none two three four five six seven eight\n```\n",
			"  one two three four five six\n  ↳ seven eight",
		},
		"also in an item": {
			"- a\n  ```\n  onetwothreefourfivesixseveneightnine\n  ```\n",
			"• a\n\n  onetwothreefourfivesixseven\n  ↳ eightnine",
		},
		"and in a quote": {
			"> ```\n> one two three four five six seven\n> ```\n",
			"│\n│   one two three four five six\n│   ↳ seven",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := plain(turn.Render(example(c.answer), turn.Options{Width: 34}, mono))
			if _, got, _ = strings.Cut(got, "gpt-4o\n"); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestMarkdown_ContinuationMarkIsASCII(t *testing.T) {
	th := theme.New(theme.ASCII, 0)
	if got := plain(turn.Render(example("```\none two three four five six seven\n```\n"), turn.Options{Width: 24}, th)); !strings.Contains(got, "\n  ~ ") {
		t.Errorf("got\n%s", got)
	}
}

package turn_test

import (
	"strings"
	"testing"

	"lens/tui/theme"
	"lens/tui/turn"
)

func TestMarkdown_ListsAndCode(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"paragraphs of an item": {
			"1. **Bold lead:**\n\n   Second paragraph, which is wrapped.\n\n   Third.\n2. next\n",
			"1. Bold lead:\n\n   Second paragraph, which is\n   wrapped.\n\n   Third.\n2. next",
		},
		"paragraphs after a nested list": {
			"- b\n  - deep\n\n    deep two\n\n  after deep\n",
			"• b\n  • deep\n\n    deep two\n\n  after deep",
		},
		"paragraphs after code": {"- a\n\n  ```\n  x\n  ```\n\n  after\n", "• a\n\n  │ x\n\n  after"},
		"paragraphs of a task":  {"- [ ] task\n\n  more\n", "[ ] task\n\n    more"},
		"paragraphs in a quote": {"> - a\n>\n>   b\n", "│ • a\n│\n│   b"},
		"long lines of code": {
			"```\none two three four five six seven eight\n```\n",
			"│ one two three four five six\n│ ↳ seven eight",
		},
		"long lines of code in an item": {
			"- a\n  ```\n  onetwothreefourfivesixseveneightnine\n  ```\n",
			"• a\n\n  │ onetwothreefourfivesixseveneig\n  │ ↳ htnine",
		},
		"long lines of code in a quote": {
			"> ```\n> one two three four five six seven\n> ```\n",
			"│ │ one two three four five six\n│ │ ↳ seven",
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
	if got := plain(turn.Render(example("```\none two three four five six seven\n```\n"), turn.Options{Width: 24}, th)); !strings.Contains(got, "\n| \\ ") {
		t.Errorf("got\n%s", got)
	}
}

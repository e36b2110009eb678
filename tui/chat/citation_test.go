package chat

import (
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/agent"
	"lens/tui/theme"
	"lens/tui/ui"
	"lens/tui/ui/uitest"
)

func TestCiting_ByNumber(t *testing.T) {
	turns, answer := []uuid.UUID{uuid.New(), uuid.New()}, uuid.New()
	in := new(Transcript)
	e := in.Add("?", noon)
	for i, n := range []int{2, 12} {
		c := citation(n)
		c.TurnID = turns[i].String()
		if i == 1 {
			c.AnswerID = answer.String()
		}
		e.Hear(agent.Cited{Citation: c}, noon)
	}
	opened := func(i int) any {
		return ui.OpenTurn{ID: turns[i], Answer: []uuid.UUID{{}, answer}[i], Focus: true}
	}
	for n, want := range map[int]any{2: opened(0), 12: opened(1), 7: ui.Notify("No source [7]")} {
		c := citing{ui: uitest.Context(theme.Mono), in: in}
		c.open(n)
		if posted := c.ui.Posted(); !slices.Equal(posted, []any{want}) {
			t.Errorf("%d posts %v, want %v", n, posted, want)
		}
	}
}

func TestCiting_Steps(t *testing.T) {
	in := new(Transcript)
	for _, numbers := range [][]int{{1}, {2, 12, 13}, {}} {
		e := in.Add("?", noon)
		for _, n := range numbers {
			e.Hear(agent.Cited{Citation: citation(n)}, noon)
		}
	}
	for steps, want := range map[string]int{"+": 2, "++": 12, "++++": 2, "-": 13, "+-": 13, "++-": 2} {
		c := citing{ui: uitest.Context(theme.Mono), in: in}
		for _, step := range steps {
			c.step(map[rune]int{'+': 1, '-': -1}[step])
		}
		if c.chosen != want {
			t.Errorf("%s chooses %d, not %d", steps, c.chosen, want)
		}
		posted := len(c.ui.Posted())
		if !c.openChosen() || c.openChosen() || posted != len(steps) {
			t.Errorf("%s: the chosen one is not opened once, or not named in %d notices", steps, posted)
		}
	}
	none := citing{ui: uitest.Context(theme.Mono), in: new(Transcript)}
	if none.step(1); none.openChosen() || len(none.ui.Posted()) != 1 {
		t.Error("there is a citation to open, or nothing says that there is none")
	}
}

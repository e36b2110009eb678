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
	for keys, want := range map[string]any{
		"2 enter":           opened(0),
		"1 2 enter":         opened(1),
		"[ 2 ]":             opened(0),
		"7 enter":           ui.Notify("No citation [7]"),
		"1 j 2 enter":       opened(0),
		"0 enter":           ui.Notify("Citation 0… enter opens it"),
		"1 2 3 4 5 2 enter": opened(0), // the fifth digit begins another number
	} {
		c := citing{ui: uitest.Context(theme.Mono), in: in}
		for _, pressed := range uitest.Keys(keys) {
			c.press(pressed.String())
		}
		posted := c.ui.Posted()
		if got := posted[len(posted)-1]; got != want {
			t.Errorf("%s posts %v, want %v", keys, got, want)
		}
	}
}

func TestCiting_EscForgetsTheDigits(t *testing.T) {
	c := citing{ui: uitest.Context(theme.Mono), in: new(Transcript)}
	if c.press("enter") || c.press("x") || !c.press("4") || c.press("esc") {
		t.Error("other keys than those of a number are taken")
	}
	if !c.forget() || c.forget() || c.press("enter") {
		t.Error("the digits are still there")
	}
	if posted := c.ui.Posted(); !slices.Equal(posted, []any{ui.Notify("Citation 4… enter opens it")}) {
		t.Errorf("posted is %v", posted)
	}
}

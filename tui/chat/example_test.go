package chat_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"lens/agent"
	"lens/tui/chat"
	"lens/tui/theme"
)

func Example() {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var p chat.Transcript
	e := p.Add("Which knife did I buy?", now)
	e.Hear(agent.Text{Text: "None of the turns says so."}, now)
	e.Hear(agent.Done{Answer: "None of the turns says so.", Model: "gpt-4o"}, now)
	th := theme.New(theme.Mono, 0)
	if todo, ok := p.Undrawn(40, th); ok {
		todo.Draw(func(text string, _ int, _ theme.Theme) []string { return strings.Split(text, "\n") }).Put()
	}
	p.Lay(40, 4, now, th)
	for _, line := range p.View(40, 4, th) {
		fmt.Println(strings.TrimRight(ansi.Strip(line), " "))
	}
	// Output:
	// Which knife did I buy?
	// ✓ gpt-4o
	//
	// None of the turns says so.
}

package agent_test

import (
	"fmt"

	"lens/agent"
)

func ExampleFilterAnswer() {
	turns := []*agent.Turn{{ID: "0f3a", User: "Which hydration?", Assistant: "Start with a hydration of 70 % and go up slowly."}}
	answer, verdict := agent.FilterAnswer("You began at “a hydration of 70 %” [1][2].", turns)
	fmt.Println(answer)
	fmt.Println("cited", verdict.Cited, "removed", verdict.Removed)
	for _, q := range verdict.Quotes {
		fmt.Printf("%q stands in turn %d: %t\n", q.Text, q.N, q.Verbatim)
	}
	// Output:
	// You began at “a hydration of 70 %” [1].
	// cited [1] removed [[2]]
	// "a hydration of 70 %" stands in turn 1: true
}

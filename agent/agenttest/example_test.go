package agenttest_test

import (
	"fmt"
	"strings"

	"lens/agent/agenttest"
)

func ExampleRead() {
	script, err := agenttest.Read(strings.NewReader(`
model: a-model
replies:
  - calls:
      - name: peek
        arguments: {query: sourdough}
  - text: It was in May [1].
    chunks: 7
`))
	if err != nil {
		panic(err)
	}
	for _, reply := range script.Replies {
		fmt.Printf("%d calls, text %q\n", len(reply.Calls), reply.Text)
	}
	// Output:
	// 1 calls, text ""
	// 0 calls, text "It was in May [1]."
}

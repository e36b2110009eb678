package codex_test

import (
	"fmt"
	"os"

	"lens/store/ingest/source"
	"lens/store/ingest/source/codex"
)

func ExampleFormat() {
	const name = "testdata/rollout-2026-04-01T08-00-00-0199b2c0-0000-7000-8000-00000000bbbb.jsonl"
	file, err := os.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range codex.Format.Read(&source.File{Reader: file, Name: name}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, t := range c.Turns {
			fmt.Printf("%q -> %q, on the path: %t\n", t.UserText, t.AssistantText, t.OnPath)
		}
	}
	// Output:
	// "Which glue for the hull?" -> "I read the plan first.\n\nEpoxy.", on the path: true
	// "And the mast?" -> "Spruce.", on the path: true
	// "And the msat?" -> "", on the path: false
}

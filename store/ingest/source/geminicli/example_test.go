package geminicli_test

import (
	"fmt"
	"os"

	"lens/store/ingest/source"
	"lens/store/ingest/source/geminicli"
)

func ExampleLog() {
	const name = "testdata/session-2026-04-01T08-00-5b1e0000.jsonl"
	file, err := os.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range geminicli.Log.Read(&source.File{Reader: file, Name: name}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d messages, %d turns\n", c.Title, len(c.Messages), len(c.Turns))
	}
	// Output:
	// Sails: 5 messages, 3 turns
}

package vscode_test

import (
	"fmt"
	"os"

	"lens/store/ingest/source"
	"lens/store/ingest/source/vscode"
)

func ExampleLog() {
	const name = "testdata/1f0e.jsonl"
	file, err := os.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range vscode.Log.Read(&source.File{Reader: file, Name: name}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d messages, %d turns\n", c.Title, len(c.Messages), len(c.Turns))
	}
	// Output:
	// Knots: 3 messages, 2 turns
}

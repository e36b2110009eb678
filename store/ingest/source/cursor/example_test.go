package cursor_test

import (
	"fmt"
	"os"

	"lens/store/ingest/source"
	"lens/store/ingest/source/cursor"
)

func ExampleTranscript() {
	const name = "testdata/c0ffee01.jsonl"
	file, err := os.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range cursor.Transcript.Read(&source.File{Reader: file, Name: name}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d messages, %d turns\n", c.Title, len(c.Messages), len(c.Turns))
	}
	// Output:
	// Is the dial level?: 6 messages, 3 turns
}

package pi_test

import (
	"fmt"
	"os"

	"lens/store/ingest/source"
	"lens/store/ingest/source/pi"
)

func ExampleFormat() {
	const name = "testdata/2026-04-01_5b1e.jsonl"
	file, err := os.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range pi.Format.Read(&source.File{Reader: file, Name: name}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d messages, %d turns\n", c.Title, len(c.Messages), len(c.Turns))
	}
	// Output:
	// Ropes: 7 messages, 3 turns
}

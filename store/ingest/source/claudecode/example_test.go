package claudecode_test

import (
	"fmt"
	"os"

	"lens/store/ingest/source"
	"lens/store/ingest/source/claudecode"
)

func ExampleFormat() {
	const name = "testdata/9d1c3b1e-0000-4000-8000-00000000aaaa.jsonl"
	file, err := os.Open(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	for c, err := range claudecode.Format.Read(&source.File{Reader: file, Name: name}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d messages\n", c.Title, len(c.Messages))
		for _, t := range c.Turns {
			fmt.Printf("%t %q\n", t.OnPath, t.UserText)
		}
	}
	// Output:
	// Bows: 8 messages
	// true "Which wood for a bow?"
	// true "And the string?"
	// false "And the strnig?"
}

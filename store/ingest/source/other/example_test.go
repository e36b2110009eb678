package other_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source"
	"lens/store/ingest/source/other"
)

func Example() {
	file := &source.File{Name: "stars.json", Reader: strings.NewReader(`{"title":"Stars","messages":[
		{"role":"user","content":"Brightest star?"},
		{"role":"assistant","content":"Sirius."}]}`)}
	for c, err := range other.Generic.Read(file) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Stars: Brightest star? Sirius.
}

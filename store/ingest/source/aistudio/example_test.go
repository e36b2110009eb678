package aistudio_test

import (
	"fmt"
	"strings"

	"lens/store/ingest/source"
	"lens/store/ingest/source/aistudio"
)

func Example() {
	file := &source.File{Name: "Soap making", Reader: strings.NewReader(`{"chunkedPrompt":{"chunks":[
		{"role":"user","text":"Lye for soap?"},
		{"role":"model","isThought":true,"text":"Hm."},
		{"role":"model","text":"13.4 g for 100 g of oil."}]}}`)}
	for c, err := range aistudio.Format.Read(file) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %s %s\n", c.Title, c.Turns[0].UserText, c.Turns[0].AssistantText)
	}
	// Output: Soap making: Lye for soap? 13.4 g for 100 g of oil.
}

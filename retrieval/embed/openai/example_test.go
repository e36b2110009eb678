package openai_test

import (
	"context"
	"fmt"
	"testing"

	"lens/retrieval/embed/embedtest"
	"lens/retrieval/embed/openai"
)

// exampleTB lets an Example start a server that normally ends with its test.
type exampleTB struct {
	testing.TB
	end func()
}

func (tb *exampleTB) Cleanup(end func()) { tb.end = end }

func ExampleEmbedder_Embed() {
	tb := &exampleTB{}
	server := embedtest.New(tb, embedtest.Options{Dim: 8})
	defer func() { tb.end() }()

	e := openai.New(server.Client(), openai.Options{BaseURL: server.URL, Model: "nomic-embed-text", Provider: "ollama"})
	got, err := e.Embed(context.Background(), []string{"a first text", "a second one", ""})
	fmt.Println(len(got), len(got[0].Values), err)
	fmt.Println(got[2].Err)
	// Output:
	// 3 8 <nil>
	// openai: embed: the text is empty
}

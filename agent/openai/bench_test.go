package openai

import (
	"io"
	"net/http"
	"strings"
	"testing"

	api "github.com/sashabaranov/go-openai"

	"lens/agent/agenttest"
)

// BenchmarkStream reads an answer of a thousand deltas from memory, and the same with the library's reader, which knows
// neither errors inside a stream nor documents.
func BenchmarkStream(b *testing.B) {
	client := &http.Client{Transport: fixedBody(agenttest.Reply{Text: strings.Repeat("word ", 1000), Deltas: 5}.SSE())}
	b.Run("lens", func(b *testing.B) {
		m := New(client, Options{})
		for b.Loop() {
			if h := receive(b.Context(), m, ask()); h.err != nil || len(h.text) != 5000 {
				b.Fatal(h.err)
			}
		}
	})
	b.Run("go-openai", func(b *testing.B) {
		config := api.DefaultConfig("")
		config.HTTPClient = client
		library := api.NewClientWithConfig(config)
		for b.Loop() {
			stream, err := library.CreateChatCompletionStream(b.Context(), api.ChatCompletionRequest{Model: "gpt-4o"})
			if err != nil {
				b.Fatal(err)
			}
			text := ""
			for err == nil {
				var chunk api.ChatCompletionStreamResponse
				if chunk, err = stream.Recv(); err == nil && len(chunk.Choices) > 0 {
					text += chunk.Choices[0].Delta.Content
				}
			}
			if err != io.EOF || len(text) != 5000 {
				b.Fatal(err)
			}
			_ = stream.Close()
		}
	})
}

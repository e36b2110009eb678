package openai

import (
	"net/http"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

func TestTokensAreCountedWithTheModelsVocabulary(t *testing.T) {
	for model, want := range map[string]tokenizer.Encoding{
		"gpt-4o": tokenizer.O200kBase, "gpt-4.1-mini": tokenizer.O200kBase, "gpt-5": tokenizer.O200kBase, "openai/gpt-4o-mini": tokenizer.O200kBase,
		"gpt-4": tokenizer.Cl100kBase, "gpt-4-turbo": tokenizer.Cl100kBase, "gpt-3.5-turbo": tokenizer.Cl100kBase, "llama3.2": tokenizer.O200kBase,
	} {
		if got := encodingOf(model); got != want {
			t.Errorf("%s: %s", model, got)
		}
	}
	m := New(http.DefaultClient, Options{Model: "gpt-4o"})
	if n := m.Tokens("Feed the starter twice a day."); n != 7 {
		t.Errorf("%d tokens", n) // OpenAI's tokenizer page says 7
	}
}

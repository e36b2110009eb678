package openai

import (
	"net/http"
	"testing"

	"lens/internal/bpe"
)

func TestTokens(t *testing.T) {
	newer, older := bpe.O200k(), bpe.Cl100k()
	for model, want := range map[string]*bpe.Vocabulary{
		"gpt-4o": newer, "gpt-4.1-mini": newer, "gpt-5": newer, "openai/gpt-4o-mini": newer, "llama3.2": newer,
		"gpt-4": older, "gpt-4-turbo": older, "gpt-3.5-turbo": older,
	} {
		if vocabularyOf(model)() != want {
			t.Errorf("%s has the wrong vocabulary", model)
		}
	}
	m := New(http.DefaultClient, Options{Model: "gpt-4o"})
	if n := m.Tokens("Feed the starter twice a day."); n != 7 {
		t.Errorf("%d tokens", n) // OpenAI's tokenizer page says 7
	}
}

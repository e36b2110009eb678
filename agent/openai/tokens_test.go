package openai

import (
	"net/http"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

func TestTokens(t *testing.T) {
	const newer, older = string(tokenizer.O200kBase), string(tokenizer.Cl100kBase)
	for model, want := range map[string]string{
		"gpt-4o": newer, "gpt-4.1-mini": newer, "gpt-5": newer, "openai/gpt-4o-mini": newer, "llama3.2": newer,
		"gpt-4": older, "gpt-4-turbo": older, "gpt-3.5-turbo": older,
	} {
		if got := codecOf(model)().GetName(); got != want {
			t.Errorf("%s: %s", model, got)
		}
	}
	m := New(http.DefaultClient, Options{Model: "gpt-4o"})
	if n := m.Tokens("Feed the starter twice a day."); n != 7 {
		t.Errorf("%d tokens", n) // OpenAI's tokenizer page says 7
	}
}

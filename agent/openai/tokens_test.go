package openai

import (
	"net/http"
	"strings"
	"testing"

	"lens/internal/bpe"
)

func TestTokens_CountsByBothVocabularies(t *testing.T) {
	m := New(http.DefaultClient, Options{Model: "gpt-4o"})
	if n := m.Tokens("Feed the starter twice a day."); n != 7 {
		t.Errorf("%d tokens", n) // OpenAI's tokenizer page says 7
	}
	for _, text := range []string{"面团需要时间和温度", "func main() { return }", strings.Repeat("größer ", 9)} {
		older, newer := bpe.Cl100k().Count(text), bpe.O200k().Count(text)
		if n := m.Tokens(text); n < older || n < newer || n != older && n != newer {
			t.Errorf("%q: %d tokens, %d by cl100k, %d by o200k", text, n, older, newer)
		}
	}
}

func TestHasVocabulary(t *testing.T) {
	for model, want := range map[string]bool{
		"": true, "gpt-4o": true, "gpt-4": true, "openai/gpt-4.1-mini": true, "gpt-5": true, "chatgpt-4o-latest": true, "o3-mini": true,
		"llama3.2": false, "qwen/qwen3-32b": false, "mistral": false, "olmo": false,
	} {
		if HasVocabulary(model) != want {
			t.Errorf("%q: got %t", model, !want)
		}
	}
}

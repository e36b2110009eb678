package terms

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lens/store"
)

func TestRequired(t *testing.T) {
	for phrase, want := range map[string]string{
		"docker compose": "docker compos", "to be or not to be": "", "running to SendMessageW": "run sendmessagew",
		"don't panic": "panic", "O’Neill's": "o neill", "foo-bar": "foo bar", "日本語": "日本 本語", "猫": "猫", "の": "",
		"Café": "cafe", "ﬁne": "fine",
	} {
		if got := strings.Join(Required(phrase), " "); got != want {
			t.Errorf("%q: got %q, want %q", phrase, got, want)
		}
	}
}

// Whatever has a phrase has its terms: else a search for the phrase would overlook it.
func TestRequired_AreInEveryTextWithThePhrase(t *testing.T) {
	words := []string{
		"Docker", "compose", "running", "the", "to", "SendMessageW", "sha256", "Café", "don't", "it’s", "Anna's", "ERR_42",
		"foo-bar", "C++", "std::string", "we'll", "isn't", "日本語", "猫", "ひらがな", "Straße", "a", "I", "x", "RUNS", "v2.0",
		strings.Repeat("long", 20),
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, "words"), rapid.SampledFrom([]string{" ", ", ", "\n"}).Draw(t, "between"))
		var plain []string
		for word := range Words(text) {
			plain = append(plain, string(word))
		}
		from := rapid.IntRange(0, len(plain)-1).Draw(t, "from")
		phrase := strings.Join(plain[from:rapid.IntRange(from+1, len(plain)).Draw(t, "to")], " ")
		if !NewPhrase(phrase).In(text) {
			t.Fatalf("%q is not in %q", phrase, text)
		}
		has := new(Analyzer).Document(text)
		for _, term := range Required(phrase) {
			if !slices.ContainsFunc(has, func(c store.TermCount) bool { return c.Term == term }) {
				t.Fatalf("%q requires %q, which %q does not have", phrase, term, text)
			}
		}
	})
}

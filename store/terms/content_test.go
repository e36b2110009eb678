package terms_test

import (
	"slices"
	"testing"

	"lens/store/terms"
)

func TestContent(t *testing.T) {
	for text, want := range map[string][]string{
		"wat heb ik gevraagd over verhuizen": {"gevraagd", "verhuizen"},
		"Wie groß ist das Haus am See?":      {"groß", "haus", "see"},
		"what did I ask about moving house":  terms.Query("what did I ask about moving house"),
		"wat heb ik over":                    terms.Query("wat heb ik over"), // nothing else
		"docker build":                       {"docker", "build"},
		"":                                   nil,
	} {
		for i, word := range want {
			want[i] = terms.Query(word)[0]
		}
		if got := terms.Content(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

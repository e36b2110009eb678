package terms_test

import (
	"slices"
	"testing"

	"lens/store/terms"
)

func TestContent(t *testing.T) {
	for text, want := range map[string][]string{
		"wat heb ik gevraagd over verhuizen": {"verhuizen"},
		"Wie groß ist das Haus am See?":      {"groß", "haus", "see"},
		"what did I ask about moving house":  terms.Query("what did I ask about moving house"),
		"wat heb ik over":                    terms.Query("wat heb ik over"), // nothing else
		"hoeveel kost een printer":           {"kost", "printer"},            // a question word
		"docker build":                       {"docker", "build"},
		"what does a 3d printer cost":        {"3d", "printer", "cost"}, // not 3 and d
		"c3":                                 {"c3"},
		"":                                   nil,
	} {
		for i, word := range want {
			want[i] = terms.Query(word)[0]
		}
		if got := terms.Content(text, terms.QueryLanguage(text)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestQueryLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"waar woon ik":             "Dutch",
		"hoe oud is mijn moeder":   "Dutch",
		"hoeveel kost een printer": "Dutch",
		"Où sont les chevaux":      "French",
		"где дом":                  "Russian",
		"how do I find a new job":  "unknown", // English
		"die hard in de cinema":    "Dutch",
		"was it that":              "unknown", // as English as German
		"opruimen":                 "unknown", // no common word
		"ik":                       "unknown", // one alone
		"docker build in go":       "unknown",
		"":                         "unknown",
	} {
		if got := terms.QueryLanguage(text); got.String() != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// Norwegian and Danish have nearly the same common words.
func TestQueryLanguage_OfTheArchive(t *testing.T) {
	for _, l := range terms.Stemmed() {
		if l.Code() != "da" && l.Code() != "no" {
			continue
		}
		if got := terms.QueryLanguage("jeg har en hund", l); got != l {
			t.Errorf("in an archive with %s: got %s", l, got)
		}
	}
}

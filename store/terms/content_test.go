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
		"what did I ask about moving house":  {"moving", "house"},
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

func TestWithoutFrame(t *testing.T) {
	for text, want := range map[string]string{
		"did I ever ask about moving house":                  "moving house",
		"Did I ever ask for help with a birthday present?":   "a birthday present",
		"have I ever asked you for some advice on mortgages": "mortgages",
		"what did I say about the budget":                    "the budget",
		"What have we talked about: Paris":                   "Paris",
		"have I written about my mother":                     "my mother",
		"when was the last time that I talked about Paris":   "Paris",
		"how often did I mention Anna":                       "Anna",
		"when did I start baking bread":                      "baking bread",
		"when did I first bake bread":                        "bake bread",
		"did I ever run a marathon":                          "run a marathon",
		"what did I do last week":                            "last week",
		"did I last year ask about sourdough starter?":       "sourdough starter last year",
		"did I last year visit Rome":                         "last year visit Rome",
		"when did I last ask about sourdough":                "sourdough",
		"did I ask how to bake bread?":                       "to bake bread",
		"did I ever ask about: how do I bake bread?":         "how do I bake bread?",
		"did I ask a question about asking questions":        "asking questions",

		// What the person did is what the question is about.
		"ask vs bid price?":                "ask vs bid price?",
		"how do I ask for a raise":         "how do I ask for a raise",
		"why did I ask for a raise":        "why did I ask for a raise",
		"how did I ask for a raise":        "how did I ask for a raise",
		"I asked about it":                 "I asked about it",
		"did I write a poem about Anna":    "write a poem about Anna",
		"did I ask Anna about the key":     "ask Anna about the key",
		"did I start the dishwasher":       "start the dishwasher",
		"did Anna ask about the key":       "did Anna ask about the key",
		"when did Anna ask about the key":  "when did Anna ask about the key",
		"when was the last time it rained": "when was the last time it rained",
		"did I":                            "did I",
		"did I ever ask for help":          "help",
		"did I ever ask about…":            "did I ever ask about…",
		"":                                 "",
	} {
		if got := terms.WithoutFrame(text); got != want {
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

package retrieval_test

import (
	"slices"
	"strings"
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

// household has chats in German, French and English.
func household() *fakeSource {
	return newFakeSource(1, slices.Concat(
		conversationOf("Garten",
			[3]string{"2023-01-01", "Welche Häuser stehen am See?", "Es gibt dort nur zwei, und beide sind sehr alt."}),
		conversationOf("Umzug",
			[3]string{"2023-01-02", "Wie groß ist das Haus?", "Es ist nicht so groß, wie es von der Straße aus wirkt."}),
		conversationOf("Zeitung",
			[3]string{"2023-01-03", "Was steht in der Zeitung?", "Die Wände der Häuser werden blau, und das ist noch nicht alles."}),
		conversationOf("Chevaux",
			[3]string{"2023-01-04", "Où sont les chevaux de la ferme ?", "Ils sont dans le pré, avec les vaches."}),
		conversationOf("House",
			[3]string{"2023-01-05", "What does a hauser do?", "It is not a word that I have ever heard of."}),
	))
}

// found returns the first words of the user texts that a query finds, in alphabetical order.
func found(t *testing.T, a *fakeSource, text string, opts query.Query) string {
	t.Helper()
	var begins []string
	opts.Mode = query.Keyword
	for _, m := range peek(t, retrieval.New(a, nil), text, opts).Matches {
		first, _, _ := strings.Cut(m.UserSnippet, " ")
		begins = append(begins, first)
	}
	slices.Sort(begins)
	return strings.Join(begins, " ")
}

func TestPeek_OtherForms(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		opts query.Query
		want string
	}{
		"of a German word":         {text: "Haus", want: "Was Welche Wie"},
		"of a word without accent": {text: "hausern", want: "Was Welche Wie"},
		"of a French word":         {text: "cheval", want: "Où"},
		"on the user's side":       {text: "Haus", opts: query.Query{Filter: query.Filter{Role: query.User}}, want: "Welche Wie"},
		"on the other side":        {text: "Haus", opts: query.Query{Filter: query.Filter{Role: query.Assistant}}, want: "Was"},
		"not of a phrase":          {opts: query.Query{Phrases: []string{"das Haus"}}, want: "Wie"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(t, household(), c.text, c.opts); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A word as it was typed stands above its other forms.
func TestPeek_OtherFormsCountLess(t *testing.T) {
	p := peek(t, retrieval.New(household(), nil), "Haus", query.Query{Mode: query.Keyword})
	if first := p.Matches[0].UserSnippet; !strings.HasPrefix(first, "Wie groß") {
		t.Errorf("the first match is %q", first)
	}
}

// Most turns with the word itself are English, so it is not looked for as a German one.
func TestPeek_WordOfAnotherLanguage(t *testing.T) {
	turns := slices.Concat(
		conversationOf("Rats",
			[3]string{"2023-01-01", "Do rats sleep?", "The rats are asleep by day, and so they are here."},
			[3]string{"2023-01-02", "What do rats eat?", "Rats eat what they find, and most of that is grain."}),
		conversationOf("Rat",
			[3]string{"2023-01-03", "Ich habe keine Räte gesehen", "Das ist nicht so schlimm, und es wird noch werden."}))
	if got := found(t, newFakeSource(1, turns), "rat", query.Query{}); got != "Do What" {
		t.Errorf("got %q", got)
	}
}

func TestPeek_SnippetOfOtherForm(t *testing.T) {
	filler := strings.Repeat("Das ist nicht von hier und wird es auch nie sein. ", 20)
	a := newFakeSource(1, conversationOf("Text", [3]string{"2023-01-01", filler + "Dort stehen Häuser.", "Ja."}))
	p := peek(t, retrieval.New(a, nil), "Haus", query.Query{Mode: query.Keyword})
	if len(p.Matches) != 1 || !strings.Contains(p.Matches[0].UserSnippet, "Häuser") {
		t.Errorf("%+v", p.Matches)
	}
}

// An archive whose languages are not indexed answers as it did.
func TestPeek_OtherFormsAreNotIndexed(t *testing.T) {
	a := household()
	for term := range a.postings {
		if store.IsFact(term) {
			delete(a.postings, term)
		}
	}
	if got := found(t, a, "Haus", query.Query{}); got != "Wie" {
		t.Errorf("got %q", got)
	}
}

func TestShortlist_OtherFormsOfSynonyms(t *testing.T) {
	if got := len(shortlist(t, household(), "Gebäude", []string{"Haus"})); got != 3 {
		t.Errorf("got %d candidates", got)
	}
}

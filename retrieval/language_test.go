package retrieval_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

// A model that reads English alone finds all German alike: German is searched by its words.
func TestPeek_LanguageThatTheModelDoesNotRead(t *testing.T) {
	const (
		notice  = "German is searched by words alone: the model reads only English"
		byTurns = "By words only: what has “Zeitung” is in German, which the model does not read."
	)
	for name, c := range map[string]struct {
		model, text string
		q           query.Query
		want        query.Mode
		notice      string
	}{
		"a question":             {model: "use-lite", text: "Wie groß ist das Haus?", want: query.Keyword, notice: notice + "."},
		"a word of German turns": {model: "use-lite", text: "Zeitung", want: query.Keyword, notice: byTurns},
		"a word that nothing has": {
			model: "use-lite", text: "Wo ist das Haus mit dem Aufzug?", want: query.Keyword,
			notice: "No turn has “Aufzug”. " + notice + ". 1 of 5 turns are in French: ask in French, too. " +
				"The matches have only “Haus”.",
		},
		"hybrid falls back, too": {
			model: "bge-base-en-v1.5", text: "Zeitung", q: query.Query{Mode: query.Hybrid}, want: query.Keyword, notice: byTurns,
		},
		"dense stays": {model: "use-lite", text: "Zeitung", q: query.Query{Mode: query.Dense}, want: query.Dense},
		"English": {
			model: "use-lite", text: "what is a house", want: query.Hybrid,
			notice: "3 of 5 turns are in German: ask in German, too.",
		},
		"another model": {model: "multilingual-e5-small", text: "Wie groß ist das Haus?", want: query.Hybrid},
	} {
		t.Run(name, func(t *testing.T) {
			a := household()
			a.generations[0].Model = c.model
			embedder := &words{model: c.model}
			p := peek(t, retrieval.New(a, embedder), c.text, c.q)
			if p.Mode != c.want || p.Notice != c.notice || p.LeftOut != c.notice {
				t.Errorf("mode %s, notice %q", p.Mode, p.Notice)
			}
			if embedded := embedder.asked.Load() > 0; embedded != (c.want != query.Keyword) {
				t.Errorf("embedded: %t", embedded)
			}
		})
	}
}

// A word that no turn has is near to all of a language that the model does not read.
func TestPeek_UnknownWordNearToUnreadLanguage(t *testing.T) {
	german := conversationOf("Umzug",
		[3]string{"2023-01-01", "Welche Häuser stehen am See?", "Es gibt dort nur zwei, und beide sind sehr alt."},
		[3]string{"2023-01-02", "Wie groß ist das Haus?", "Es ist nicht so groß, wie es von der Straße aus wirkt."})
	french := conversationOf("Ferme",
		[3]string{"2023-01-04", "Où sont les chevaux de la ferme ?", "Ils sont dans le pré, avec les vaches."})
	english := conversationOf("Move",
		[3]string{"2023-01-03", "What is there to do before we move?", "You should tell the people that you know where to."})
	const notice = "No turn has “opruimen”. What is near is in German, which the model does not read."
	hint := func(some, all int) string {
		return fmt.Sprintf("%d of %d turns are in German: ask in German, too.", some, all)
	}
	for name, c := range map[string]struct {
		model  string
		turns  []store.Turn
		q      query.Query
		want   query.Mode
		found  int
		notice string
	}{
		"German":         {model: "use-lite", turns: german, want: query.Keyword, notice: notice},
		"dense":          {model: "use-lite", turns: german, q: query.Query{Mode: query.Dense}, want: query.Dense, found: 2, notice: hint(2, 2)},
		"another model":  {model: "multilingual-e5-small", turns: german, want: query.Hybrid, found: 2},
		"English is too": {model: "use-lite", turns: slices.Concat(german, english), want: query.Hybrid, found: 3, notice: hint(2, 3)},
		"nearly all": {
			model: "use-lite", turns: slices.Concat(slices.Repeat(german, 9), french), want: query.Keyword, notice: notice,
		},
		"what is farther away": {
			model: "use-lite", turns: slices.Concat(slices.Repeat(german, 5), english, english), want: query.Keyword,
			notice: notice,
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := newFakeSource(1, c.turns)
			a.generations[0].Model = c.model
			p := peek(t, retrieval.New(a, &words{model: c.model}), "opruimen", c.q)
			if said, _, _ := strings.Cut(p.Notice, " Your"); p.Mode != c.want || p.Histogram.Total != c.found ||
				c.notice != "" && said != c.notice {
				t.Errorf("%d found, mode %s, notice %q", p.Histogram.Total, p.Mode, p.Notice)
			}
			if p.Language != c.notice {
				t.Errorf("of the language it says %q", p.Language)
			}
		})
	}
}

// The words of a date say when. What turns have is not said of them.
func TestPeek_UnreadLanguageBesideADate(t *testing.T) {
	german := conversationOf("Umzug",
		[3]string{"2023-01-01", "Was steht in der Zeitung?", "Die Wände der Häuser werden blau, und das ist noch nicht alles."},
		[3]string{"2023-01-02", "Wie groß ist das Haus?", "Es ist nicht so groß, wie es von der Straße aus wirkt."})
	english := conversationOf("Move", [3]string{"2023-01-03", "What was there to do in 2021?", "To tell the people."})
	for text, want := range map[string]string{
		"Zeitung in 2021":  "By words only: what has “Zeitung” is in German, which the model does not read.",
		"Zeitung in 2022":  "By words only: what has “Zeitung” is in German, which the model does not read.",
		"opruimen in 2022": "No turn has “opruimen”. What is near is in German, which the model does not read.",
		"in May 2022":      "",
	} {
		a := newFakeSource(1, slices.Concat(slices.Repeat(german, 9), english))
		a.generations[0].Model = "use-lite"
		if p := peek(t, retrieval.New(a, &words{model: "use-lite"}), text, query.Query{}); p.Language != want {
			t.Errorf("%s: %q, want %q", text, p.Language, want)
		}
	}
}

// Without the model, that is what is missing.
func TestPeek_UnreadLanguageWithoutModel(t *testing.T) {
	a := household()
	a.generations[0].Model = "use-lite"
	p := peek(t, retrieval.New(a, nil), "Zeitung", query.Query{})
	if want := "By words only: no embedding model is configured."; p.Notice != want {
		t.Errorf("got %q, want %q", p.Notice, want)
	}
}

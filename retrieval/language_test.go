package retrieval_test

import (
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
)

// A model that reads English alone finds all German alike: German is searched by its words.
func TestPeek_LanguageThatTheModelDoesNotRead(t *testing.T) {
	const notice = "German is searched by words alone: the model reads only English"
	for name, c := range map[string]struct {
		model, text string
		q           query.Query
		want        query.Mode
		notice      string
	}{
		"a question":             {model: "use-lite", text: "Wie groß ist das Haus?", want: query.Keyword, notice: notice + "."},
		"a word of German turns": {model: "use-lite", text: "Zeitung", want: query.Keyword, notice: notice + "."},
		"a word that nothing has": {
			model: "use-lite", text: "Wo ist das Haus mit dem Aufzug?", want: query.Keyword,
			notice: "No turn has “Aufzug”. " + notice + ". 1 of 5 turns are in French: ask in French, too. " +
				"Your archive hardly speaks of this.",
		},
		"hybrid falls back, too": {
			model: "bge-base-en-v1.5", text: "Zeitung", q: query.Query{Mode: query.Hybrid}, want: query.Keyword, notice: notice + ".",
		},
		"dense stays":   {model: "use-lite", text: "Zeitung", q: query.Query{Mode: query.Dense}, want: query.Dense},
		"English":       {model: "use-lite", text: "what is a house", want: query.Hybrid},
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

// Without the model, that is what is missing.
func TestPeek_UnreadLanguageWithoutModel(t *testing.T) {
	a := household()
	a.generations[0].Model = "use-lite"
	p := peek(t, retrieval.New(a, nil), "Zeitung", query.Query{})
	if want := "By words only: no embedding model is configured."; p.Notice != want {
		t.Errorf("got %q, want %q", p.Notice, want)
	}
}

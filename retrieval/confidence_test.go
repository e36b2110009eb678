package retrieval_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

// By words, confidence is that of the turn that holds the most of the query: σ(7.2·share − 3.15).
func TestPeek_ConfidenceByWords(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	for _, c := range []struct {
		text  string
		least float64
		most  float64
	}{
		{"sourdough", .983, .983},
		{"frozen sourdough starter", .983, .983}, // one turn holds all
		{"sourdough elephant", .05, .2},          // more idf is missing than there
		{"elephants on bicycles in the sourdough orchestra", .05, .15},
		{"sourdough in May 1987", .983, .983}, // a date says when
	} {
		p := peek(t, e, c.text, query.Query{})
		if got := p.Coverage.Confidence; got == nil || *got < c.least || *got > c.most {
			t.Errorf("%q: got %v, want %v to %v", c.text, value(got), c.least, c.most)
		}
	}
}

// A calibrated model counts its best cosine, any other does not, nor one that few turns are embedded with.
func TestPeek_ConfidenceByModel(t *testing.T) {
	for _, c := range []struct {
		model    string
		embedded int
		cosine   bool
	}{{"use-lite", 6, true}, {"all-MiniLM-L6-v2", 6, true}, {"words", 6, false}, {"use-lite", 3, false}} {
		a := kitchen()
		a.generations[0].Model, a.generations[0].Vectors = c.model, c.embedded
		e := retrieval.New(a, &words{model: c.model})
		for _, mode := range []query.Mode{query.Hybrid, query.Dense} {
			p := peek(t, e, "sourdough", query.Query{Mode: mode})
			by := map[string][2]float64{"use-lite": {10.9, 6.1 - 7.2}, "all-MiniLM-L6-v2": {15.8, 4.7 - 8.5}}[c.model]
			if !c.cosine {
				by = [2]float64{0, 7.2 - 3.15}
			}
			best := 0.0
			for _, m := range p.Matches {
				if m.Similarity != nil {
					best = max(best, *m.Similarity)
				}
			}
			want := 1 / (1 + math.Exp(-by[0]*best-by[1]))
			if got := p.Coverage.Confidence; got == nil || math.Abs(*got-want) > .0006 {
				t.Errorf("%s, %d embedded, %s: got %v, want %v", c.model, c.embedded, mode, value(got), want)
			}
		}
	}
}

// Without a query in words there is no confidence.
func TestPeek_ConfidenceAbsent(t *testing.T) {
	a := kitchen()
	e := retrieval.New(a, nil)
	for name, q := range map[string]query.Query{
		"filters":       {Filter: query.Filter{Since: day("2023-01-01")}},
		"similar turns": {Like: a.catalog.ID[0].String()},
		"only a date":   {Text: "May 1987"},
		"no candidates": {Text: "sourdough", Filter: query.Filter{Since: day("2030-01-01")}},
	} {
		if p := peek(t, e, q.Text, q); p.Coverage.Confidence != nil || p.LeftOut != "" {
			t.Errorf("%s: %v, %q", name, value(p.Coverage.Confidence), p.LeftOut)
		}
	}
}

// The sentence stands on one side of the threshold, and does not claim that there is no answer.
func TestPeek_HardlySpeaks(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	window, filter := query.Filter{Since: day("2023-01-01")}, query.Filter{MinWords: 1}
	for _, c := range []struct {
		text   string
		filter query.Filter
		want   string
	}{
		{"frozen sourdough", query.Filter{}, ""},
		{"elephants on bicycles in the sourdough orchestra", query.Filter{}, "Your archive hardly speaks of this."},
		{"elephants on bicycles in the sourdough orchestra", window, "This period hardly speaks of this."},
		{"elephants on bicycles in the sourdough orchestra", filter, "What passes the filter hardly speaks of this."},
		{"elephants on bicycles", query.Filter{}, ""}, // no match says more
	} {
		p := peek(t, e, c.text, query.Query{Filter: c.filter})
		if !strings.HasSuffix(p.Notice, c.want) || p.LeftOut != c.want {
			t.Errorf("%q: got %q, %q, want %q; confidence %v", c.text, p.Notice, p.LeftOut, c.want, value(p.Coverage.Confidence))
		}
	}
	compared, err := e.Compare(t.Context(), []query.Query{{Text: "sourdough"}, {Text: "elephants on bicycles in sourdough"}})
	if err != nil || compared.LeftOut != "" {
		t.Errorf("compared: %v, %q", err, compared.LeftOut)
	}
}

// The filter narrows what confidence is about.
func TestPeek_ConfidenceWithinFilter(t *testing.T) {
	e := retrieval.New(kitchen(), nil)
	all := peek(t, e, "cancel request", query.Query{})
	later := peek(t, e, "cancel request", query.Query{Filter: query.Filter{Since: day("2024-01-01")}})
	if *all.Coverage.Confidence < .9 || *later.Coverage.Confidence > .1 {
		t.Errorf("all: %v, later: %v", *all.Coverage.Confidence, *later.Coverage.Confidence)
	}
}

// Zooming and paging ask for the same query again: confidence does not depend on how many matches are listed.
func TestPeek_ConfidenceIndependentOfTopK(t *testing.T) {
	e := retrieval.New(kitchen(), &words{})
	var all []float64
	for _, k := range []int{1, 3, 100} {
		all = append(all, *peek(t, e, strings.Repeat("sourdough tea ", 2), query.Query{TopK: &k}).Coverage.Confidence)
	}
	if slices.Max(all) != slices.Min(all) {
		t.Errorf("got %v", all)
	}
}

// value returns what p points to, NaN for nil.
func value(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}

// A title with the words says more than the turns below it.
func TestPeek_HardlySpeaksBelowATitle(t *testing.T) {
	p := retrieval.Peek{Coverage: retrieval.Coverage{Confidence: new(.1)}}
	if p.HardlySpeaks() == "" {
		t.Error("without a title, nothing is doubted")
	}
	if p.TitleCount = 1; p.HardlySpeaks() != "" {
		t.Errorf("with a title: %q", p.HardlySpeaks())
	}
	if p.TitleWord = "interview"; p.HardlySpeaks() == "" {
		t.Error("with a word in a title, nothing is doubted")
	}
}

// Those who ask in English, and find little, read that much of the archive is in German.
func TestPeek_OtherLanguage(t *testing.T) {
	e := retrieval.New(household(), nil)
	const hint = "3 of 5 turns are in German: ask in German, too."
	for text, want := range map[string]string{
		"the word of a carpenter about roofs and cellars": hint,
		"a hauser":        "", // found
		"quantum teapots": "", // most turns are in German, as it may be
		"Haus mit Keller, Garage, Garten, Teich und Pool": "1 of 5 turns are in French: ask in French, too.",
	} {
		p := peek(t, e, text, query.Query{})
		if c := p.Coverage.Confidence; want == hint && *c > .5 || p.LeftOut != want && !strings.HasPrefix(p.LeftOut, want+" Your") {
			t.Errorf("%q: %q, want %q; confidence %v", text, p.LeftOut, want, value(c))
		}
	}
	english := query.Query{Filter: query.Filter{Since: day("2023-01-05")}}
	if p := peek(t, e, "the word of a carpenter about roofs and cellars", english); strings.Contains(p.LeftOut, "German") {
		t.Errorf("among turns in English: %q", p.LeftOut)
	}
}

// Words alone miss it also where a turn or two have all words of the query, or none has one.
func TestPeek_OtherLanguageByWords(t *testing.T) {
	german := conversationOf("Auto",
		[3]string{"2023-01-01", "Was kostet das Auto im Jahr?", "Das ist nicht so viel, wie es auf den ersten Blick wirkt."},
		[3]string{"2023-01-02", "Wie groß ist das Auto?", "Es ist nicht so groß, wie es auf dem Bild wirkt."})
	english := conversationOf("Work",
		[3]string{"2023-01-03", "What is in the plan before we move?", "You should tell the people that you know where to."},
		[3]string{"2023-01-04", "Who made the navigation of the car?", "There should be a name on the back of it."},
		[3]string{"2023-01-05", "What is it that takes so long?", "It is only the paint, which has to dry before you are in."})
	const hint = "2 of 5 turns are in German: ask in German, too."
	for _, c := range []struct {
		model, text string
		turns       []store.Turn
		want        string
	}{
		{"", "money", slices.Concat(german, english), hint},
		{"", "car", slices.Concat(german, english), hint},
		{"", "did I ever ask about my car", slices.Concat(german, english), hint},
		{"", "Bild", slices.Concat(german, english), ""}, // only a turn in German has it
		{"", "car", slices.Concat(slices.Repeat(english, 3), german), ""},
		{"", "Wohnung kündigen", german, ""}, // it may well be in German
		{"", "Wohnung kündigen", slices.Concat(slices.Repeat(german, 2), english), ""},
		{"", "car", slices.Concat(slices.Repeat(german, 2), english), "4 of 7 turns are in German: ask in German, too."},
		{"", "money", slices.Concat(slices.Repeat(english, 20), german), ""}, // 2 of 62
		{"use-lite", "money", slices.Concat(german, english), hint},
		{"use-lite", "car", slices.Concat(german, english), hint},
		{"use-lite", "Auto Jahr", slices.Concat(german, slices.Repeat(english, 3)), ""},
	} {
		a := newFakeSource(1, c.turns)
		if c.model == "" {
			a.generations = nil
		} else {
			a.generations[0].Model = c.model
		}
		p := peek(t, retrieval.New(a, nil), c.text, query.Query{})
		if p.Mode != query.Keyword || p.Language != c.want || !strings.HasSuffix(p.LeftOut, c.want) {
			t.Errorf("%q, %q: %q by %s, want %q; confidence %v, %q",
				c.model, c.text, p.Language, p.Mode, c.want, value(p.Coverage.Confidence), p.LeftOut)
		}
	}
}

// A model that does not read a language misses what stands in it, whatever else has a word of the query.
func TestPeek_OtherLanguageThatTheModelDoesNotRead(t *testing.T) {
	german := conversationOf("Umzug",
		[3]string{"2023-01-01", "Was kostet der Plan für das Haus?", "Das ist nicht so viel, wie es von der Straße aus wirkt."},
		[3]string{"2023-01-02", "Wie groß ist das Haus?", "Es ist nicht so groß, wie es auf dem Plan wirkt."})
	english := conversationOf("Move",
		[3]string{"2023-01-03", "What is in the plan before we move?", "You should tell the people that you know where to."},
		[3]string{"2023-01-04", "Where do we put the house keys?", "There should be a hook for them at the door of the house."},
		[3]string{"2023-01-05", "What is it that takes so long?", "It is only the paint, which has to dry before you are in."})
	many := slices.Concat(slices.Repeat(english, 40), slices.Repeat(german, 4)) // 8 of 128
	for _, c := range []struct {
		model, text string
		turns       []store.Turn
		want        string
	}{
		{"use-lite", "quantum teapots", slices.Concat(german, english), "2 of 5 turns are in German: ask in German, too."},
		{"use-lite", "diet plan", slices.Concat(german, english), "2 of 5 turns are in German: ask in German, too."},
		{"use-lite", "paint the hook", many, "8 of 128 turns are in German: ask in German, too."},
		{"use-lite", "house keys", many, ""},
		{"use-lite", "quantum teapots", slices.Concat(slices.Repeat(english, 20), german), ""}, // 2 of 62
		{"use-lite", "quantum teapots", slices.Concat(slices.Repeat(english, 160), slices.Repeat(german, 12)), ""},
		{"multilingual-e5-small", "quantum teapots", slices.Concat(german, english), ""},
	} {
		a := newFakeSource(1, c.turns)
		a.generations[0].Model = c.model
		p := peek(t, retrieval.New(a, &words{model: c.model}), c.text, query.Query{})
		t.Log(c.text, p.Mode, value(p.Coverage.Confidence), p.Occurrences.Total, p.Histogram.Total)
		if p.Language != c.want {
			t.Errorf("%s, %q: %q, want %q", c.model, c.text, p.Language, c.want)
		}
	}
}

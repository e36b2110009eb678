package offline_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"lens/retrieval"
	"lens/retrieval/offline"
)

func auditedQuery(t *testing.T, f *fake, prompt string, change func(*offline.Options), hits ...byte) *offline.Answer {
	t.Helper()
	r, _ := retriever(f, change)
	var of []offline.Hit
	for _, n := range hits {
		of = append(of, offline.Hit{ChunkID: id(n), Filename: "what the asker says"})
	}
	a, err := r.Answer(context.Background(), of, prompt, offline.AnswerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnswer_QuotesSentences(t *testing.T) {
	a := auditedQuery(t, bread(), "how often does a sourdough starter want feeding?", nil, 1, 2, 3)
	const want = "“Feed the sourdough starter more often!” [Bread (2026-03-31)]\n\n" +
		"“A sourdough starter wants feeding twice a day in summer.” [notes.md (modified 2025-03-31)]"
	if a.Text != want || a.Generated {
		t.Errorf("got %s", a.Text)
	}
	cited := []offline.Citation{{File: "Bread", Modified: ago(0), ChunkID: id(2), Chat: true}, {File: "notes.md", Modified: ago(365), ChunkID: id(1)}}
	if !reflect.DeepEqual(a.Citations, cited) {
		t.Errorf("cited %+v", a.Citations)
	}
}

func TestAnswer_NoHits(t *testing.T) {
	a := auditedQuery(t, bread(), "what is the meaning of it all?", nil)
	if a.Text != offline.NoAnswer || a.Citations == nil || len(a.Citations) != 0 || !strings.Contains(a.Text, "explorer") {
		t.Errorf("got %+v", a)
	}
}

func TestAnswer_HitWithoutMatchingSentence(t *testing.T) {
	a := auditedQuery(t, bread(), "Brot backen", nil, 3)
	if a.Text != "“The oven is hot.” [scan.pdf (modified at an unknown time)]" || a.Citations[0].Pages[0] != 2 {
		t.Errorf("got %+v", a)
	}
}

func TestAnswer_VerbatimQuotations(t *testing.T) {
	f := new(fake)
	text := "Dr. Jones  came\tat 3.5 p.m. He said \"stop\"!\n\n- **Use** flour no. 5; it is v1.2.3 of `flour.go`.\n" + strings.Repeat("long flour ", 100) + "."
	f.add(1, .5, 1, ago(0), retrieval.Turn{Title: "t", Assistant: text})
	a := auditedQuery(t, f, "flour no. 5 stop", nil, 1)
	folded := strings.Join(strings.Fields(text), " ")
	for _, line := range strings.Split(a.Text, "\n\n") {
		quote := strings.TrimPrefix(line[:strings.LastIndex(line, "” [")], "“")
		quote = strings.TrimSuffix(quote, " …")
		if !strings.Contains(" "+folded, " "+quote) {
			t.Errorf("%q is not in the text", quote)
		}
	}
	for text, want := range map[string]string{
		">50% of the harvest was lost.":             ">50% of the harvest was lost.",
		"> 50% of the harvest was lost.":            "50% of the harvest was lost.",
		"+4930 is the harvest line.":                "+4930 is the harvest line.",
		"-5 °C ruins the harvest.":                  "-5 °C ruins the harvest.",
		"- -5 °C ruins the harvest.":                "-5 °C ruins the harvest.",
		"It was cold. -5 °C ruins the harvest.":     "It was cold. -5 °C ruins the harvest.",
		"#3 was the best harvest.":                  "#3 was the best harvest.",
		"## The harvest of the year":                "The harvest of the year",
		"\t* > The harvest was lost.":               "The harvest was lost.",
		"**All** of the harvest was lost.":          "**All** of the harvest was lost.",
		"**The harvest was lost.**":                 "The harvest was lost.",
		"**It was cold.** The harvest was lost.":    "The harvest was lost.",
		"It was **cold. The harvest was lost** too": "The harvest was lost** too",
		"**harvest takes any number of names.":      "**harvest takes any number of names.",
		"**harvest is one. **names is another one.": "**harvest is one. **names is another one.",
		"__The harvest was lost. It was cold.__":    "The harvest was lost.",
	} {
		f := new(fake)
		f.add(1, .5, 1, ago(0), retrieval.Turn{Title: "t", Assistant: text})
		if got := auditedQuery(t, f, "harvest", nil, 1).Text; !strings.HasPrefix(got, "“"+want+"” [") {
			t.Errorf("quoted %q as %s", text, got)
		}
	}
}

// writer is a model that returns a fixed text.
type writer struct {
	text  string
	cited []int
	err   error
	got   []offline.Source
}

func (w *writer) Write(_ context.Context, _ string, sources []offline.Source) (string, []int, error) {
	w.got = sources
	return w.text, w.cited, w.err
}

func TestAnswer_GeneratedCitesSources(t *testing.T) {
	w := &writer{text: "Twice a day [2][1]. See x[1], m[1][2], m[i][2], and [9].", cited: []int{2, 1}}
	a := auditedQuery(t, bread(), "how often?", func(o *offline.Options) { o.Writer = w }, 1, 2)
	if want := "Twice a day [Bread (2026-03-31)][notes.md (modified 2025-03-31)]. See x[1], m[1][2], m[i][2], and [9]."; a.Text != want || !a.Generated {
		t.Errorf("got %q", a.Text)
	}
	if len(a.Citations) != 2 || a.Citations[0].File != "Bread" || len(w.got) != 2 || w.got[0].Title != "notes.md" {
		t.Errorf("cited %+v of %+v", a.Citations, w.got)
	}
}

func TestAnswer_ModelFails(t *testing.T) {
	for name, w := range map[string]*writer{"it fails": {err: errDown}, "it cites nothing": {text: "I think so."}} {
		a := auditedQuery(t, bread(), "sourdough starter", func(o *offline.Options) { o.Writer = w }, 1)
		if a.Generated || a.Notice == "" || !strings.HasPrefix(a.Text, "“") {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func TestAnswer_ParanoidWithoutModel(t *testing.T) {
	w := &writer{text: "yes [1]", cited: []int{1}}
	r, _ := retriever(bread(), func(o *offline.Options) { o.Writer, o.SingleQuery = w, true })
	a, err := r.Answer(context.Background(), []offline.Hit{{ChunkID: id(1)}}, "sourdough", offline.AnswerOptions{Level: offline.Paranoid})
	if err != nil || a.Generated || w.got != nil {
		t.Errorf("got %+v, %v", a, err)
	}
}

package retrieval_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store"
)

func TestWords_Find(t *testing.T) {
	for name, c := range map[string]struct{ query, text, want string }{
		"in any case":             {"cancel", "Cancel it", "Cancel"},
		"another form":            {"chords", "Which chord? A chord's third", "chord|chord's"},
		"a form that was typed":   {"chord", "two chords,", "chords"},
		"no longer word":          {"canc", "cancel", ""},
		"not inside a word":       {"age", "garage age", "age"},
		"a part of an identifier": {"cancellation", "a CancellationToken", "CancellationToken"},
		"a word of a path":        {"chord", "in src/chords.go", "chords"},
		"a whole path":            {"src/chords.go", "in src/chords.go", "src/chords.go"},
		"C++":                     {"c++", "C++ and c", "C++|c"},
		"accents":                 {"ete", "Un bel Été", "Été"},
		"no word that is common":  {"the chords of jazz", "the jazz of the sea", "jazz"},
		"common words alone":      {"to be", "or not to be", "to|be"},
		"without spaces":          {"分岐", "最初に完了した分岐を選ぶ", "分岐"},
		"pairs that overlap":      {"完了した", "最初に完了した分岐", "完了した"},
		"one character":           {"猫", "黒猫がいる", "猫"},
		"no query":                {" ", "cancel", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := marked(retrieval.NewWords(c.query), c.text); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// marked joins what words find in a text.
func marked(w *retrieval.Words, text string) string {
	var found []string
	for _, at := range w.Find(text) {
		found = append(found, text[at[0]:at[1]])
	}
	return strings.Join(found, "|")
}

func TestWords_Concurrent(t *testing.T) {
	w := retrieval.NewWords("chords")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				if got := marked(w, "one chord of many"); got != "chord" {
					t.Errorf("got %q", got)
				}
			}
		})
	}
	all.Wait()
}

func TestWords_Same(t *testing.T) {
	var none *retrieval.Words
	one, other := retrieval.NewWords("chords"), retrieval.NewWords("a chord")
	if !one.Same(other) || one.Same(retrieval.NewWords("keys")) || one.Same(none) || !none.Same(retrieval.NewWords("")) {
		t.Error("words are the same by what they find")
	}
}

func FuzzWords_Find(f *testing.F) {
	f.Add("chords", "Which chord? 最初に\xff")
	f.Add("完了 c++", "src/C++.完了した é")
	f.Fuzz(func(t *testing.T, words, text string) {
		end := 0
		for _, at := range retrieval.NewWords(words).Find(text) {
			if at[0] < end || at[1] <= at[0] || at[1] > len(text) {
				t.Fatalf("%v in %q for %q", at, text, words)
			}
			end = at[1]
		}
	})
}

// What a match is marked by is what it was found by, in its own language.
func TestPeek_Words(t *testing.T) {
	p := peek(t, retrieval.New(household(), nil), "Haus", query.Query{Mode: query.Keyword})
	for _, m := range p.Matches {
		if got := marked(p.Words, m.UserSnippet+m.AssistantSnippet); !m.Worded || got != "Haus" && got != "Häuser" {
			t.Errorf("%v: %q in %q", m.Worded, got, m.UserSnippet)
		}
	}
	rats := newFakeSource(1, conversationOf("Rats",
		[3]string{"2023-01-01", "Do rats sleep?", "The rats are asleep by day, and so they are here."},
		[3]string{"2023-01-02", "Wo sind die Räte?", "Das ist nicht so schlimm, und es wird noch werden."}))
	p = peek(t, retrieval.New(rats, nil), "rat", query.Query{Mode: query.Keyword})
	if got := marked(p.Words, "Räte und rats"); got != "rats" {
		t.Errorf("marked %q, though no turn was found by the other", got)
	}
}

func TestPeek_SaysWhereATurnIsFrom(t *testing.T) {
	turns := []store.Turn{{ID: uuid.New(), UserText: "sourdough", Source: store.Claude, OnPath: true}}
	p := peek(t, retrieval.New(newFakeSource(1, turns), nil), "sourdough", query.Query{})
	if len(p.Matches) != 1 || p.Matches[0].Source != "claude" {
		t.Errorf("matches are %+v", p.Matches)
	}
}

func TestPeek_Worded(t *testing.T) {
	for _, mode := range []query.Mode{query.Hybrid, query.Dense} {
		p := peek(t, retrieval.New(kitchen(), &words{}), "starters", query.Query{Mode: mode})
		count := 0
		for _, m := range p.Matches {
			if has := strings.Contains(m.UserSnippet+m.AssistantSnippet, "starter"); m.Worded != has {
				t.Errorf("%s: %v for %q", mode, m.Worded, m.UserSnippet)
			} else if has {
				count++
			}
		}
		if count == 0 || count == len(p.Matches) {
			t.Errorf("%s: %d of %d have the word", mode, count, len(p.Matches))
		}
		like := peek(t, retrieval.New(kitchen(), &words{}), "", query.Query{Mode: mode, Like: p.Matches[0].TurnID.String()})
		if like.Matches[0].Worded || !like.Words.None() {
			t.Errorf("%s: turns like another have words", mode)
		}
	}
}

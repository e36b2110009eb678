package retrieval

import (
	"context"
	"slices"
	"testing"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/terms"
)

// countingTexts counts the turns whose texts were read.
type countingTexts struct {
	store.TextReader
	read int
}

func (c *countingTexts) EachText(ctx context.Context, ords []store.Ord, see func(i int, user, assistant string)) error {
	c.read += len(ords)
	return c.TextReader.EachText(ctx, ords, see)
}

func TestTurnWords(t *testing.T) {
	st := archivetest.New(t, testenv.Demo(t, demo.Options{Turns: 200}))
	e := New(st, nil)
	a, err := e.snapshot(t.Context())
	testenv.Must(t, err)
	titles, err := e.titles.load(t.Context(), a)
	testenv.Must(t, err)
	reader := &countingTexts{TextReader: st}
	wordsOf := func(rows ...int32) [][]turnWord {
		found, names, err := turnWordsOf(a).read(t.Context(), reader, a, titles, rows)
		testenv.Must(t, err)
		texts, err := textsOf(t.Context(), st, a, rows)
		testenv.Must(t, err)
		for i, row := range rows {
			title := terms.Query(titles.text[a.Conversation[row]])
			counts := new(terms.Analyzer).Document(texts[i][0], texts[i][1])
			if len(found[i]) != len(counts) {
				t.Fatalf("row %d has %d words, want %d", row, len(found[i]), len(counts))
			}
			for j, c := range counts {
				w := found[i][j]
				if names[w.number()] != c.Term || (w&inTitle != 0) != slices.Contains(title, c.Term) {
					t.Errorf("row %d, word %d: %q (in the title: %t), want %q", row, j, names[w.number()], w&inTitle != 0, c.Term)
				}
			}
		}
		return found
	}
	wordsOf(3, 4, 5, 9)
	wordsOf(4, 5, 6)
	if reader.read != 5 {
		t.Errorf("%d texts were read, want those of 5 turns once", reader.read)
	}
	kept := turnWordsOf(a)
	kept.kept = maxTurnWords + 1
	if again := turnWordsOf(a); again == kept {
		t.Error("more words than the limit are kept")
	}
	wordsOf(4)
}

func TestTurnWords_Spell(t *testing.T) {
	st := archivetest.New(t, testenv.Demo(t, demo.Options{Turns: 200}))
	e := New(st, nil)
	a, err := e.snapshot(t.Context())
	testenv.Must(t, err)
	lists, err := e.words.lists(t.Context(), a, terms.Query("sourdough"))
	testenv.Must(t, err)
	rows := lists[0].Rows[:3]
	reader := &countingTexts{TextReader: st}
	asked := append(terms.Query("sourdough"), "qqq")
	for _, some := range [][]int32{rows[:2], rows, rows[1:]} {
		forms, err := turnWordsOf(a).spell(t.Context(), reader, a, asked, slices.Clone(some))
		testenv.Must(t, err)
		fresh := newSpellings(asked)
		texts, err := textsOf(t.Context(), st, a, some)
		testenv.Must(t, err)
		for _, text := range texts {
			fresh.read(text[0])
			fresh.read(text[1])
		}
		if want := []string{fresh.of[asked[0]].form(), "qqq"}; !slices.Equal(forms, want) {
			t.Errorf("rows %v: %q, want %q", some, forms, want)
		}
	}
	if reader.read != len(rows) {
		t.Errorf("%d texts were read, want those of %d turns once", reader.read, len(rows))
	}
}

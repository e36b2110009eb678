package retrieval

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"lens/store/terms"
)

func TestSnippet_DensestTerms(t *testing.T) {
	filler := strings.Repeat("Nothing of interest is said in this sentence. ", 20)
	for name, c := range map[string]struct{ query, text, holds, lacks string }{
		"a short text is whole":                    {"x", "  A short\n\n text. ", "A short text.", "…"},
		"without a term it begins with the text":   {"zebra", filler, "Nothing of interest", ""},
		"one term far down":                        {"zebra", filler + "A zebra crossed. " + filler, "zebra crossed", ""},
		"all terms rather than one":                {"zebra crossing", "A zebra. " + filler + "A zebra at the crossing. " + filler, "zebra at the crossing", "A zebra. Nothing"},
		"different terms rather than one repeated": {"zebra crossing", "Zebra zebra zebra zebra. " + filler + "A zebra at the crossing. " + filler, "zebra at the crossing", ""},
		"stemmed as the index stems":               {"freeze", filler + "We kept freezing them. " + filler, "freezing", ""},
		"an identifier whole":                      {"SendMessageW", filler + "Call user32.SendMessageW(hwnd) now. " + filler, "SendMessageW(hwnd)", ""},
		"a hump of an identifier":                  {"server", filler + "See HTTPServer for that. " + filler, "HTTPServer", ""},
		"an accent that is folded":                 {"ete", filler + "Un bel Été là-bas. " + filler, "Été", ""},
		"a script without spaces":                  {"発酵", strings.Repeat("これは何でもない文章です。", 30) + "パンの発酵について。" + strings.Repeat("これは何でもない文章です。", 30), "発酵", ""},
		"a term at the very end fills the snippet": {"zebra", filler + "the end: zebra", "sentence. the end: zebra", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := newSnippeter(terms.Query(c.query)).snippet(c.text)
			if !strings.Contains(got, c.holds) || c.lacks != "" && strings.Contains(got, c.lacks) {
				t.Errorf("%q", got)
			}
			if n := utf8.RuneCountInString(got); n > snippetRunes || len(c.text) > 1000 && n < snippetRunes-snippetLead-snippetTail-2 {
				t.Errorf("%d runes: %q", n, got)
			}
		})
	}
}

func TestSnippet_Ellipses(t *testing.T) {
	filler := strings.Repeat("word ", 100)
	view := newSnippeter([]string{"zebra"})
	for name, c := range map[string]struct {
		text        string
		front, back bool
	}{
		"nothing left out": {"zebra", false, false},
		"the end":          {"zebra " + filler, false, true},
		"the beginning":    {filler + "zebra", true, false},
		"both":             {filler + "zebra " + filler, true, true},
		"beyond the reach": {strings.Repeat(" ", snippetReach) + "zebra", false, true},
	} {
		got := view.snippet(c.text)
		if strings.HasPrefix(got, "…") != c.front && len(got) > len("…") || strings.HasSuffix(got, "…") != c.back {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestSnippet_PieceOfText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := []rune("ab zé日本🦀👍🏽\u200d\u0301\n\t.x")
		text := rapid.StringOfN(rapid.RuneFrom(letters), 0, 600, -1).Draw(t, "text")
		query := rapid.StringOfN(rapid.RuneFrom(letters), 1, 10, -1).Draw(t, "query")
		got := newSnippeter(terms.Query(query)).snippet(text)
		if n := utf8.RuneCountInString(got); n > snippetRunes || !utf8.ValidString(got) {
			t.Fatalf("%d runes, valid %v", n, utf8.ValidString(got))
		}
		folded := strings.Join(strings.Fields(text), " ")
		piece := strings.TrimSuffix(strings.TrimPrefix(got, "…"), "…")
		if !strings.Contains(folded, piece) {
			t.Fatalf("%q is not in the text", piece)
		}
	})
}

func FuzzSnippet(f *testing.F) {
	f.Add("zebra", strings.Repeat("a zebra ", 40))
	f.Add("日本", strings.Repeat("日本語 ", 80))
	f.Add("\xff", "\xff\xfe"+strings.Repeat("\xe6\x97 ", 200))
	f.Fuzz(func(t *testing.T, query, text string) {
		if got := newSnippeter(terms.Query(query)).snippet(text); utf8.RuneCountInString(got) > snippetRunes {
			t.Errorf("%q", got)
		}
	})
}

func BenchmarkSnippet(b *testing.B) {
	text := strings.Repeat("A reply of ordinary length explains how contexts are cancelled in servers. ", 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		newSnippeter(terms.Query("cancel a request context")).snippet(text)
	}
}

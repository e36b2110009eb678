package retrieval

import (
	"slices"
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
			got := newSnippeter(terms.Query(c.query), nil).snippet(c.text)
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
	view := newSnippeter([]string{"zebra"}, nil)
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
		got := newSnippeter(terms.Query(query), nil).snippet(text)
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

// The quick way shows what the plain definition shows, to the byte.
func TestSnippet_AsDefined(t *testing.T) {
	words := []string{
		"zebra", "Zebras", "freezing", "freeze", "dying", "die", "HTTPServer", "server", "sha256", "foo-bar", "C++", "a",
		"aing", "I'd", "don't", "o'neill", "Été", "ete", "naïve", "発酵", "日本語", "ไทย", "한국어", "x日y", "👍🏽", "e\u0301",
		"don’t", "o’neill", "a’", "“zebra”", "zebra—server", "…die", "x‐ray", "x‑ray", "b‧c", "ete’s", "the", "of", "_x_", "...", "—", "std::string", "\xff", "\xe6\x97", "42", "v2", "ﬁne", "\x01", "\u00ad",
	}
	gaps := []string{" ", " ", " ", "\n", "  ", " \n\t", "\u00a0", "\u3000", "\u2028 ", "", "\x1f", "\v"}
	rapid.Check(t, func(t *rapid.T) {
		several := rapid.SliceOfN(rapid.SampledFrom(words), 1, 4)
		query := strings.Join(several.Draw(t, "query"), " ")
		var text strings.Builder
		for range rapid.IntRange(0, 300).Draw(t, "words") {
			text.WriteString(rapid.SampledFrom(words).Draw(t, "word"))
			text.WriteString(rapid.SampledFrom(gaps).Draw(t, "gap"))
		}
		checkSnippet(t, query, strings.Repeat(text.String(), rapid.IntRange(1, 12).Draw(t, "times")))
	})
}

func checkSnippet(t interface{ Fatalf(string, ...any) }, query, text string) {
	found := terms.Query(query)
	s := newSnippeter(found, nil)
	defer s.release()
	plain := newPlainSnippeter(found)
	if got, want := s.snippet(text), plain.snippet(text); got != want {
		t.Fatalf("%q in %q: got\n%q, want\n%q", query, text, got, want)
	}
	s.folded.fold(text)
	s.findHits()
	if want := plain.hits(string(s.folded.text)); !slices.Equal(s.hits, want) {
		t.Fatalf("%q in %q: got\n%v, want\n%v", query, text, s.hits, want)
	}
}

// A word of ASCII is never ruled out for one of its own terms.
func TestBeginnings_OfOwnTerms(t *testing.T) {
	endings := []string{
		"", "s", "es", "ies", "ed", "ied", "eed", "ing", "ying", "y", "ly", "'s", "'d", "ational", "izer", "sses", "bli", "-", "::x",
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[A-Za-z0-9_.:'+#/’—…“-]{0,6}[a-z]{0,3}`).Draw(t, "begin") + rapid.SampledFrom(endings).Draw(t, "end")
		for _, term := range terms.Query(word) {
			var b beginnings
			b.add(term)
			if end, runes, found := b.scan([]byte(word+" after"), 0); found != mayHold || end != len(word) || runes != utf8.RuneCountInString(word) {
				t.Fatalf("%q has %q, but scan returned %d, %d", word, term, end, found)
			}
		}
	})
}

func TestBeginnings_RuleOut(t *testing.T) {
	var b beginnings
	b.add("zebra")
	b.add("a")
	for word, want := range map[string]int{
		"zebra": mayHold, "(Zebra)": mayHold, "myZebra": mayHold, "x9ze": mayHold, "zoo": 0, "bizebra": 0, "size": 0,
		"and": mayHold, "banana": 0, "“zebra”": mayHold, "zoo—": 0, "zoo’s": 0, "z’s": mayHold, "zo\u00eb": foreignWord,
	} {
		if _, _, found := b.scan([]byte(word+" zebra"), 0); found != want {
			t.Errorf("%q: %d, want %d", word, found, want)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("zebra", strings.Repeat("a zebra ", 40))
	f.Add("日本", strings.Repeat("日本語 ", 80))
	f.Add("\xff", "\xff\xfe"+strings.Repeat("\xe6\x97 ", 200))
	f.Fuzz(func(t *testing.T, query, text string) {
		if got := newSnippeter(terms.Query(query), nil).snippet(text); utf8.RuneCountInString(got) > snippetRunes {
			t.Errorf("%q", got)
		}
		checkSnippet(t, query, text)
	})
}

func BenchmarkSnippet(b *testing.B) {
	text := strings.Repeat("A reply of ordinary length explains how contexts are cancelled in servers.\n", 20)
	words := terms.Query("cancel a request context")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := newSnippeter(words, nil)
		s.snippet(text)
		s.release()
	}
}

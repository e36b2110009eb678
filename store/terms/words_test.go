package terms

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// hostile are texts that folding and splitting are likely to get wrong.
var hostile = []string{
	"", "Docker's compose-file, snake_case and fooBar42.", "to be or not to be", "O’Neill said: don't!",
	"Straße İstanbul ıI ſ ŉ ǆ ẞ µ ς", "ﬁne ｆｕｌｌ １２ ½ ⅓ № ⑴ Ⅷ ﷺ x² K", "cafe\u0301 café CAFE\u0301 \u0301x й и\u0306 и\u0301\u0306",
	"שָׁלוֹם מُحَمَّد مُحَمَّد ـa", "ภาษาไทยกำ ປີ", "日本語ｶﾞｷﾞ か\u3099 あ\u3099 ㌀ ⽇", "한국어 각 \u1100\u1161\u11a8",
	"👩‍👩‍👧 1️⃣ Docker™ “quoted” — ok", "hy\u00adphen zero\u200bwidth \u00ad", "a\x00b \xff\xfe c\xe2\x82", "नमस्ते का\u20dd",
	"Rustの本", "ab\u0301cd ab cd", strings.Repeat("e\u0301", 40) + strings.Repeat("\u0316\u0301", 40) + "z",
}

func wordsOf(text string) []string {
	var words []string
	for word := range Words(text) {
		words = append(words, string(word))
	}
	return words
}

func TestWords_FollowTheRules(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"case is folded, endings stay", "Running RUNS", "running runs"},
		{"stop words stay", "to be or not to be", "to be or not to be"},
		{"joints separate", "foo-bar snake_case a/b.c std::string", "foo bar snake case a b c std string"},
		{"both apostrophes separate", "O'Neill O’Neill don't", "o neill o neill don t"},
		{"capitals and digits do not split", "SendMessageW sha256", "sendmessagew sha256"},
		{"accents and ligatures are folded", "Café ﬁne ｆｕｌｌ Straße İstanbul", "cafe fine full strasse istanbul"},
		{"й is a letter of its own", "мой мои\u0306 ёлка", "мой мой елка"},
		{"symbols separate", "Docker™ “big” x²", "docker big x"},
		{"points and invisible formatting fall away", "שָׁלוֹם hy\u00adphen", "שלום hyphen"},
		{"characters without spaces are words", "Rustの本 ไทย ｶﾞ", "rust の 本 ไ ท ย ガ"},
		{"one character can be several words", "⅓ ㌀", "1 3 ア パ ー ト"},
		{"nothing", " … 🎉 \xff\x00 ", ""},
	} {
		if got := strings.Join(wordsOf(c.text), " "); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestWords_EqualTheFoldOfEveryLetter(t *testing.T) {
	for r := range unicode.MaxRune + 1 {
		if !utf8.ValidRune(r) {
			continue
		}
		switch kindOf(r) {
		case letter:
			if r < utf8.RuneSelf {
				continue
			}
			got := appendWord(nil, string(r))
			if want := string(lower(nil, fold(string(r)))); string(got) != want {
				t.Errorf("%U: got %q, want %q", r, got, want)
			}
		case unspaced:
			for _, word := range wordsOf(string(r)) {
				if isASCII(word) {
					t.Errorf("%U: folds to %q, which Phrase.hidden would miss", r, word)
				}
			}
			if got, want := appendRun(nil, string(r)), lower(nil, fold(string(r))); string(got) != string(want) {
				t.Errorf("%U: got %q, want %q", r, got, want)
			}
		}
	}
}

func TestKindOf_ShortCuts(t *testing.T) {
	for r := range unicode.MaxRune + 1 {
		kind := kindOf(r)
		if unicode.In(r, spaceless...) && kind != unspaced {
			t.Errorf("%U: is not in a script without spaces", r)
		}
		if r > '‑' && r < '\u2060' && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)) {
			t.Errorf("%U: separates", r)
		}
	}
}

// uncased reports whether folding does not undo upper case: of a mark that becomes a letter, and of old letter forms.
func uncased(r rune) bool { return r == 0x345 || r >= 0x1c80 && r <= 0x1c88 }

func FuzzWords(f *testing.F) {
	for _, text := range hostile {
		f.Add(text, "Über O’Neill")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		words := wordsOf(a)
		if got := wordsOf(norm.NFD.String(a)); !slices.Equal(got, words) {
			t.Errorf("%q: decomposed %q, want %q", a, got, words)
		}
		if !strings.ContainsFunc(a, uncased) {
			if got := wordsOf(strings.ToUpper(a)); !slices.Equal(got, words) {
				t.Errorf("%q: in upper case %q, want %q", a, got, words)
			}
		}
		if got := wordsOf(a + " " + b); !slices.Equal(got, append(words, wordsOf(b)...)) {
			t.Errorf("%q, %q: together %q", a, b, got)
		}
		for _, word := range words {
			if word == "" || !utf8.ValidString(word) || strings.ContainsAny(word, " \x00") {
				t.Errorf("%q: %q is no word", a, word)
			}
		}
	})
}

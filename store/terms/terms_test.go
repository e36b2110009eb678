package terms

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"lens/store"
)

func TestQuery_FollowsTheRules(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"stop words are left out", "how do I cancel async rust", "cancel async rust"},
		{"words are stemmed as English", "running connections generalization", "run connect general"},
		{"repeats are asked once", "rust Rust RUST", "rust"},
		{"stop words alone are kept", "to be or not to be", "to be or not"},
		{"contractions are what they contract", "I'm sure we're Anna's guests", "sure anna guest"},
		{"negations are stop words", "don't panic, it isn’t fatal", "panic fatal"},
		{"parts are split and the whole is kept", "SendMessageW", "sendmessagew send messag w"},
		{"capitals in a row are one word", "parseHTTPServer", "parsehttpserv pars http server"},
		{"underscores join", "ERR_42", "err_42 err 42"},
		{"hyphens join", "foo-bar", "foo-bar foo bar"},
		{"paths join, stop words inside fall away", "path/to.file", "path/to.file path file"},
		{"two colons join", "std::vector", "std::vector std vector"},
		{"dunder names are their inside", "__init__", "init"},
		{"digits split from letters", "sha256", "sha256 sha 256"},
		{"the tails of languages stay", "C++ and C#", "c++ c c#"},
		{"a full stop ends a sentence", "Rust. Async: yes", "rust async yes"},
		{"addresses join within the host and path", "https://a.example/x", "https a.example/x exampl x"},
		{"numbers are kept", "1969 3.14", "1969 3.14 3 14"},
		{"accents are folded", "Café NAÏVE ångström", "cafe naiv angstrom"},
		{"letters without decomposition are folded", "Straße Øre Łódź Œuvre", "strass ore lodz oeuvr"},
		{"й is a letter of its own, ё is not", "мой ёлка", "мой елка"},
		{"final sigma is sigma", "ΛΌΓΟΣ λόγος", "λογοσ"},
		{"vowel points are optional", "שָׁלוֹם مُحَمَّد", "שלום محمد"},
		{"decomposed is composed", "cafe\u0301", "cafe"},
		{"compatibility forms are plain", "ｆｕｌｌ ﬁne", "full fine"},
		{"soft hyphens are invisible", "hy\u00adphen", "hyphen"},
		{"Japanese becomes bigrams", "日本語の検索", "日本 本語 語の の検 検索"},
		{"one character is a term", "猫", "猫"},
		{"half-width Kana is Kana", "ｶﾞｷﾞ", "ガギ"},
		{"Thai becomes bigrams", "ไทย", "ไท ทย"},
		{"Hangul becomes bigrams", "한국어", "한국 국어"},
		{"scripts are told apart without spaces", "Rustの本", "rust の本"},
		{"nothing", " … 🎉 \xff\x00 ", ""},
	} {
		if got := strings.Join(Query(c.text), " "); got != c.want {
			t.Errorf("%s: %q: got %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

func TestDocument_CountsTerms(t *testing.T) {
	var a Analyzer
	got := a.Document("Rust, rust and C++.", "Is it so?", "黒猫")
	want := []store.TermCount{
		{Term: "rust", Count: 2},
		{Term: "c++", Count: 1},
		{Term: "c", Count: 1},
		{Term: "is", Count: 1},
		{Term: "it", Count: 1},
		{Term: "so", Count: 1},
		{Term: "黒", Count: 1},
		{Term: "猫", Count: 1},
		{Term: "黒猫", Count: 1},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if n := Length(got); n != 10 {
		t.Errorf("length is %d", n)
	}
	if again := a.Document("Rust"); len(again) != 1 || again[0].Count != 1 {
		t.Errorf("the next document inherits: %v", again)
	}
}

// What looks at several bytes at once finds the tokens that a look at each character finds, wherever they are in a text.
func TestDocument_FindsTheTokensOfScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.OneOf(rapid.Just("b "), rapid.StringMatching(`b{7,9}|b{15,17}|[a-zA-Z0-9]{1,18}`),
			rapid.StringMatching(`(b|b{7,9}|b{15,17}|the|is|GitHub|[a-z]{1,18}) `), rapid.SampledFrom([]string{"maar ", "les ", "été "}),
			rapid.SampledFrom([]string{" ", "++", "#", "::"}), rapid.SampledFrom([]string{
				"\n", ". ", ", ", "__", "-", "/", ".", "'", "+", "@", "[", "`", "{", "\x10", "\x7f", "\x80", "\xe1", "é", "’", "猫",
				"\u00ad", "…",
			}))
		text := "b " + strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "pieces"), "") +
			rapid.SampledFrom([]string{"", " sixteen bytes more", " bbbbbbbbbbbbbbbb"}).Draw(t, "end")
		a, tokens := new(Analyzer), new(Analyzer)
		for range 2 { // the second time, the tokens are known
			got := a.Document(text)
			tokens.begin(false)
			tokens.content, tokens.stopIDs, tokens.heard = false, nil, [2]hits{}
			scan(text, func(token string) { tokens.token(tokens.lexicon.token(token), &tokens.heard[0]) }, tokens.run)
			if !tokens.content {
				tokens.add(tokens.stopIDs)
			}
			if len(got) != len(tokens.touched) {
				t.Fatalf("%q: got %v", text, got)
			}
			heard, want := a.heard[0], tokens.heard[0]
			heard.sets[0] = 0 // which stands for no language
			if heard != want {
				t.Fatalf("%q: heard %d English words and %d others, want %d and %d",
					text, heard.english, heard.foreign, want.english, want.foreign)
			}
			for i, id := range tokens.touched {
				if want := (store.TermCount{Term: tokens.lexicon.vocabulary.Term(id), Count: tokens.counts[id]}); got[i] != want {
					t.Fatalf("%q: got %v, want %v", text, got[i], want)
				}
			}
		}
	})
}

func TestLettersOf(t *testing.T) {
	for c := range 256 {
		for at := range 8 {
			text := strings.Repeat("a", at) + string([]byte{byte(c)}) + strings.Repeat("Z9", 4)
			want := at
			if kinds[c] == letter {
				want = 8
			}
			if got := lettersOf(eightBytes(text, 0)); got != want {
				t.Errorf("byte %#x at %d: %d letters, want %d", c, at, got, want)
			}
		}
	}
}

func TestQuery_SingleHanCharacter(t *testing.T) {
	if !slices.ContainsFunc(new(Analyzer).Document("昨日黒猫を見た"), func(c store.TermCount) bool { return c.Term == Query("猫")[0] }) {
		t.Error("猫 does not find 黒猫")
	}
}

func TestQuery_IdentifierInAnyCase(t *testing.T) {
	for _, name := range []string{"SendMessageW", "getUsers", "ERR_42", "Foo-Bar", "HTTPServer"} {
		if whole, asked := Query(name)[0], Query(strings.ToLower(name))[0]; whole != asked {
			t.Errorf("%s is %q, asked for as %q", name, whole, asked)
		}
	}
}

func TestIdentifiers_OnlyPureLookups(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SendMessageW", "sendmessagew"},
		{"what is ERR_42?", "err_42"},
		{"foo-bar C++", "foo-bar c++"},
		{"SendMessageW crashes", ""},
		{"rust", ""},
		{"C++の本", ""},
		{"who is it", ""},
		{"ERR_42 " + strings.Repeat("a.", 20) + "b", ""},
		{"", ""},
	} {
		got := Identifiers(c.text)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: got %q", c.text, got)
		}
		for _, term := range got {
			if !slices.Contains(Query(c.text), term) {
				t.Errorf("%q: %q is not asked for", c.text, term)
			}
		}
	}
}

func TestDocument_LongTokensAndHashes(t *testing.T) {
	if got := Query(strings.Repeat("é", 500) + "X"); len(got) > 3 || len(got[0]) > maxTerm {
		t.Errorf("a long word is %q", got)
	}
	if got := Query("dGhpc0lzQmFzZTY0QW5kTG9uZw"); len(got) != 1 {
		t.Errorf("base64 is %q", got)
	}
	long := "https/" + strings.Repeat("word/", 40)
	if got := Query(long); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "/") }) {
		t.Errorf("a long path is kept whole: %q", got)
	}
}

func TestAnalyzer_FullLexiconIsDropped(t *testing.T) {
	var a Analyzer
	before := a.Document("the quick brown Fox_42")
	for i := range maxTokens + 2 {
		a.lexicon.token("filler" + string(rune('A'+i%26)) + strings.Repeat("z", i%20) + string(rune(0x4e00+i%20000)) + string(rune(0x400+i%64)))
	}
	if !a.lexicon.full() {
		t.Fatal("the lexicon does not fill up")
	}
	if after := a.Document("the quick brown Fox_42"); !slices.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
	if a.lexicon.full() || a.lexicon.tokens.used > 4 {
		t.Error("the lexicon was not dropped")
	}
}

// Stemmers number their stems in the vocabulary of their analyzer, which is dropped with all that knows its numbers.
func TestAnalyzer_FullVocabularyIsDropped(t *testing.T) {
	var a Analyzer
	turn := &store.Turn{UserText: "Où sont les maisons ?", AssistantText: "Les maisons sont à Paris, et il y a une église."}
	before := a.Turn(turn).TermCounts()
	for _, drop := range []func(){func() {}, func() { a.StemsIn(languageOf("fr"), "maison") }} {
		for i := range rune(maxVocabulary + 1) {
			a.lexicon.vocabulary.NumberOf(string([]rune{'a', 0x4e00 + i%20000, 'a' + i/20000}))
		}
		if drop(); !slices.Equal(a.Turn(turn).TermCounts(), before) {
			t.Errorf("before %v, after %v", before, a.Turn(turn).TermCounts())
		}
		if n := a.lexicon.vocabulary.Len(); n > maxVocabulary {
			t.Errorf("%d terms are kept", n)
		}
	}
}

func FuzzQuery_TermsAreInTheDocument(f *testing.F) {
	for _, seed := range []string{
		"how do I cancel async rust", "SendMessageW ERR_42 foo-bar", "C++ x# a--b __x__ ::", "日本語 ｶﾞ ไทย", "to be", "don't O’Neill's 'tis n't", "Ⱥ\u0345\u00ad\u200d ﷺ ½ ǅ",
		"\xff\xfe\x00", "ـ ́a",
	} {
		f.Add(seed)
	}
	used := new(Analyzer)
	f.Fuzz(func(t *testing.T, text string) {
		document := used.Document(text)
		if !slices.Equal(document, new(Analyzer).Document(text)) {
			t.Fatal("a used analyzer reads otherwise than a new one")
		}
		terms := make(map[string]bool)
		for _, c := range document {
			if c.Term == "" || c.Count == 0 || len(c.Term) > maxTerm || !utf8.ValidString(c.Term) || strings.Contains(c.Term, "\x00") {
				t.Fatalf("not a term: %q %d", c.Term, c.Count)
			}
			if terms[c.Term] {
				t.Fatalf("%q twice", c.Term)
			}
			terms[c.Term] = true
		}
		for _, term := range append(Query(text), Identifiers(text)...) {
			if !slices.ContainsFunc(document, func(c store.TermCount) bool { return c.Term == term }) {
				t.Fatalf("%q asks for %q, which its own text does not hold", text, term)
			}
		}
	})
}

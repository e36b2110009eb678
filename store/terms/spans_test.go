package terms

import (
	"iter"
	"slices"
	"testing"
)

func TestSpans(t *testing.T) {
	cut := func(text string, of func(string) iter.Seq2[int, int]) (parts []string) {
		for from, to := range of(text) {
			parts = append(parts, text[from:to])
		}
		return parts
	}
	for text, want := range map[string][2][]string{
		"":                       {},
		"a chord, (two) chords!": {{"a", "chord", "two", "chords"}, {"a", "chord", "two", "chords"}},
		"C++ in src/main.cpp":    {{"C++", "in", "src/main.cpp"}, {"C", "in", "src", "main", "cpp"}},
		"最初に select":             {{"最初に", "select"}, {"最初に", "select"}},
		"\xffa\x80b":             {{"a", "b"}, {"a", "b"}},
	} {
		if got := cut(text, Tokens); !slices.Equal(got, want[0]) {
			t.Errorf("%q has the tokens %q, want %q", text, got, want[0])
		}
		if got := cut(text, WordsOf); !slices.Equal(got, want[1]) {
			t.Errorf("%q has the words %q, want %q", text, got, want[1])
		}
	}
}

package bpe

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTokens(t *testing.T) {
	for text, want := range map[string][]string{
		"":                  nil,
		"tiktoken is great": {"t", "ik", "token", " is", " great"},
		"x\n \n y":          {"x", "\n \n", " y"},
		"I've 12345 €":      {"I", "'ve", " ", "123", "45", " €"},
	} {
		if got := slices.Collect(Cl100k().Tokens(text)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if n := O200k().Count("Feed the starter twice a day."); n != 7 {
		t.Errorf("got %d tokens, want 7", n)
	}
}

// A text without blanks is one piece, whose merging must not take time that grows with the square of its length.
func TestTokens_LongPiece(t *testing.T) {
	for name, part := range map[string]string{
		"letters": "qxzjkvwpy", "capitals": "QXZJKVWPY", "digits": "314159265", "signs": "?!?!?!?!?", "marks": "\u0301\u0302\u0303",
		"blanks": "   \t \t\t  ", "lines": "\r\n\n\r\n \n\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(part, 50_000)
			for _, v := range []*Vocabulary{Cl100k(), O200k()} {
				begun := time.Now()
				if n := v.Count(text); n < 1 {
					t.Errorf("%d tokens", n)
				}
				if took := time.Since(begun); took > 10*time.Second {
					t.Errorf("took %v", took)
				}
			}
		})
	}
}

func FuzzTokens(f *testing.F) {
	for _, text := range []string{"", "I've 'sa\xff\xfe", "' \r\n'", "\u0301a ǅb", "1234\t\t x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, v := range []*Vocabulary{Cl100k(), O200k()} {
			tokens := slices.Collect(v.Tokens(text))
			if strings.Join(tokens, "") != text || slices.Contains(tokens, "") {
				t.Errorf("%q: got %q", text, tokens)
			}
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	b.Run("cl100k", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ranks(cl100kTokens, 100_256)
		}
	})
	b.Run("o200k", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ranks(o200kTokens, 199_998)
		}
	})
}

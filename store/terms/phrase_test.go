package terms

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// occurs is what Phrase.In promises, said plainly.
func occurs(phrase, text string) bool {
	want, words := wordsOf(phrase), wordsOf(text)
	for i := 0; len(want) > 0 && i+len(want) <= len(words); i++ {
		if slices.Equal(words[i:i+len(want)], want) {
			return true
		}
	}
	return false
}

func TestPhrase_Occurs(t *testing.T) {
	for _, c := range []struct {
		phrase, text string
		want         bool
	}{
		{"docker compose", "Use Docker-Compose.", true},
		{"docker compose", "first docker\n\n— “Compose”", true},
		{"docker compose", "docker and compose", false},
		{"docker compose", "docker composer", false},
		{"docker compose", "dockerdocker compose compose", false},
		{"docker", "dockér", true},
		{"docker", "docker's", true},
		{"docker", "redocker dockerize édocker dockeré", false},
		{"docker", "\u0301docker", true},
		{"docker", "ｄｏｃｋｅｒ", true},
		{"docker", "doc\u00adker", true},
		{"to be or not to be", "to be or to be or not to be", true},
		{"a b", "a é b a\u0301 b", true},
		{"don't panic", "Don’t panic", true},
		{"cafe", "CAFÉ", true},
		{"café", "cafe", true},
		{"naive 日本", "Naïve、日本語", true},
		{"本", "日本語", true},
		{"3", "⅓", true},
		{"", "anything", false},
		{"ab", "ｶ\u3099abก", true},
		{"…", "…", false},
	} {
		if got := NewPhrase(c.phrase).In(c.text); got != c.want || got != occurs(c.phrase, c.text) {
			t.Errorf("%q in %q: got %v", c.phrase, c.text, got)
		}
	}
}

func TestPhrase_AgreesOnRandomTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := append(strings.Fields("a b ab A B AB é É e\u0301 a\u0301 ｂ ﬁ fi ß ss İ i ŉ n ⅓ 1 3 ⁄ ’ ' - _ \u00ad \u0301 \u200d ุ ก 日 ｶ ﾞ か \u3099 שָ ש 👩 ™ K k \x00 \xff \xe2"),
		" ", " ", " ", "\n", ", ")
	some := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	hits := 0
	for range 50_000 {
		phrase, text := some(5), some(16)
		want := occurs(phrase, text)
		if want {
			hits++
		}
		if got := NewPhrase(phrase).In(text); got != want {
			t.Fatalf("%q in %q: got %v, want %v", phrase, text, got, want)
		}
	}
	if hits < 500 {
		t.Errorf("only %d phrases occur", hits)
	}
}

func FuzzPhrase(f *testing.F) {
	for _, text := range hostile {
		f.Add("docker compose", text, 0, 3)
		f.Add(text, "not so "+text, 2, 9)
	}
	f.Fuzz(func(t *testing.T, phrase, text string, from, to int) {
		if from >= 0 && from <= to && to <= len(text) { // a part of the text occurs more often than chance has it
			if part := text[from:to]; NewPhrase(part).In(text) != occurs(part, text) {
				t.Errorf("%q in %q: want %v", part, text, occurs(part, text))
			}
		}
		if got, want := NewPhrase(phrase).In(text), occurs(phrase, text); got != want {
			t.Errorf("%q in %q: got %v, want %v", phrase, text, got, want)
		}
	})
}

func TestPhrase_AllocatesNothing(t *testing.T) {
	text := strings.Repeat("Für die Docker-Container — “compose” files. ", 50)
	text += strings.Repeat("日本語の文章を検索する。", 10)
	for _, phrase := range []string{"docker compose", "fur die", "die container", "für das", "語本"} {
		p := NewPhrase(phrase)
		if n := testing.AllocsPerRun(10, func() { p.In(text) }); n > 0 {
			t.Errorf("%q: %v allocations", phrase, n)
		}
	}
}

func BenchmarkPhrase(b *testing.B) {
	plain := "The Docker daemon reads each container's file, and compose starts what docker build made; to be sure, run it.\n"
	for _, text := range []struct{ name, text string }{
		{"ascii", strings.Repeat(plain, 18)},
		{"punctuated", strings.Repeat(strings.ReplaceAll(plain, "'", "’")+"— “ok” ", 17)},
		{"german", strings.Repeat("Für die Größe des Gehäuses wählt man, wie üblich, das nächste Maß; docker läuft dort auch.\n", 21)},
		{"japanese", strings.Repeat("日本語の文章を検索するときは、単語の間に空白がありません。", 24)},
	} {
		for _, phrase := range []string{"docker compose", "to be or not to be", "kubernetes", "größe", "検索者"} {
			p := NewPhrase(phrase)
			b.Run(fmt.Sprint(text.name, "/", strings.ReplaceAll(phrase, " ", "-")), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p.In(text.text)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text.text))*1024, "ns/KB")
			})
		}
	}
}

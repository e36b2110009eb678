package retrieval_test

import (
	"slices"
	"strings"
	"testing"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/store/archivetest"
)

func TestPeek_PeakCaptions(t *testing.T) {
	e := retrieval.New(archivetest.New(t, testenv.Demo(t, demo.Options{})), nil)
	captioned := 0
	for _, text := range []string{"running", "error", "invoice", "letter", "japanese"} {
		q := query.Literal(text)
		q.Bin, q.TopK = "quarter", new(400)
		p, err := e.Peek(t.Context(), q)
		testenv.Must(t, err)
		for _, peak := range p.Peaks {
			t.Logf("%s: %s %v, %q", text, peak.Start.Format("2006-01"), peak.Words, peak.Title)
			if len(peak.Words) > 3 {
				t.Errorf("%s: %+v", text, peak)
			}
			in := 0
			for _, m := range p.Matches {
				if m.Title == peak.Title && m.Time != nil && !m.Time.Before(peak.Start) && m.Time.Before(peak.End) {
					in++
				}
			}
			if peak.Title != "" && 2*in <= peak.Count {
				t.Errorf("%s: %d of %d are in %q", text, in, peak.Count, peak.Title)
			}
			if slices.ContainsFunc(peak.Words, func(word string) bool { return strings.EqualFold(word, text) }) {
				t.Errorf("%s: the words of its peak repeat it: %v", text, peak.Words)
			}
			if len(peak.Words) > 0 {
				captioned++
			}
		}
	}
	if captioned < 3 {
		t.Errorf("%d peaks have words", captioned)
	}
}

// What sets the matches of a few words apart would be read as an answer where no turn has all words.
func TestPeek_NoCaptionsWhereTheMatchesMayNotSpeakOfTheQuery(t *testing.T) {
	e := retrieval.New(archivetest.New(t, testenv.Demo(t, demo.Options{})), nil)
	q := query.Literal("running japanese invoice letter oven")
	q.Bin, q.TopK = "quarter", new(400)
	p, err := e.Peek(t.Context(), q)
	testenv.Must(t, err)
	if len(p.Peaks) == 0 || p.Occurrences.Total > 0 || *p.Coverage.Confidence >= .5 {
		t.Fatalf("%d peaks, %d turns with all words, confidence %v",
			len(p.Peaks), p.Occurrences.Total, *p.Coverage.Confidence)
	}
	for _, peak := range p.Peaks {
		if peak.Title != "" || len(peak.Words) > 0 {
			t.Errorf("%s: %v, %q", peak.Start.Format("2006-01"), peak.Words, peak.Title)
		}
	}
}

// BenchmarkPeek_Captions is a search whose peaks are explained.
func BenchmarkPeek_Captions(b *testing.B) {
	e := retrieval.New(archivetest.New(b, testenv.Demo(b, demo.Options{Turns: largeTurns})), nil)
	q := query.Literal("japanese error")
	q.Bin = "quarter"
	for b.Loop() {
		p, err := e.Peek(b.Context(), q)
		testenv.Must(b, err)
		if len(p.Peaks) == 0 {
			b.Fatal("no peaks")
		}
	}
}

// Most is more than half.
func TestMostlyIn(t *testing.T) {
	for _, c := range []struct {
		conversations string
		matches       int
		want          rune
	}{{"abab", 4, 0}, {"abaa", 4, 'a'}, {"bcccc", 5, 'c'}, {"aabcd", 5, 0}, {"cc", 4, 0}, {"", 0, 0}} {
		got, most := retrieval.MostlyIn([]rune(c.conversations), c.matches)
		if most && got != c.want || most != (c.want != 0) {
			t.Errorf("%d matches, of them %s: %q, %t", c.matches, c.conversations, got, most)
		}
	}
}

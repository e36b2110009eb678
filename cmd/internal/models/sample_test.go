package models

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"lens/retrieval/embed"
)

// byteModel has a token for every two bytes of code and for every four of prose.
type byteModel struct {
	embed.Embedder
	failure error

	mu    sync.Mutex
	calls int
}

func tokensOf(text string) int { return (strings.Count(text, "{") + len(text)) / 4 }

func (m *byteModel) Embed(_ context.Context, texts []string) ([]embed.Embedding, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	results := make([]embed.Embedding, len(texts))
	for i, text := range texts {
		results[i].Tokens = tokensOf(text)
	}
	return results, m.failure
}

// archives of very different lengths, in which few long texts have most of the tokens
var sampled = map[string]func(i int) string{
	"short prose":         func(int) string { return strings.Repeat("word", 10) },
	"few long texts":      func(i int) string { return strings.Repeat("word", 10+i%100/99*20_000) },
	"long texts are code": func(i int) string { return strings.Repeat("word", 50) + strings.Repeat("{", i%50/49*50_000) },
	"code came later":     func(i int) string { return strings.Repeat([]string{"word", "{{{{"}[i/1000], 300) },
}

func TestSample_TokensOfOtherLengths(t *testing.T) {
	for name, text := range sampled {
		s, want := newSample(), 0
		for i := range 2000 {
			s.add(text(i))
			want += tokensOf(text(i))
		}
		found, err := s.measure(t.Context(), new(byteModel), time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if got := found.tokens * float64(s.bytes); got < 0.85*float64(want) || got > 1.15*float64(want) || found.nanoseconds <= 0 {
			t.Errorf("%s: %.0f tokens estimated, %d counted, %v ns a byte", name, got, want, found.nanoseconds)
		}
		if len(s.pieces) != samplePieces {
			t.Errorf("%s: %d pieces", name, len(s.pieces))
		}
	}
}

func TestSample_FewTextsAreAllMeasured(t *testing.T) {
	s, want := newSample(), 0
	for i := range 20 {
		text := strings.Repeat("{wor", i*100)
		s.add(text)
		want += tokensOf(text)
	}
	found, err := s.measure(t.Context(), new(byteModel), time.Minute)
	if got := int(found.tokens*float64(s.bytes) + 0.5); err != nil || got != want {
		t.Errorf("%d tokens, want %d, %v", got, want, err)
	}
}

func TestSample_Budget(t *testing.T) {
	s, m := newSample(), new(byteModel)
	s.add(strings.Repeat("word", 1<<20))
	if found, err := s.measure(t.Context(), m, 0); err != nil || found.tokens != 0.25 || m.calls > 3 {
		t.Errorf("%+v after %d calls, %v", found, m.calls, err)
	}
	failure := errors.New("a damaged model")
	if _, err := s.measure(t.Context(), &byteModel{failure: failure}, time.Minute); !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	if found, err := newSample().measure(t.Context(), m, time.Minute); err != nil || found != (cost{}) {
		t.Errorf("of nothing: %+v, %v", found, err)
	}
}

package openai

import (
	"errors"
	"iter"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCountTokens(t *testing.T) {
	for text, want := range map[string]int{ // by tiktoken's cl100k_base
		"hello world":                  2,
		"tiktoken is great!":           6,
		"お誕生日おめでとう":                    9,
		"antidisestablishmentarianism": 6,
	} {
		if got := countTokens(text); got != want {
			t.Errorf("%q has %d tokens, counted %d", text, want, got)
		}
	}
}

func TestCutTokens_WholeCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab \n\t 1'é日🦀{}")), 0, 300, -1).Draw(t, "text")
		limit := rapid.IntRange(1, 120).Draw(t, "limit")
		cut, tokens := cutTokens(text, limit)
		switch {
		case !strings.HasPrefix(text, cut) || !utf8.ValidString(cut):
			t.Fatalf("%q is not a prefix of the text", cut)
		case tokens != countTokens(cut) || tokens > limit:
			t.Fatalf("returned %d tokens, counted %d, limit %d", tokens, countTokens(cut), limit)
		case cut != text && countTokens(text) <= limit:
			t.Fatal("cut although it fits")
		case cut != text && tokens < limit-8:
			t.Fatalf("cut to %d tokens where %d are allowed", tokens, limit)
		}
	})
}

func TestCutTokens_EnormousText(t *testing.T) {
	text := strings.Repeat("x y ", 16<<20)
	cutting := time.Hour
	for range 5 {
		started := time.Now()
		if cut, tokens := cutTokens(text, 100); tokens != 100 || len(cut) == 0 {
			t.Errorf("%d tokens", tokens)
		}
		cutting = min(cutting, time.Since(started))
	}
	started := time.Now()
	countTokens(text[:4<<20])
	if reading := time.Since(started); cutting > reading {
		t.Errorf("to cut 64 MB took %v, to read 4 MB through %v", cutting, reading)
	}
}

func list(texts ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, text := range texts {
			if !yield(text, nil) {
				return
			}
		}
	}
}

func TestEstimate(t *testing.T) {
	long := strings.Repeat(" word", 10_000)
	e := New(http.DefaultClient, Options{MaxInputs: 2})
	got, err := e.Estimate(t.Context(), list("hello world", long, "", long))
	if err != nil {
		t.Fatal(err)
	}
	if got.Texts != 3 || got.Tokens != 2+2*8191 || got.Truncated != 2 || got.Requests != 2 || !got.Exact {
		t.Errorf("%+v", got)
	}
	if want := float64(2+2*8191) * 0.13 / 1e6; !got.Priced || got.USD != want {
		t.Errorf("got $%v, want $%v", got.USD, want)
	}
	if want := time.Duration(float64(got.Tokens) * 60e3); got.Time.Round(time.Millisecond) != want.Round(time.Millisecond) {
		t.Errorf("got %v, want %v", got.Time, want)
	}
}

func TestEstimate_UnknownModel(t *testing.T) {
	got, err := New(http.DefaultClient, Options{Model: "nomic-embed-text"}).Estimate(t.Context(), list("hello world"))
	if err != nil || got.Priced || got.Exact || got.Time != 0 || got.Tokens != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestEstimate_FailingTexts(t *testing.T) {
	broken := errors.New("broken")
	_, err := New(http.DefaultClient, Options{}).Estimate(t.Context(), func(yield func(string, error) bool) {
		_ = yield("a", nil) && yield("", broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkCountTokens(b *testing.B) {
	text := strings.Repeat("How do I cancel an in-flight request when the client disconnects?\n", 30)
	countTokens(text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		countTokens(text)
	}
}

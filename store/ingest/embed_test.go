package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest"
)

const testDim = 8

// vector is the scripted model's embedding: a type of its own, with the shape that ingest requires.
type vector struct {
	Values    []float32
	Tokens    int
	Truncated bool
	Text      string
	Err       error
}

// model is a scripted embedding model. Its vectors are not of unit length.
type model struct {
	name   string
	dim    int
	fail   func(call int) error    // of the whole call, after half of its texts
	refuse func(text string) error // of one text

	mu    sync.Mutex
	calls int
	texts []string
}

func (m *model) Model() (provider, name string) { return "test", m.name }

func (m *model) Embed(_ context.Context, texts []string) ([]vector, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	var failure error
	if m.fail != nil {
		failure = m.fail(m.calls)
	}
	out := make([]vector, len(texts))
	for i, text := range texts {
		switch {
		case failure != nil && i >= len(texts)/2:
			out[i].Err = failure
		case m.refuse != nil && m.refuse(text) != nil:
			out[i] = vector{Tokens: 1, Err: m.refuse(text)}
		default:
			m.texts = append(m.texts, text)
			out[i] = vector{Values: make([]float32, m.dim), Tokens: 10, Truncated: strings.Contains(text, "number 7?")}
			if out[i].Truncated {
				out[i].Text = text[:len("User: ")]
			}
			out[i].Values[0], out[i].Values[len(text)%m.dim] = 3, 4
		}
	}
	return out, failure
}

func embedAll(t testing.TB, st store.Store) *model {
	t.Helper()
	m := &model{name: "scripted", dim: testDim}
	if _, err := ingest.Embed(t.Context(), st, m, ingest.EmbedOptions{}); err != nil {
		t.Fatal(err)
	}
	return m
}

func generations(t testing.TB, st store.Store) []store.Generation {
	t.Helper()
	all, err := st.Generations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestEmbed_EveryTurnOnce(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(100))
	m := &model{name: "scripted", dim: testDim}
	var last ingest.Progress
	report, err := ingest.Embed(t.Context(), st, m, ingest.EmbedOptions{Page: 16, AtOnce: 3, Progress: func(p ingest.Progress) { last = p }})
	if err != nil {
		t.Fatal(err)
	}
	if report.Embedded != 100 || report.Tokens != 1000 || report.Truncated != 1 || report.Pending != 0 || len(report.Failed) != 0 {
		t.Errorf("report %+v", report)
	}
	if last.Done != 100 || last.Total != 100 || last.Turns != 100 {
		t.Errorf("progress %+v", last)
	}
	if gens := generations(t, st); len(gens) != 1 || !gens[0].Active || gens[0].Vectors != 100 || gens[0].Dim != testDim {
		t.Errorf("generations %+v", gens)
	}
	found, err := st.Nearest(t.Context(), unit(1, 0), store.Filter{}, 1000)
	if err != nil || len(found) != 100 {
		t.Fatal(len(found), err)
	}
	if best := found[0].Similarity; math.Abs(best-1) > 1e-3 && math.Abs(best-0.6) > 1e-3 {
		t.Errorf("similarity %v: vectors are not of unit length", best)
	}
	again := embedAll(t, st)
	if again.calls != 0 {
		t.Errorf("a second run asked for %d texts", len(again.texts))
	}
}

func unit(x, y float32) []float32 {
	v := make([]float32, testDim)
	v[0], v[1] = x, y
	return v
}

func TestEmbed_EqualTexts(t *testing.T) {
	chats := manyChats(4)
	for i := range chats {
		chats[i].messages[0].text, chats[i].messages[1].text = "Thanks!", "You are welcome."
	}
	st := newArchive(t)
	importChats(t, st, chats)
	if m := embedAll(t, st); len(m.texts) != 1 || len(vectors(t, st, "c0q", "c1q", "c2q", "c3q")) != 4 {
		t.Errorf("asked for %q", m.texts)
	}
}

func TestEmbed_KeepsWhatWasEmbedded(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(10))
	embedAll(t, st)
	cut := 0
	for turn, err := range st.EachTurn(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		want := turn.EmbeddedText()
		if strings.Contains(want, "number 7?") {
			want = "User: "
			cut++
		}
		got, err := st.Embedded(t.Context(), []uuid.UUID{turn.ID})
		if err != nil || got[0].Text != want || got[0].Content != store.ContentHash(want) {
			t.Errorf("got %+v (%v), want %q", got, err, want)
		}
	}
	if cut != 1 {
		t.Errorf("%d texts were cut", cut)
	}
}

// The text of a vector is the question and the summary of the reply, else the reply, without the title. A turn with one
// side alone is kept and has no vector.
func TestEmbed_TextOfATurn(t *testing.T) {
	chats := manyChats(4)
	for i := range chats {
		chats[i].title = "A title"
	}
	chats[1].messages[1].summary = "It is odd."
	chats[2].messages = chats[2].messages[:1]
	chats[3].messages = chats[3].messages[1:]
	st := newArchive(t)
	importChats(t, st, chats)
	m := embedAll(t, st)
	slices.Sort(m.texts)
	want := []string{"User: What is the number 0?\nAssistant: It comes after -1.", "User: What is the number 1?\nAssistant: It is odd."}
	if !slices.Equal(m.texts, want) {
		t.Errorf("embedded %q", m.texts)
	}
	for _, c := range []struct {
		message, text string
		summary       bool
	}{{"c0q", want[0], false}, {"c1q", want[1], true}, {"c2q", "", false}, {"c3a", "", false}} {
		turn := turnOf(t, st, c.message)
		got, err := st.Embedded(t.Context(), []uuid.UUID{turn.ID})
		if err != nil || got[0].Text != c.text || got[0].UsedSummary != c.summary || (got[0].Generation == 0) != (c.text == "") {
			t.Errorf("%s: got %+v, %v", c.message, got, err)
		}
	}
	if g := generations(t, st)[0]; g.Vectors != 2 || !g.Active {
		t.Errorf("generation %+v", g)
	}
}

func TestEmbed_RefusedText(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(30))
	refused := errors.New("not this one")
	m := &model{name: "scripted", dim: testDim, refuse: func(text string) error {
		if strings.Contains(text, "number 3?") {
			return refused
		}
		return nil
	}}
	report, err := ingest.Embed(t.Context(), st, m, ingest.EmbedOptions{Page: 4})
	if err != nil || report.Embedded != 29 || report.Pending != 1 || len(report.Failed) != 1 {
		t.Fatalf("%+v, %v", report, err)
	}
	if f := report.Failed[0]; !errors.Is(f.Err, refused) || f.Turn != store.TurnID(testID("c3q")) {
		t.Errorf("failed: %+v", f)
	}
	if m := embedAll(t, st); len(m.texts) != 1 {
		t.Errorf("the next run asked for %d texts", len(m.texts))
	}
}

func TestEmbed_ZeroVector(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(3))
	zero := zeroModel{model{name: "scripted", dim: testDim}}
	report, err := ingest.Embed(t.Context(), st, &zero, ingest.EmbedOptions{})
	if err != nil || report.Embedded != 2 || len(report.Failed) != 1 || !errors.Is(report.Failed[0].Err, store.ErrNotAVector) {
		t.Errorf("%+v, %v", report, err)
	}
}

type zeroModel struct{ model }

func (m *zeroModel) Embed(ctx context.Context, texts []string) ([]vector, error) {
	out, err := m.model.Embed(ctx, texts)
	out[1].Values = make([]float32, testDim)
	return out, err
}

func TestEmbed_FailureKeepsVectors(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(100))
	down := errors.New("the server is gone")
	m := &model{name: "scripted", dim: testDim, fail: func(call int) error {
		if call == 3 {
			return down
		}
		return nil
	}}
	report, err := ingest.Embed(t.Context(), st, m, ingest.EmbedOptions{Page: 10, AtOnce: 1})
	if !errors.Is(err, down) || report.Embedded != 25 || len(report.Failed) != 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	next := embedAll(t, st)
	if len(next.texts) != 75 {
		t.Errorf("the next run asked for %d texts", len(next.texts))
	}
	if both := slices.Concat(m.texts, next.texts); len(slices.Compact(slices.Sorted(slices.Values(both)))) != 100 {
		t.Error("a text was paid for twice")
	}
}

// batchedModel is a server that answers two texts at a time, one request after the other.
type batchedModel struct{ model }

func (m *batchedModel) EmbedBatches(ctx context.Context, texts []string, arrived func(at []int, results []vector)) error {
	for i := 0; i < len(texts) && ctx.Err() == nil; i += 2 {
		results, err := m.Embed(ctx, texts[i:i+2])
		if err != nil {
			return err
		}
		arrived([]int{i, i + 1}, results)
	}
	return ctx.Err()
}

func TestEmbed_BatchesAreStoredAsTheyArrive(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(20))
	m := &batchedModel{model{name: "scripted", dim: testDim}}
	m.fail = func(call int) error {
		stored := 0
		for _, g := range generations(t, st) {
			stored += g.Vectors
		}
		if want := 2 * (call - 1); stored != want {
			t.Errorf("%d vectors are stored at request %d, want %d", stored, call, want)
		}
		return nil
	}
	report, err := ingest.Embed(t.Context(), st, m, ingest.EmbedOptions{})
	if err != nil || report.Embedded != 20 || report.Pending != 0 || m.calls != 10 {
		t.Errorf("%+v after %d requests, %v", report, m.calls, err)
	}
}

func TestEmbed_FullDiskEndsPaying(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(20))
	full := errors.New("the disk is full")
	m := &batchedModel{model{name: "scripted", dim: testDim}}
	report, err := ingest.Embed(t.Context(), &failingStore{st, 3, full}, m, ingest.EmbedOptions{})
	if !errors.Is(err, full) || report.Embedded != 6 || m.calls != 4 {
		t.Errorf("%+v after %d requests, %v", report, m.calls, err)
	}
}

func TestEmbed_CanceledRunKeepsVectors(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(20))
	ctx, cancel := context.WithCancel(t.Context())
	m := &model{name: "scripted", dim: testDim, fail: func(int) error { cancel(); return context.Canceled }}
	report, err := ingest.Embed(ctx, st, m, ingest.EmbedOptions{})
	if !errors.Is(err, context.Canceled) || report.Embedded != 10 || generations(t, st)[0].Vectors != 10 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestEmbed_NewModel(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(50))
	embedAll(t, st)
	down := errors.New("the server is gone")
	next := &model{name: "next", dim: 4, fail: func(call int) error {
		if call == 2 {
			return down
		}
		return nil
	}}
	if _, err := ingest.Embed(t.Context(), st, next, ingest.EmbedOptions{Page: 20}); !errors.Is(err, down) {
		t.Fatal(err)
	}
	if gens := generations(t, st); len(gens) != 2 || gens[0].Model != "scripted" || gens[1].Active {
		t.Fatalf("halfway: %+v", gens)
	}
	next.fail = nil
	report, err := ingest.Embed(t.Context(), st, next, ingest.EmbedOptions{Page: 20})
	if err != nil || !report.Generation.Active {
		t.Fatalf("%+v, %v", report, err)
	}
	if gens := generations(t, st); gens[0].Model != "next" || gens[0].Vectors != 50 || gens[1].Active || gens[1].Vectors != 50 {
		t.Errorf("in the end: %+v", gens)
	}
	if len(next.texts) != 50 {
		t.Errorf("%d texts were paid for", len(next.texts))
	}
}

func TestEmbed_MostTurnsRefused(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(20))
	embedAll(t, st)
	picky := &model{name: "picky", dim: 4, refuse: func(text string) error {
		if strings.Contains(text, "number 1?") {
			return nil
		}
		return errors.New("no")
	}}
	report, err := ingest.Embed(t.Context(), st, picky, ingest.EmbedOptions{})
	if err != nil || report.Generation.Active || generations(t, st)[0].Model != "scripted" {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestEmbed_ChangedDimension(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(30))
	wide := &model{name: "scripted", dim: testDim}
	if _, err := ingest.Embed(t.Context(), st, wide, ingest.EmbedOptions{Filter: store.Filter{Conversation: testID("c1")}}); err != nil {
		t.Fatal(err)
	}
	narrow := &model{name: "scripted", dim: 4}
	report, err := ingest.Embed(t.Context(), st, narrow, ingest.EmbedOptions{Page: 10})
	if err != nil || report.Generation.Dim != 4 || !report.Generation.Active || report.Pending != 0 || report.Embedded != 30 {
		t.Errorf("%+v, %v", report, err)
	}
}

// fakeCounter counts the texts that it gets.
type fakeCounter struct{ model }

func (*fakeCounter) Estimate(_ context.Context, texts iter.Seq2[string, error]) (n int, err error) {
	for _, err = range texts {
		if err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func TestEstimate(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, manyChats(1100))
	c := &fakeCounter{model{name: "scripted"}}
	for _, want := range []int{1100, 0} {
		if n, err := ingest.Estimate(t.Context(), st, c, store.Filter{}); n != want || err != nil {
			t.Errorf("%d texts, %v, want %d", n, err, want)
		}
		embedAll(t, st)
	}
	if n, err := ingest.Estimate(t.Context(), st, &fakeCounter{model{name: "other"}}, store.Filter{Conversation: testID("c1")}); n != 1 || err != nil {
		t.Errorf("%d texts for another model, %v", n, err)
	}
}

func ExampleEmbed() {
	ctx := context.Background()
	st, done := exampleArchive()
	defer done()
	report, err := ingest.Embed(ctx, st, &model{name: "scripted", dim: testDim}, ingest.EmbedOptions{})
	fmt.Println(report.Embedded, report.Pending, err)
	// Output: 2 0 <nil>
}

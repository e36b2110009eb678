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
	"time"

	"github.com/google/uuid"

	"lens/internal/testenv"
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

// repeatingChats are turns with distinct texts, and then as many with only a few.
func repeatingChats(distinct, repeating, texts int) []chat {
	chats := manyChats(distinct + repeating)
	for i := distinct; i < len(chats); i++ {
		chats[i].messages[0].text, chats[i].messages[1].text = fmt.Sprintf("Number %d, thanks!", 7000+i%texts), "You are welcome."
	}
	return chats
}

// checkOnce checks that a text was sent once, and how many there were.
func checkOnce(t *testing.T, want int, models ...*model) {
	t.Helper()
	var all []string
	for _, m := range models {
		all = append(all, m.texts...)
	}
	slices.Sort(all)
	if once := slices.Compact(slices.Clone(all)); len(all) != want || len(once) != want {
		t.Errorf("%d texts were sent, %d of them distinct, want %d", len(all), len(once), want)
	}
}

// checkVectors checks that every turn has the vector of its text, to the bit.
func checkVectors(t *testing.T, st store.Store, turns int) {
	t.Helper()
	gen, n := generations(t, st)[0], 0
	for turn, err := range st.EachTurn(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		text := turn.EmbeddedText()
		want := text
		if strings.Contains(text, "number 7?") { // cut by the model
			want = "User: "
		}
		e, err := st.Embedded(t.Context(), []uuid.UUID{turn.ID})
		if err != nil || e[0].Generation != gen.ID || e[0].Text != want {
			t.Fatalf("turn %s: %+v, %v", turn.ID, e[0], err)
		}
		cosine, err := st.Similarities(t.Context(), unit(1, 0), []store.Ord{turn.Ord})
		if want := 0.6; len(text)%testDim != 0 && (err != nil || math.Abs(cosine[0]-want) > 1e-3) {
			t.Fatalf("turn %s: %v, %v", turn.ID, cosine, err)
		}
	}
	if n != turns || gen.Vectors != turns {
		t.Errorf("%d turns and %d vectors, want %d", n, gen.Vectors, turns)
	}
}

func TestEmbed_EqualTextsOnOtherPages(t *testing.T) {
	for _, atOnce := range []int{1, 2, 8} {
		st := newArchive(t)
		importChats(t, st, repeatingChats(10, 90, 5))
		m := &model{name: "scripted", dim: testDim}
		var last ingest.Progress
		report, err := ingest.Embed(t.Context(), st, m, ingest.EmbedOptions{
			Page: 7, AtOnce: atOnce, Progress: func(p ingest.Progress) { last = p },
		})
		if err != nil || report.Embedded != 100 || report.Reused != 85 || report.Tokens != 150 || report.Pending != 0 {
			t.Errorf("%d pages at once: %+v, %v", atOnce, report, err)
		}
		if last.Done != 100 || last.Total != 100 || last.Turns != 100 {
			t.Errorf("progress %+v", last)
		}
		checkOnce(t, 15, m)
		checkVectors(t, st, 100)
	}
}

// While a page waits for vectors, two others with the same texts come. They do not ask for them.
func TestEmbed_EqualTextsAtTheSameTime(t *testing.T) {
	st := &watchedStore{Store: newArchive(t), lookups: make(chan struct{}, 100)}
	importChats(t, st, repeatingChats(4, 12, 4)) // a page of its own, and three pages with the same four texts
	m := &slowModel{model: model{name: "scripted", dim: testDim}, st: st}
	report, err := ingest.Embed(t.Context(), st, m, ingest.EmbedOptions{Page: 4, AtOnce: 4})
	if err != nil || report.Embedded != 16 || report.Reused != 8 {
		t.Errorf("%+v, %v", report, err)
	}
	checkOnce(t, 8, &m.model)
	checkVectors(t, st, 16)
}

// watchedStore tells when texts have been looked up.
type watchedStore struct {
	store.Store
	lookups chan struct{}
}

func (w *watchedStore) VectorsOfTexts(
	ctx context.Context, gen store.GenerationID, contents []store.Hash,
) ([][]float32, error) {
	found, err := w.Store.VectorsOfTexts(ctx, gen, contents)
	w.lookups <- struct{}{}
	return found, err
}

// slowModel answers its second request when the other pages have looked for the same texts, or will not.
type slowModel struct {
	model
	st *watchedStore
}

func (m *slowModel) Embed(ctx context.Context, texts []string) ([]vector, error) {
	m.mu.Lock()
	second := m.calls == 1
	m.mu.Unlock()
	out, err := m.model.Embed(ctx, texts)
	if second {
		<-m.st.lookups // its own
		select {
		case <-m.st.lookups:
		case <-time.After(300 * time.Millisecond):
		}
	}
	return out, err
}

func TestEmbed_EqualTextsAfterAnInterruption(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, repeatingChats(10, 90, 5))
	down := errors.New("the server is gone")
	first := &model{name: "scripted", dim: testDim, fail: func(call int) error {
		if call == 3 {
			return down
		}
		return nil
	}}
	report, err := ingest.Embed(t.Context(), st, first, ingest.EmbedOptions{Page: 4, AtOnce: 1})
	if !errors.Is(err, down) || report.Embedded == 0 {
		t.Fatalf("%+v, %v", report, err)
	}
	counter := &fakeCounter{model{name: "scripted"}}
	n, turns, err := ingest.Estimate(t.Context(), st, counter, ingest.EmbedOptions{})
	second := &model{name: "scripted", dim: testDim}
	rest, failure := ingest.Embed(t.Context(), st, second, ingest.EmbedOptions{Page: 4})
	if failure != nil || report.Embedded+rest.Embedded != 100 || report.Reused+rest.Reused != 85 {
		t.Errorf("%+v, then %+v, %v", report, rest, failure)
	}
	if err != nil || n != len(second.texts) || turns != rest.Embedded {
		t.Errorf("%d texts of %d turns estimated (%v), %d of %d sent", n, turns, err, len(second.texts), rest.Embedded)
	}
	checkOnce(t, 15, first, second)
	checkVectors(t, st, 100)

	// Turns that are imported later have the same texts.
	more := repeatingChats(0, 20, 5)
	for i := range more {
		more[i].id = fmt.Sprintf("later%d", i)
		for j := range more[i].messages {
			more[i].messages[j].id = "later" + more[i].messages[j].id
		}
	}
	importChats(t, st, more)
	n, turns, err = ingest.Estimate(t.Context(), st, counter, ingest.EmbedOptions{})
	if n != 0 || turns != 20 || err != nil {
		t.Errorf("%d texts of %d turns estimated, %v", n, turns, err)
	}
	third := embedAll(t, st)
	checkOnce(t, 15, first, second, third)
	checkVectors(t, st, 120)
	if third.calls != 0 {
		t.Errorf("%d requests for known texts", third.calls)
	}

	// Another model makes its own vectors.
	other := &model{name: "other", dim: testDim}
	if _, err := ingest.Embed(t.Context(), st, other, ingest.EmbedOptions{Page: 4}); err != nil {
		t.Fatal(err)
	}
	checkOnce(t, 15, other)
	checkVectors(t, st, 120)
}

func TestEmbed_EqualTextsThatAreCut(t *testing.T) {
	st := newArchive(t)
	chats := repeatingChats(10, 30, 1)
	for i := 10; i < len(chats); i++ {
		chats[i].messages[0].text = "What is the number 7?" // cut by the model
	}
	importChats(t, st, chats)
	m := &model{name: "scripted", dim: testDim}
	report, err := ingest.Embed(t.Context(), st, m, ingest.EmbedOptions{Page: 4, AtOnce: 3})
	if err != nil || report.Embedded != 40 || report.Reused != 29 || report.Truncated != 2 {
		t.Errorf("%+v, %v", report, err)
	}
	checkOnce(t, 11, m)
	for turn, err := range st.EachTurn(t.Context(), store.Filter{}) {
		testenv.Must(t, err)
		got, err := st.Embedded(t.Context(), []uuid.UUID{turn.ID})
		cut := strings.Contains(turn.UserText, "number 7?")
		if err != nil || (got[0].Text == "User: ") != cut {
			t.Errorf("%q: got %+v, %v", turn.UserText, got, err)
		}
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

// Another prefix makes another generation, beside the one that is searched. The texts are known without it.
func TestEmbed_Prefixes(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, repeatingChats(6, 3, 1))
	embedAll(t, st)
	opts := ingest.EmbedOptions{Prefixes: store.Prefixes{Query: "q: ", Document: "d: "}}
	n, turns, err := ingest.Estimate(t.Context(), st, &fakeCounter{model{name: "scripted"}}, opts)
	if n != 7 || turns != 9 || err != nil {
		t.Errorf("estimated %d texts, %d turns, %v", n, turns, err)
	}
	m := &model{name: "scripted", dim: testDim}
	report, err := ingest.Embed(t.Context(), st, m, opts)
	if err != nil || report.Embedded != 9 || report.Reused != 2 || report.Generation.Prefixes != opts.Prefixes {
		t.Fatalf("%+v, %v", report, err)
	}
	for _, text := range m.texts {
		if !strings.HasPrefix(text, "d: User: ") || strings.HasPrefix(text, "d: d: ") {
			t.Errorf("the model got %q", text)
		}
	}
	gens := generations(t, st)
	if len(gens) != 2 || gens[0].Prefixes != opts.Prefixes || !gens[0].Active || gens[1].Active || gens[1].Vectors != 9 {
		t.Errorf("in the end: %+v", gens)
	}
	checkVectors(t, st, 9) // of texts without prefix
	if again, err := ingest.Embed(t.Context(), st, m, opts); err != nil || again.Tokens != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
}

func TestEmbed_PrefixOfATextThatIsCut(t *testing.T) {
	st := newArchive(t)
	importChats(t, st, repeatingChats(9, 0, 1))
	for document, want := range map[string]string{"": "User: ", "d: ": "Use", "longer: ": ""} { // the model cuts at 6 bytes
		m := &model{name: "scripted", dim: testDim}
		report, err := ingest.Embed(t.Context(), st, m, ingest.EmbedOptions{Prefixes: store.Prefixes{Document: document}})
		testenv.Must(t, err)
		if failed := len(report.Failed) > 0; failed != (want == "") {
			t.Errorf("%q: %+v", document, report)
		}
		for turn, err := range st.EachTurn(t.Context(), store.Filter{}) {
			testenv.Must(t, err)
			got, err := st.Embedded(t.Context(), []uuid.UUID{turn.ID})
			if cut := strings.Contains(turn.UserText, "number 7?"); cut && want != "" && (err != nil || got[0].Text != want) {
				t.Errorf("%q: got %+v, %v", document, got, err)
			}
		}
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

// Vectors of the generation so far are taken only if the model still is the one that made them.
func TestEmbed_EqualTextsOfAnotherDimension(t *testing.T) {
	for name, distinct := range map[string]int{"at once": 1, "after pages without a request": 20} {
		t.Run(name, func(t *testing.T) {
			st := newArchive(t)
			chats := repeatingChats(0, 20, 1)
			for i := range distinct {
				chats = append(chats, manyChats(100 + distinct)[100+i])
			}
			importChats(t, st, chats)
			first := store.Filter{Conversation: testID("c0")}
			wide := &model{name: "scripted", dim: testDim}
			if _, err := ingest.Embed(t.Context(), st, wide, ingest.EmbedOptions{Filter: first}); err != nil {
				t.Fatal(err)
			}
			narrow := &model{name: "scripted", dim: 4}
			report, err := ingest.Embed(t.Context(), st, narrow, ingest.EmbedOptions{Page: 5})
			if err != nil || report.Embedded != 20+distinct || report.Reused != 19 || report.Pending != 0 {
				t.Errorf("%+v, %v", report, err)
			}
			if g := generations(t, st)[0]; g.Dim != 4 || g.Vectors != 20+distinct {
				t.Errorf("generation %+v", g)
			}
			checkOnce(t, 1+distinct, narrow)
		})
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
		if n, turns, err := ingest.Estimate(t.Context(), st, c, ingest.EmbedOptions{}); n != want || turns != want || err != nil {
			t.Errorf("%d texts, %d turns, %v, want %d", n, turns, err, want)
		}
		embedAll(t, st)
	}
	only := ingest.EmbedOptions{Filter: store.Filter{Conversation: testID("c1")}}
	if n, _, err := ingest.Estimate(t.Context(), st, &fakeCounter{model{name: "other"}}, only); n != 1 || err != nil {
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

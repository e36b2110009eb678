package topics_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval/topics"
	"lens/store"
	"lens/store/archivetest"
	"lens/store/terms"
)

// The figures below are those of package doc's promises: how well topics agree with what the demo's conversations are
// about, with themselves under another seed, and with themselves after growth.

// archive is what an archive gives to a Builder.
type archive struct {
	ids    []string // of the conversations
	titles []string
	began  []int // days since 1970
	terms  map[string]*occurrences
}

type occurrences struct {
	in     []int32
	counts []uint32
}

// read reads an archive's chats, in time order.
func read(tb testing.TB, st store.Reader) *archive {
	tb.Helper()
	a := &archive{terms: map[string]*occurrences{}}
	number := map[string]int32{}
	var analyzer terms.Analyzer
	for t, err := range st.EachTurn(tb.Context(), store.Filter{}) {
		testenv.Must(tb, err)
		if t.Source.Chunked() {
			continue
		}
		id := t.Conversation.String()
		c, known := number[id]
		if !known {
			c = int32(len(a.ids))
			number[id] = c
			a.ids, a.titles = append(a.ids, id), append(a.titles, t.Title)
			a.began = append(a.began, int(t.Time.Unix()/86400))
		}
		for _, w := range analyzer.Document(t.UserText, t.AssistantText) {
			if a.terms[w.Term] == nil {
				a.terms[w.Term] = &occurrences{}
			}
			o := a.terms[w.Term]
			o.in, o.counts = append(o.in, c), append(o.counts, w.Count)
		}
	}
	return a
}

func readDemo(tb testing.TB, opts demo.Options) *archive {
	return read(tb, archivetest.New(tb, testenv.Demo(tb, opts)))
}

var theDemo *archive

// readTheDemo reads the demo, once for all tests.
func readTheDemo(tb testing.TB) *archive {
	if theDemo == nil {
		theDemo = readDemo(tb, demo.Options{})
	}
	return theDemo
}

// builder returns a builder of the first n conversations, with the terms in ascending order.
func (a *archive) builder(n int) *topics.Builder {
	titles := make([][]string, n)
	for c := range titles {
		titles[c] = terms.Query(a.titles[c])
	}
	b := topics.NewBuilder(titles)
	b.Common = terms.IsFunctionWord
	words := make([]string, 0, len(a.terms))
	for word := range a.terms {
		words = append(words, word)
	}
	slices.Sort(words)
	for _, word := range words {
		o := a.terms[word]
		var in []int32
		var counts []uint32
		for i, c := range o.in {
			if int(c) < n {
				in, counts = append(in, c), append(counts, o.counts[i])
			}
		}
		b.Add(word, in, counts)
	}
	return b
}

func (a *archive) divide(opts topics.Options) *topics.Division {
	return a.builder(len(a.ids)).Divide(opts)
}

// truth returns the number of the topic that the demo's generator chose for each conversation.
func (a *archive) truth(t *testing.T, opts demo.Options) []int32 {
	t.Helper()
	names, err := demo.Topics(opts)
	testenv.Must(t, err)
	numbers := map[string]int32{}
	truth := make([]int32, len(a.ids))
	for c, id := range a.ids {
		name, known := names[id]
		if !known {
			t.Fatalf("conversation %s is not the demo's", id)
		}
		if _, known := numbers[name]; !known {
			numbers[name] = int32(len(numbers))
		}
		truth[c] = numbers[name]
	}
	return truth
}

// A topic is called by words that nearly all of its conversations have, and hardly any others. Words that mostly others
// have stand beside no better one.
func TestDivide_LabelsOfTheDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("labels are NOT compared with what the demo is about in -short mode")
	}
	var first []string
	for _, topic := range readTheDemo(t).divide(topics.Options{}).Topics {
		first = append(first, topic.Words[0])
		for _, word := range topic.Words {
			if slices.Contains([]string{"way", "sentenc", "run", "data"}, word) {
				t.Errorf("a topic is called %v", topic.Words)
			}
		}
	}
	for _, word := range []string{"rust", "japan", "kanji", "flour", "invoic"} {
		if !slices.Contains(first, word) {
			t.Errorf("no topic is called %s: %v", word, first)
		}
	}
}

func TestDivide_AgreesWithTheDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("topics are NOT compared with those of the demo in -short mode")
	}
	for _, opts := range []demo.Options{{}, {Seed: 2}} {
		a := readTheDemo(t)
		if opts != (demo.Options{}) {
			a = readDemo(t, opts)
		}
		d := a.divide(topics.Options{})
		got := nmi(a.truth(t, opts), d.Of)
		t.Logf("%+v: %d conversations, %d topics, NMI %.3f", opts, len(a.ids), len(d.Topics), got)
		if got < 0.93 || len(d.Topics) > topics.MaxTopics {
			t.Errorf("%+v: NMI %.3f with %d topics", opts, got, len(d.Topics))
		}
	}
}

func TestDivide_SeedsAgree(t *testing.T) {
	a := readTheDemo(t)
	first := a.divide(topics.Options{})
	for seed := uint64(2); seed <= 5; seed++ {
		got := ari(first.Of, a.divide(topics.Options{Seed: seed}).Of)
		t.Logf("seeds 1 and %d: ARI %.3f", seed, got)
		if got < 0.98 {
			t.Errorf("seeds 1 and %d: ARI %.3f", seed, got)
		}
	}
}

func TestKeep_Growth(t *testing.T) {
	a := readTheDemo(t)
	n := len(a.ids)
	small := a.builder(n * 20 / 21).Divide(topics.Options{})
	grown := a.divide(topics.Options{})
	agree := ari(small.Of, grown.Of[:len(small.Of)])
	var before []topics.Before
	for _, topic := range small.Topics {
		before = append(before, topics.Before{ID: topic.ID, Words: topic.Words, Conversations: topic.Conversations})
	}
	next := grown.Keep(before, len(before)+1)
	stayed, labels := 0, 0
	for c, topic := range small.Of {
		if topic < 0 || grown.Of[c] < 0 {
			if topic == grown.Of[c] {
				stayed, labels = stayed+1, labels+1
			}
			continue
		}
		is := grown.Topics[grown.Of[c]]
		if was := small.Topics[topic]; was.ID == is.ID {
			stayed++
			if slices.Equal(was.Words, is.Words) {
				labels++
			}
		}
	}
	t.Logf("5 %% more: ARI %.3f; %d of %d conversations keep their topic, %d its words; %d new topics",
		agree, stayed, len(small.Of), labels, next-len(before)-1)
	if agree < 0.93 || float64(stayed) < 0.93*float64(len(small.Of)) {
		t.Errorf("ARI %.3f, %d of %d conversations stayed", agree, stayed, len(small.Of))
	}
}

// The demo's person takes up five things again after half a year or more. Each topic that returned must be mostly one of
// these, and none may be missing.
func TestReturned_Demo(t *testing.T) {
	a := readTheDemo(t)
	names, err := demo.Topics(demo.Options{})
	testenv.Must(t, err)
	want := []string{"guitar", "japan", "jobs", "marathon", "rust"}
	var got []string
	d := a.divide(topics.Options{})
	for _, topic := range d.Topics {
		var days []int
		about := map[string]int{}
		most := ""
		for _, c := range topic.Conversations {
			if d.Clear[c] {
				days = append(days, a.began[c])
			}
			name := names[a.ids[c]]
			about[name]++
			if about[name] > about[most] {
				most = name
			}
		}
		r, ok := topics.Returned(days)
		t.Logf("%-10s %-36s %4d days, P %.2g %v", most, strings.Join(topic.Words, " · "), r.Days(), r.P, ok)
		if ok {
			got = append(got, most)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("returned: %v, want %v", got, want)
	}
}

// nmi is the mutual information of two divisions over the mean of their entropies.
func nmi(a, b []int32) float64 {
	both, ofA, ofB := contingency(a, b)
	n := float64(len(a))
	info := 0.0
	for pair, x := range both {
		info += float64(x) / n * math.Log(float64(x)*n/float64(ofA[pair[0]]*ofB[pair[1]]))
	}
	entropy := func(counts map[int32]int) (h float64) {
		for _, x := range counts {
			h -= float64(x) / n * math.Log(float64(x)/n)
		}
		return h
	}
	return info / ((entropy(ofA) + entropy(ofB)) / 2)
}

// ari is the adjusted Rand index of two divisions (Hubert and Arabie 1985).
func ari(a, b []int32) float64 {
	both, ofA, ofB := contingency(a, b)
	pairs := func(n int) float64 { return float64(n) * float64(n-1) / 2 }
	inBoth, inA, inB := 0.0, 0.0, 0.0
	for _, n := range both {
		inBoth += pairs(n)
	}
	for _, n := range ofA {
		inA += pairs(n)
	}
	for _, n := range ofB {
		inB += pairs(n)
	}
	expected := inA * inB / pairs(len(a))
	return (inBoth - expected) / ((inA+inB)/2 - expected)
}

func contingency(a, b []int32) (both map[[2]int32]int, ofA, ofB map[int32]int) {
	both, ofA, ofB = map[[2]int32]int{}, map[int32]int{}, map[int32]int{}
	for i := range a {
		both[[2]int32{a[i], b[i]}]++
		ofA[a[i]]++
		ofB[b[i]]++
	}
	return both, ofA, ofB
}

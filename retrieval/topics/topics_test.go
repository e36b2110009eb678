package topics_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lens/retrieval/topics"
)

// corpus makes n conversations about one of several subjects each, whose words they share, with words of their own.
func corpus(r *rand.Rand, n, subjects int, titled bool) (b *topics.Builder, about []int32) {
	titles, in := make([][]string, n), map[string][]int32{}
	about = make([]int32, n)
	for c := range n {
		about[c] = int32(r.IntN(subjects))
		for range 6 {
			word := fmt.Sprintf("s%dw%d", about[c], r.IntN(10))
			if !slices.Contains(in[word], int32(c)) {
				in[word] = append(in[word], int32(c))
			}
			if titled && len(titles[c]) < 2 && !slices.Contains(titles[c], word) {
				titles[c] = append(titles[c], word)
			}
		}
		for range 10 {
			word := fmt.Sprintf("any%d", r.IntN(200))
			if !slices.Contains(in[word], int32(c)) {
				in[word] = append(in[word], int32(c))
			}
		}
	}
	b = topics.NewBuilder(titles)
	words := make([]string, 0, len(in))
	for word := range in {
		words = append(words, word)
	}
	slices.Sort(words)
	for _, word := range words {
		counts := make([]uint32, len(in[word]))
		for i := range counts {
			counts[i] = 1 + uint32(len(word)+i)%3
		}
		b.Add(word, in[word], counts)
	}
	return b, about
}

func TestDivide_FindsSubjects(t *testing.T) {
	b, about := corpus(rand.New(rand.NewPCG(1, 1)), 600, 20, true)
	d := b.Divide(topics.Options{})
	if got := ari(about, d.Of); got < 0.95 {
		t.Errorf("ARI %.2f with %d topics", got, len(d.Topics))
	}
	for _, topic := range d.Topics {
		if want := fmt.Sprintf("s%dw", about[topic.Middle]); !strings.HasPrefix(topic.Words[0], want) {
			t.Errorf("label %q of a topic about %s", topic.Words, want)
		}
	}
}

func TestDivide_Properties(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		n, subjects := 1+r.IntN(400), 1+r.IntN(60)
		b, _ := corpus(rand.New(rand.NewPCG(seed, 8)), n, subjects, true)
		again, _ := corpus(rand.New(rand.NewPCG(seed, 8)), n, subjects, true)
		d := b.Divide(topics.Options{})
		if !reflect.DeepEqual(d, again.Divide(topics.Options{})) {
			t.Fatalf("%d conversations: two runs differ", n)
		}
		if len(d.Topics) > topics.MaxTopics || len(d.Of) != n || (d.Silence == "") != (len(d.Topics) > 0) {
			t.Fatalf("%d conversations: %d topics, %d assigned, %q", n, len(d.Topics), len(d.Of), d.Silence)
		}
		seen := 0
		for i, topic := range d.Topics {
			seen += len(topic.Conversations)
			if i > 0 && len(topic.Conversations) > len(d.Topics[i-1].Conversations) || topic.ID != i+1 {
				t.Errorf("topic %d is larger than the one before, or has the ID %d", i, topic.ID)
			}
			if !slices.IsSorted(topic.Conversations) || !slices.Contains(topic.Conversations, topic.Middle) {
				t.Errorf("topic %d: middle %d of %v", i, topic.Middle, topic.Conversations)
			}
			for _, c := range topic.Conversations {
				if d.Of[c] != int32(i) {
					t.Errorf("conversation %d is in topic %d and %d", c, i, d.Of[c])
				}
			}
			if len(topic.Words) > 3 {
				t.Errorf("label %q", topic.Words)
			}
		}
		none := 0
		for _, topic := range d.Of {
			if topic < 0 {
				none++
			}
		}
		if seen+none != n {
			t.Errorf("%d in topics, %d in none, of %d", seen, none, n)
		}
	}
}

// chatsAbout makes n conversations about subjects in turn, each of which is its words; "" is about words of its own. Each
// has forty words of no subject, too, which hardly any other has.
func chatsAbout(n int, subjects ...string) *topics.Builder {
	r := rand.New(rand.NewPCG(4, 4))
	var titles [][]string
	in := map[string][]int32{}
	for c := range n {
		words := strings.Fields(subjects[c%len(subjects)])
		if len(words) == 0 {
			words = []string{fmt.Sprintf("lonely%d", c), fmt.Sprintf("alone%d", c)}
		}
		titles = append(titles, words[:2])
		for range 40 {
			words = append(words, fmt.Sprintf("any%d", r.IntN(3000)))
		}
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			in[word] = append(in[word], int32(c))
		}
	}
	b := topics.NewBuilder(titles)
	for _, word := range slices.Sorted(maps.Keys(in)) {
		times := uint32(8)
		if strings.HasPrefix(word, "any") {
			times = 1
		}
		b.Add(word, in[word], slices.Repeat([]uint32{times}, len(in[word])))
	}
	return b
}

// A subject of fewer conversations than each is joined to stands alone, whatever the others are about.
func TestDivide_FewConversationsOfEachSubject(t *testing.T) {
	for _, n := range []int{8, 10, 14, 18} {
		var subjects []string
		for i := range n {
			subjects = append(subjects, fmt.Sprintf("subject%d thing%d matter%d", i, i, i))
		}
		d := chatsAbout(4*n, subjects...).Divide(topics.Options{})
		for c, topic := range d.Of {
			if topic < 0 || topic != d.Of[c%n] {
				t.Errorf("%d subjects: conversation %d, about %q: topic %d", n, c, subjects[c%n], topic)
			}
		}
		if len(d.Topics) != n {
			t.Errorf("%d subjects: %d topics", n, len(d.Topics))
		}
	}
}

// Chats about one thing are one topic, though some of them have a word that the others lack.
func TestDivide_OneSubjectInTwoGroups(t *testing.T) {
	d := chatsAbout(300,
		"marathon run km race taper", "marathon run km race shoes", "kanji radical stroke", "invoice tax quarter",
		"flour crumb", "borrow lifetime",
	).Divide(topics.Options{})
	if d.Of[0] != d.Of[1] || d.Of[0] < 0 || len(d.Topics) != 5 {
		t.Errorf("topics %d and %d of %d", d.Of[0], d.Of[1], len(d.Topics))
	}
}

// A conversation that shares no subject with others belongs to no topic, and keeps no others out of one.
func TestDivide_Outliers(t *testing.T) {
	subjects := []string{"sourdough flour crumb", "kanji radical stroke", "invoice tax quarter", ""}
	d := chatsAbout(400, subjects...).Divide(topics.Options{})
	if len(d.Topics) != 3 {
		t.Errorf("%d topics, want 3", len(d.Topics))
	}
	for c, topic := range d.Of {
		if lonely := c%4 == 3; lonely != (topic < 0) || lonely && d.Clear[c] || !lonely && topic != d.Of[c%4] {
			t.Errorf("conversation %d, about %q: topic %d, clear %v", c, subjects[c%4], topic, d.Clear[c])
		}
	}
}

func TestDivide_Silence(t *testing.T) {
	few, _ := corpus(rand.New(rand.NewPCG(1, 1)), 20, 2, true)
	untitled, _ := corpus(rand.New(rand.NewPCG(1, 1)), 200, 2, false)
	for want, b := range map[topics.Silence]*topics.Builder{
		topics.TooFew: few, topics.Untitled: untitled, topics.Scattered: chatsAbout(400, ""),
	} {
		d := b.Divide(topics.Options{})
		if d.Silence != want || len(d.Topics) > 0 || slices.Max(d.Of) >= 0 {
			t.Errorf("silence %q with %d topics, want %q", d.Silence, len(d.Topics), want)
		}
	}
}

func TestDivide_CommonWords(t *testing.T) {
	b, _ := corpus(rand.New(rand.NewPCG(1, 1)), 100, 2, true)
	b.Common = func(term string) bool { return term[0] == 's' }
	for _, topic := range b.Divide(topics.Options{}).Topics {
		for _, word := range topic.Words {
			if word[0] == 's' {
				t.Errorf("label with %q", word)
			}
		}
	}
}

// A word is in a label only if titles of its topic have it, and not beside a word that it is a part of.
func TestDivide_LabelsAreWordsOfTitles(t *testing.T) {
	const n = 60
	texts := map[string]func(c int) bool{
		"default": func(c int) bool { return c%2 == 0 }, // in the texts of one subject, and in none of its titles
		"garden":  func(c int) bool { return c%2 == 0 && c%3 < 2 },
		"tomato":  func(c int) bool { return c%2 == 0 && c%3 > 0 },
		"gpt":     func(c int) bool { return c%2 == 1 && c%3 < 2 },
		"chatgpt": func(c int) bool { return c%2 == 1 && c%3 < 2 },
		"prompt":  func(c int) bool { return c%2 == 1 && c%3 > 0 },
	}
	titles, in := make([][]string, n), map[string][]int32{}
	for _, word := range slices.Sorted(maps.Keys(texts)) {
		for c := range n {
			if !texts[word](c) {
				continue
			}
			in[word] = append(in[word], int32(c))
			if word != "default" {
				titles[c] = append(titles[c], word)
			}
		}
	}
	b := topics.NewBuilder(titles)
	for _, word := range slices.Sorted(maps.Keys(in)) {
		counts := make([]uint32, len(in[word]))
		for i := range counts {
			counts[i] = 1
		}
		b.Add(word, in[word], counts)
	}
	found := b.Divide(topics.Options{}).Topics
	if len(found) < 2 {
		t.Fatalf("%d topics", len(found))
	}
	for _, topic := range found {
		has := func(word string) bool { return slices.Contains(topic.Words, word) }
		if has("default") || has("gpt") && has("chatgpt") || len(topic.Words) == 0 {
			t.Errorf("label %q", topic.Words)
		}
	}
}

func TestKeep_IDs(t *testing.T) {
	d := &topics.Division{
		Of: []int32{0, 0, 0, 0, 1, 1, 1, 2, 2},
		Topics: []topics.Topic{
			{ID: 1, Words: []string{"new"}, Conversations: []int32{0, 1, 2, 3}},
			{ID: 2, Words: []string{"half"}, Conversations: []int32{4, 5, 6}},
			{ID: 3, Words: []string{"fresh"}, Conversations: []int32{7, 8}},
		},
	}
	next := d.Keep([]topics.Before{
		{ID: 5, Words: []string{"part"}, Conversations: []int32{4, 2}},
		{ID: 9, Words: []string{"old"}, Conversations: []int32{0, 1, 3}},
		{ID: 4, Words: []string{"gone"}},
	}, 3)
	got := []int{d.Topics[0].ID, d.Topics[1].ID, d.Topics[2].ID, next}
	if want := []int{9, 5, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("IDs and the next one %v, want %v", got, want)
	}
	if d.Topics[0].Words[0] != "old" || d.Topics[2].Words[0] != "fresh" {
		t.Errorf("words %v and %v", d.Topics[0].Words, d.Topics[2].Words)
	}
}

// Keep is its own inverse where nothing changed: the same division keeps all IDs.
func TestKeep_NothingChanged(t *testing.T) {
	b, _ := corpus(rand.New(rand.NewPCG(3, 3)), 200, 6, true)
	d := b.Divide(topics.Options{})
	var before []topics.Before
	for i, topic := range d.Topics {
		before = append(before, topics.Before{ID: 100 - i, Words: []string{"kept"}, Conversations: topic.Conversations})
	}
	if next := d.Keep(before, 1); next != 101 {
		t.Errorf("next %d, want 101", next)
	}
	for i, topic := range d.Topics {
		if topic.ID != 100-i || topic.Words[0] != "kept" {
			t.Errorf("topic %d has the ID %d and the words %v", i, topic.ID, topic.Words)
		}
	}
}

func TestReturned(t *testing.T) {
	daily := func(from, n int) (days []int) {
		for i := range n {
			days = append(days, from+7*i)
		}
		return days
	}
	for name, c := range map[string]struct {
		days []int
		want int // days of silence; 0: none
	}{
		"nothing":                    {nil, 0},
		"one day":                    {[]int{5, 5, 5, 5, 5, 5, 5}, 0},
		"a year away":                {append(daily(0, 10), daily(63+365, 10)...), 365},
		"too few before":             {append(daily(0, 2), daily(400, 20)...), 0},
		"too few after":              {append(daily(0, 20), daily(600, 2)...), 0},
		"too short":                  {append(daily(0, 30), daily(203+179, 30)...), 0},
		"every year":                 {append(append(append(daily(0, 3), daily(365, 3)...), daily(730, 3)...), daily(1095, 3)...), 0},
		"again and again, then away": {append(daily(0, 40), daily(273+800, 5)...), 800},
	} {
		r, ok := topics.Returned(c.days)
		if ok != (c.want > 0) || ok && r.Days() != c.want {
			t.Errorf("%s: %+v %v, want %d days", name, r, ok, c.want)
		}
		slices.Reverse(c.days)
		if again, _ := topics.Returned(c.days); again != r {
			t.Errorf("%s: order matters: %+v and %+v", name, r, again)
		}
	}
}

func TestLogOdds(t *testing.T) {
	// By hand: a = 20·30/300 = 2; ln(22/98) − ln(12/208) = 1.3586; √(1/22 + 1/12) = 0.3589.
	if z := topics.LogOdds(20, 100, 10, 200); math.Abs(z-3.786) > 0.001 {
		t.Errorf("z = %.4f", z)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		n, m := r.IntN(50), r.IntN(50)
		y, x := r.IntN(n+1), r.IntN(m+1)
		z := topics.LogOdds(y, n, x, m)
		if math.IsNaN(z) || math.IsInf(z, 0) || math.Abs(z+topics.LogOdds(x, m, y, n)) > 1e-9 {
			t.Errorf("LogOdds(%d, %d, %d, %d) = %v", y, n, x, m, z)
		}
		if y < n && z > 0 && x < m && topics.LogOdds(y+1, n, x, m) <= z {
			t.Errorf("one more of %d in %d is not more", y, n)
		}
	}
}

func TestDescribe(t *testing.T) {
	tally := func(turns, conversations int) topics.Tally {
		return topics.Tally{Turns: turns, Conversations: conversations}
	}
	parts := topics.Describe(
		[]topics.Tally{tally(10, 5), tally(0, 0), tally(38, 14)}, tally(60, 25),
		[]topics.Tally{tally(110, 45), tally(30, 9), tally(68, 20)}, tally(1060, 400),
	)
	if len(parts) != 2 || parts[0].Topic != 2 || parts[1].Topic != 0 {
		t.Fatalf("parts %+v", parts)
	}
	if p := parts[0]; p.Turns != 38 || p.Usual != 0.03 || !p.Unusual() {
		t.Errorf("%+v is not unusual", p)
	}
	if p := parts[1]; p.Usual != 0.1 || p.Unusual() {
		t.Errorf("%+v is unusual", p)
	}
	if p := parts[0]; p.Less() || parts[1].Less() {
		t.Errorf("%+v are less than usual", parts)
	}
}

// More and less than usual hold for turns and conversations alike.
func TestPart_MoreAndLessThanUsual(t *testing.T) {
	for _, c := range []struct {
		share, usual, z float64
		more, less      bool
	}{
		{.4, .1, 3, true, false},
		{.1, .2, 3, false, false}, // many conversations of a few turns
		{.4, .1, 1, false, false}, // one long conversation
		{.1, .2, -2.5, false, true},
		{.15, .2, -2.5, false, false},
		{.1, .2, -1, false, false},
	} {
		p := topics.Part{Share: c.share, Usual: c.usual, Z: c.z}
		if p.Unusual() != c.more || p.Less() != c.less {
			t.Errorf("%+v: more than usual is %t, less is %t", c, p.Unusual(), p.Less())
		}
	}
}

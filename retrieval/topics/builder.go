package topics

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// heaviest is how many terms of a conversation's texts describe it.
const heaviest = 40

// titleWeight is how much heavier a term is in a title than once in the texts.
const titleWeight = 2

// affinityFloor is what a word weighs that no title has.
const affinityFloor = 0.05

// maxSameTitle is how many conversations have a title of their own words. More have one that a program gave them.
const maxSameTitle = 3

// Builder collects the words of conversations, one term of the keyword index after the other. It keeps the heaviest
// terms of each conversation and, packed, which conversations a term is in.
type Builder struct {
	// Common reports whether a term says nothing in a label, as function words do; nil: none does.
	Common func(term string) bool

	vectors []vector // by conversation: its heaviest terms, a heap with the lightest at the root
	titles  []vector
	terms   []term
	titled  map[string][]int32 // by term: the conversations with it in their titles, ascending
	agree   []bool             // by conversation: a term of its title is in its texts

	commonTitle []bool // by conversation: several others have its title, such as "New chat"

	counts  []uint32 // by conversation: occurrences of the term that is being added; all 0 between two
	touched []int32
}

// term is a term that several conversations have.
type term struct {
	text     string
	in       []byte  // the conversations with it in their texts: varints of the differences
	n        int32   // how many
	affinity float32 // with titles
}

// weighted is a term with its weight.
type weighted struct {
	term   int32
	weight float32
}

// vector describes a conversation by terms.
type vector []weighted

// NewBuilder returns a builder for conversations with these titles, each as its distinct terms.
func NewBuilder(titles [][]string) *Builder {
	n := len(titles)
	b := &Builder{
		vectors: make([]vector, n), titles: make([]vector, n), titled: make(map[string][]int32),
		agree: make([]bool, n), commonTitle: make([]bool, n), counts: make([]uint32, n),
	}
	same := make(map[string]int)
	for _, words := range titles {
		same[strings.Join(words, " ")]++
	}
	for c, words := range titles {
		b.commonTitle[c] = len(words) == 0 || same[strings.Join(words, " ")] > maxSameTitle
		for _, word := range words {
			b.titled[word] = append(b.titled[word], int32(c))
		}
	}
	return b
}

// Add adds a term and where it occurs: counts[i] times in a turn of the conversation in[i]. A conversation may come
// again, in any order. Each term is added once, facts never. Single characters are dropped.
func (b *Builder) Add(text string, in []int32, counts []uint32) {
	if utf8.RuneCountInString(text) < 2 {
		return
	}
	for i, c := range in {
		if b.counts[c] == 0 {
			b.touched = append(b.touched, c)
		}
		b.counts[c] += counts[i]
	}
	slices.Sort(b.touched)
	b.addTerm(text)
	for _, c := range b.touched {
		b.counts[c] = 0
	}
	b.touched = b.touched[:0]
}

// addTerm adds the term whose occurrences are counted.
func (b *Builder) addTerm(text string) {
	titled := b.titled[text]
	both := 0
	for _, c := range titled {
		if b.counts[c] > 0 {
			b.agree[c] = true
			both++
		}
	}
	n := len(b.touched)
	if n+len(titled)-both < 2 || n == 0 {
		return // it joins nothing
	}
	id := int32(len(b.terms))
	t := term{text: text, n: int32(n), affinity: float32(both) / float32(n)}
	last := int32(0)
	for _, c := range b.touched {
		t.in = binary.AppendUvarint(t.in, uint64(c-last))
		last = c
	}
	b.terms = append(b.terms, t)
	idf := math.Log(float64(len(b.vectors)) / float64(n+len(titled)-both))
	weight := idf * math.Sqrt(float64(t.affinity)+affinityFloor)
	if weight <= 0 {
		return
	}
	for _, c := range b.touched {
		b.vectors[c].push(weighted{id, float32(weight * (1 + math.Log(float64(b.counts[c]))))})
	}
	for _, c := range titled {
		b.titles[c] = append(b.titles[c], weighted{id, float32(titleWeight * weight)})
	}
}

// push adds a term to a heap of the heaviest.
func (v *vector) push(w weighted) {
	h := *v
	if len(h) < heaviest {
		h = append(h, w)
		for i := len(h) - 1; i > 0 && h[i].lighter(h[(i-1)/2]); i = (i - 1) / 2 {
			h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		}
		*v = h
		return
	}
	if !h[0].lighter(w) {
		return
	}
	h[0] = w
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].lighter(h[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}

// lighter orders by weight, then by term, so that the same terms are kept each time.
func (w weighted) lighter(v weighted) bool {
	if w.weight != v.weight {
		return w.weight < v.weight
	}
	return w.term > v.term
}

// silence says why there can be no topics.
func (b *Builder) silence() Silence {
	texts, agree := 0, 0
	for c, v := range b.vectors {
		if len(v) > 0 {
			texts++
		}
		if b.agree[c] {
			agree++
		}
	}
	switch {
	case texts < minConversations:
		return TooFew
	case float64(agree) < minTitled*float64(texts):
		return Untitled
	}
	return ""
}

// unitVectors returns the conversations as unit vectors, by ascending terms: their texts and, heavier, their titles.
func (b *Builder) unitVectors() []vector {
	for c := range b.vectors {
		v := b.vectors[c]
		v = append(v, b.titles[c]...)
		slices.SortFunc(v, func(x, y weighted) int { return int(x.term - y.term) })
		b.vectors[c] = v.joined()
		b.vectors[c].scale()
	}
	b.titles = nil
	return b.vectors
}

// scale gives a vector the length 1; an empty one stays.
func (v vector) scale() {
	sum := 0.0
	for _, w := range v {
		sum += float64(w.weight) * float64(w.weight)
	}
	if sum == 0 {
		return
	}
	by := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i].weight *= by
	}
}

// joined adds up the weights of equal terms, which stand side by side.
func (v vector) joined() vector {
	n := 0
	for i, w := range v {
		if i > 0 && n > 0 && v[n-1].term == w.term {
			v[n-1].weight += w.weight
		} else {
			v[n] = w
			n++
		}
	}
	return v[:n]
}

// conversations appends to buffer the conversations with a term in their texts.
func (t *term) conversations(buffer []int32) []int32 {
	last := uint64(0)
	for rest := t.in; len(rest) > 0; {
		delta, size := binary.Uvarint(rest)
		last += delta
		buffer, rest = append(buffer, int32(last)), rest[size:]
	}
	return buffer
}

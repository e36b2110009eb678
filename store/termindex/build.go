package termindex

import (
	"cmp"
	"slices"
	"sync"

	"lens/store"
)

// Builder builds segments. It remembers the terms from one to the next, in order: turns repeat the terms of those
// before them, so that most are neither hashed nor sorted again. What it remembers is bounded (some megabytes). The
// zero value is ready to use. It is safe for concurrent use.
type Builder struct {
	mutex      sync.Mutex
	vocabulary vocabulary
	ends       []uint32  // by number of a term: where its list ends; 0 between segments
	numbers    []uint32  // scratch
	lists      []posting // scratch
}

// Build returns one segment, as Builder.Build does.
func Build(ords []store.Ord, terms []store.Terms) []Block {
	return new(Builder).Build(ords, terms)
}

// Build returns one segment. terms[i] are the terms of the turn ords[i]. ords must be distinct, in any order;
// len(ords) == len(terms).
func (b *Builder) Build(ords []store.Ord, terms []store.Terms) []Block {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.vocabulary.Len() > maxVocabulary {
		b.vocabulary, b.ends = vocabulary{}, nil
	}
	return b.write(b.invert(ords, terms))
}

// Reset frees what b remembers.
func (b *Builder) Reset() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.vocabulary, b.ends, b.numbers, b.lists = vocabulary{}, nil, nil, nil
}

// posting is a turn with a term.
type posting struct {
	ord   store.Ord
	count uint32
}

// invert inverts the terms of turns into the turns of terms. It is a counting sort: all lists are in one array, one
// behind the other in the order of the terms, each with its turns in ascending order.
func (b *Builder) invert(ords []store.Ord, terms []store.Terms) []posting {
	b.number(terms)
	b.vocabulary.sort()
	at := uint32(0)
	for _, n := range b.vocabulary.order { // at first, ends are where the lists begin
		size := b.ends[n]
		b.ends[n] = at
		at += size
	}
	b.lists = slices.Grow(b.lists[:0], int(at))[:at]
	from := make([]int, len(terms)) // in b.numbers
	for i, total := 0, 0; i < len(terms); i++ {
		from[i] = total
		total += len(terms[i].Counts)
	}
	for _, i := range ascending(ords) {
		counts := terms[i].Counts
		for j, n := range b.numbers[from[i]:][:len(counts)] {
			b.lists[b.ends[n]] = posting{ords[i], counts[j].Count}
			b.ends[n]++
		}
	}
	return b.lists
}

// number leaves in b.numbers the numbers of the terms of all lists, and in b.ends how many turns have each.
func (b *Builder) number(terms []store.Terms) {
	b.numbers = b.numbers[:0]
	var known []uint32
	for i := range terms {
		list := &terms[i]
		if i == 0 || list.Vocabulary != terms[i-1].Vocabulary || list.Known() > len(known) {
			known = b.vocabulary.numbersOf(list)
		}
		for _, c := range list.Counts {
			n := known[c.Number]
			if n == 0 {
				n = b.vocabulary.NumberOf(list.Term(c.Number)) + 1
				known[c.Number] = n
				if int(n) > len(b.ends) {
					b.ends = append(b.ends, 0)
				}
			}
			b.ends[n-1]++
			b.numbers = append(b.numbers, n-1)
		}
	}
}

// write writes the lists and clears b.ends.
func (b *Builder) write(lists []posting) []Block {
	var blocks []Block
	w := writer{emit: func(b Block) error {
		blocks = append(blocks, b)
		return nil
	}}
	from := uint32(0)
	for _, n := range b.vocabulary.order {
		end := b.ends[n]
		b.ends[n] = 0
		if end == from {
			continue
		}
		w.list = appendPostings(w.list[:0], lists[from:end])
		_ = w.addList(b.vocabulary.Term(n)) // emit does not fail
		from = end
	}
	_ = w.flush()
	return blocks
}

// ascending returns the indices of ords in ascending order of the ords.
func ascending(ords []store.Ord) []int {
	order := make([]int, len(ords))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(ords[a], ords[b]) })
	return order
}

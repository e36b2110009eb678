package store

import "iter"

// Vocabulary numbers terms, so that lists of terms have numbers where many turns have the same terms: a list takes a
// third of the memory, and the garbage collector need not look into it. One goroutine at a time may use a Vocabulary;
// others may read its lists meanwhile. The zero value is empty.
type Vocabulary struct {
	terms   []string // by number
	numbers map[string]uint32
}

// Len returns the number of terms.
func (v *Vocabulary) Len() int { return len(v.terms) }

// Number returns the number of a term, which it adds if it is new: the next from 0 on.
func (v *Vocabulary) Number(term []byte) uint32 {
	if n, known := v.numbers[string(term)]; known {
		return n
	}
	return v.add(string(term))
}

// NumberOf is Number for a string.
func (v *Vocabulary) NumberOf(term string) uint32 {
	if n, known := v.numbers[term]; known {
		return n
	}
	return v.add(term)
}

func (v *Vocabulary) add(term string) uint32 {
	if v.numbers == nil {
		v.numbers = make(map[string]uint32)
	}
	n := uint32(len(v.terms))
	v.terms, v.numbers[term] = append(v.terms, term), n
	return n
}

// Term returns the term with a number.
func (v *Vocabulary) Term(number uint32) string { return v.terms[number] }

// List returns a list of terms of v, which keeps counts. length is as in Terms.Length.
func (v *Vocabulary) List(counts []NumberCount, length int) Terms {
	return Terms{Vocabulary: v, Counts: counts, length: length, terms: v.terms}
}

// ListOf returns a list of terms, of which v gets those that it lacks.
func (v *Vocabulary) ListOf(counts []TermCount) Terms {
	numbered, length := make([]NumberCount, len(counts)), 0
	for i, c := range counts {
		numbered[i] = NumberCount{v.NumberOf(c.Term), c.Count}
		if !IsFact(c.Term) {
			length += int(c.Count)
		}
	}
	return v.List(numbered, length)
}

// ListTerms returns lists with a vocabulary of their own.
func ListTerms(all ...[]TermCount) []Terms {
	var v Vocabulary
	lists := make([]Terms, len(all))
	for i, counts := range all {
		lists[i] = v.ListOf(counts)
	}
	return lists
}

// NumberCount is a term, by its number, and its number of occurrences in a text.
type NumberCount struct{ Number, Count uint32 }

// Terms are the distinct terms of a turn, with counts above 0: those of its texts, and its facts.
type Terms struct {
	Vocabulary *Vocabulary // of the numbers
	Counts     []NumberCount

	length int
	terms  []string // those of Vocabulary when the list was made, by number: it may be growing
}

// Length returns the number of terms in the texts, including repetitions but not facts: Turn.Length.
func (t Terms) Length() int { return t.length }

// Known returns how many terms Vocabulary had when the list was made: the numbers in the list are less.
func (t Terms) Known() int { return len(t.terms) }

// Term returns the term with a number.
func (t Terms) Term(number uint32) string { return t.terms[number] }

// All yields the terms with their counts.
func (t Terms) All() iter.Seq2[string, uint32] {
	return func(yield func(string, uint32) bool) {
		for _, c := range t.Counts {
			if !yield(t.terms[c.Number], c.Count) {
				return
			}
		}
	}
}

// TermCounts returns the terms with their counts.
func (t Terms) TermCounts() []TermCount {
	counts := make([]TermCount, 0, len(t.Counts))
	for term, n := range t.All() {
		counts = append(counts, TermCount{Term: term, Count: n})
	}
	return counts
}

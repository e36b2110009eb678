package termindex

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"lens/store"
)

// natural returns n turns of 120 distinct terms each, distributed as in natural text: the i-th most common term has a
// share of about 1/i.
func natural(first store.Ord, n int) batch {
	names := make(map[uint64]string) // as an analyzer does, which gives a term as the same string again
	r := rand.New(rand.NewPCG(uint64(first), 7))
	zipf := rand.NewZipf(r, 1.1, 4, 60_000)
	var b batch
	for i := range n {
		seen := make(map[uint64]bool)
		var terms []store.TermCount
		for len(terms) < 120 {
			if t := zipf.Uint64(); !seen[t] {
				seen[t] = true
				if names[t] == "" {
					names[t] = fmt.Sprintf("term%x", t*2654435761%(1<<32))
				}
				terms = append(terms, store.TermCount{Term: names[t], Count: 1 + r.Uint32N(3)})
			}
		}
		b.ords, b.terms = append(b.ords, first+store.Ord(i)), append(b.terms, terms)
	}
	return b
}

func BenchmarkBuild_2000Turns(b *testing.B) {
	turns := natural(1, 2000)
	lists := store.ListTerms(turns.terms...)
	b.ReportAllocs()
	for b.Loop() {
		Build(turns.ords, lists)
	}
}

// As an import builds one segment after another.
func BenchmarkBuilder_2000Turns(b *testing.B) {
	turns := natural(1, 2000)
	lists := store.ListTerms(turns.terms...)
	var builder Builder
	b.ReportAllocs()
	for b.Loop() {
		builder.Build(turns.ords, lists)
	}
}

func BenchmarkFind(b *testing.B) {
	turns := natural(1, 2000)
	blocks := build(turns.ords, turns.terms)
	block := blocks[len(blocks)/2]
	r := reader{data: block.Data}
	for r.next() { // the last term is the farthest
	}
	term := string(r.term)
	b.ReportAllocs()
	for b.Loop() {
		if p, err := Find(block.Data, term); err != nil || len(p.Ords) == 0 {
			b.Fatal(err)
		}
	}
}

func BenchmarkFind_TermInHalfOf100kTurns(b *testing.B) {
	var w writer
	var block Block
	w.emit = func(full Block) error {
		block = full
		return nil
	}
	var p store.Postings
	for ord := store.Ord(1); len(p.Ords) < 50_000; ord += 1 + ord%3 {
		p.Ords, p.Counts = append(p.Ords, ord), append(p.Counts, 1+uint32(ord)%4)
	}
	if err := errors.Join(w.add("common", p), w.flush()); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(block.Data)))
	b.ReportAllocs()
	for b.Loop() {
		if found, err := Find(block.Data, "common"); err != nil || len(found.Ords) != 50_000 {
			b.Fatal(err)
		}
	}
}

func BenchmarkMerge_TenSegments(b *testing.B) {
	var segments []Segment
	size := 0
	for i := range 10 {
		turns := natural(store.Ord(1+i*2000), 2000)
		blocks := build(turns.ords, turns.terms)
		for _, block := range blocks {
			size += len(block.Data)
		}
		segments = append(segments, segment(blocks))
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if err := Merge(segments, func(store.Ord) bool { return true }, func(Block) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"lens/store"
)

// The facts of a chunk are what a metadata filter can match.
func ExampleChunk_Facts() {
	meta := `{"entity":"story","urls":["a","b"],"at":{"place":"Rome"},"n":1.50,"old":false,"none":null}`
	c := store.Chunk{ID: "42", Meta: []byte(meta)}
	fmt.Println(strings.Join(c.Facts(), "\n"))
	// Output:
	// =at.place=Rome
	// =entity=story
	// =id=42
	// =n=1.50
	// =old=false
	// =urls=a
	// =urls=b
}

func TestFact_LongValueIsHashedWithItsKey(t *testing.T) {
	long := strings.Repeat("x", 100)
	a, b := store.Fact("a", long), store.Fact("b", long)
	if a == b || a == store.Fact("a", long+"x") || len(a) > 64 || !store.IsFact(a) {
		t.Errorf("%q and %q", a, b)
	}
}

func TestChunkFacts_TooManyMembersOrLevels(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"first":1`)
	for i := range 1000 {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	b.WriteString("}")
	many := (&store.Chunk{Meta: []byte(b.String())}).Facts()
	deep := (&store.Chunk{Meta: []byte(`{"first":1,"deep":` + strings.Repeat("[", 1<<20))}).Facts()
	for _, facts := range [][]string{many, deep} {
		if !slices.Contains(facts, "=first=1") || len(facts) > 256 {
			t.Errorf("%d facts", len(facts))
		}
	}
	if none := (&store.Chunk{Meta: []byte(`no JSON`)}).Facts(); len(none) > 0 {
		t.Errorf("got %q", none)
	}
}

func FuzzFacts(f *testing.F) {
	f.Add([]byte(`{"a":[{"b":{"c":"d"}},1e3,null],"":true}`))
	f.Add([]byte(`[[[`))
	f.Add([]byte(`{"\u0000":"\u0000"}`))
	f.Fuzz(func(t *testing.T, meta []byte) {
		facts := (&store.Chunk{ID: "id", Meta: meta}).Facts()
		if !slices.IsSorted(facts) || !slices.Contains(facts, "=id=id") {
			t.Fatalf("facts %q", facts)
		}
		for _, fact := range facts {
			if !store.IsFact(fact) || len(fact) > 64 || !utf8.ValidString(fact) || strings.Contains(fact, "\x00") {
				t.Fatalf("fact %q", fact)
			}
		}
	})
}

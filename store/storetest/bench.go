package storetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/store"
)

// benchDim is the number of dimensions in the benchmarks: that of a model of medium size.
const benchDim = 384

// benchTurns is the number of turns: a few years of chats; 100,000 with LENS_BENCH=full.
var benchTurns = map[bool]int{true: 100_000, false: 20_000}[os.Getenv("LENS_BENCH") == "full"]

// Bench measures the backend. Every backend gets the same archive and the same queries.
func Bench(b *testing.B, h Harness) {
	b.Run("Write", func(b *testing.B) { benchWrite(b, h) })
	a := newArchive(b, h)
	chats := hourlyChats(benchTurns)
	a.put(b, chats...)
	g := a.generation(b, benchDim, true)
	for _, c := range chats {
		a.embed(b, g, c.Turns...)
	}
	must(b, a.Optimize(b.Context()))
	for _, q := range a.questions(b, chats) {
		b.Run(q.name, func(b *testing.B) {
			for b.Loop() {
				must(b, q.ask())
			}
		})
	}
}

type question struct {
	name string
	ask  func() error
}

func (a *archive) questions(b *testing.B, chats []store.Conversation) []question {
	ctx, query := b.Context(), vectorOf(benchDim, "query")
	window := store.Filter{Since: at(1000), Until: at(1000 + benchTurns/100)}
	most := ordsWhere(chats, func(i int) bool { return i%10 != 0 })
	few := ordsWhere(chats, func(i int) bool { return i%100 == 0 })
	var ids []uuid.UUID
	for _, c := range chats[:100] {
		ids = append(ids, c.Turns[0].ID)
	}
	terms := []string{"question", "topic5", "answer", "about", "nowhere"}
	return []question{
		{"Catalog/unchanged", func() error { _, err := a.Catalog(ctx); return err }},
		{"Turns/100", func() error { _, err := a.Turns(ctx, ids); return err }},
		{"FindTurns", func() error { _, err := a.FindTurns(ctx, ids[0].String()[:8], 2); return err }},
		{"Postings/5", func() error { _, err := a.Postings(ctx, terms); return err }},
		{"Nearest/all", func() error { _, err := a.Nearest(ctx, query, store.Filter{}, 100); return err }},
		{"Nearest/1%", func() error { _, err := a.Nearest(ctx, query, window, 100); return err }},
		{"Nearest/90% by ordinals", func() error { _, err := a.Nearest(ctx, query, most, 100); return err }},
		{"Nearest/1% by ordinals", func() error { _, err := a.Nearest(ctx, query, few, 100); return err }},
		{"Generations", func() error { _, err := a.Generations(ctx); return err }},
		{"EachTurn", func() error { _, err := a.countEach(ctx); return err }},
		{"Open", a.openAndClose},
	}
}

// ordsWhere returns a filter by the ordinals of the turns whose number has a property.
func ordsWhere(chats []store.Conversation, has func(i int) bool) (f store.Filter) {
	f.Ords = new(store.OrdSet)
	i := 0
	for _, c := range chats {
		for _, turn := range c.Turns {
			if i++; has(i) {
				f.Ords.Add(turn.Ord)
			}
		}
	}
	return f
}

// openAndClose opens the archive once more and reads its catalog.
func (a *archive) openAndClose() error {
	s, err := a.open()
	if err != nil {
		return err
	}
	if _, err := s.Catalog(context.Background()); err != nil {
		return err
	}
	return s.Close()
}

// benchWrite measures writing messages, turns and terms as an import does, 4 MB of raw JSON per
// commit. It excludes generating and analyzing them.
func benchWrite(b *testing.B, h Harness) {
	a := newArchive(b, h)
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		chats, terms, size := exportOf(n)
		b.SetBytes(int64(size))
		b.StartTimer()
		a.update(b, func(tx store.Tx) error {
			ords, err := writeRows(b.Context(), tx, chats)
			if err != nil {
				return err
			}
			return tx.AddTerms(b.Context(), ords, terms)
		})
	}
}

// exportOf generates the n-th part of an export and the terms of its turns. size is that of its raw
// JSON.
func exportOf(n int) (chats []store.Conversation, terms []store.Terms, size int) {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	for i := range 100 {
		exchanges := make([]exchange, 10)
		for j := range exchanges {
			exchanges[j] = exchange{User: prose(r, 30), Replies: []string{prose(r, 300)}, At: at(10*i + j)}
		}
		c := chat(fmt.Sprint("piece ", n, " talk ", i), exchanges...)
		for j := range c.Messages {
			c.Messages[j].Raw = fmt.Appendf(nil, `{"text":%q,"metadata":%q}`, c.Messages[j].Text, strings.Repeat("x", 800))
			size += len(c.Messages[j].Raw)
		}
		chats = append(chats, c)
	}
	return chats, termsOf(chats), size
}

// prose generates a text of words; a few words are frequent, many are rare.
func prose(r *rand.Rand, words int) string {
	var b strings.Builder
	for range words {
		fmt.Fprintf(&b, "word%d ", int(math.Exp(r.Float64()*10)))
	}
	return b.String()
}

package sqlite

import (
	"math/rand/v2"
	"testing"
	"time"

	"lens/store"
)

func BenchmarkCatalog(b *testing.B) {
	dir := b.TempDir()
	s := openIn(b, Options{Dir: dir})
	const n = 100_000
	must(b, s.Update(b.Context(), func(tx store.Tx) error {
		for range n / 20 {
			c := chatOf(20, "word")
			begun := time.Unix(rand.Int64N(1e8), 0)
			first, err := tx.ReserveOrds(b.Context(), len(c.Turns))
			must(b, err)
			for i := range c.Turns {
				c.Turns[i].Ord, c.Turns[i].Time = first+store.Ord(i), begun.Add(time.Duration(i)*time.Minute)
			}
			must(b, tx.PutTurns(b.Context(), c.Turns))
		}
		return nil
	}))
	for b.Loop() { // open, and read what every session reads first
		again, err := Open(b.Context(), Options{Dir: dir})
		must(b, err)
		_, err = again.Catalog(b.Context())
		must(b, err)
		must(b, again.Close())
	}
}

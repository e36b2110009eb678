package sqlite

import (
	"math/rand/v2"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"lens/store/storetest"
)

// A new archive gets its page size after it was opened.
func TestOpen_CacheOfNewArchive(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	random := rand.NewChaCha8([32]byte{})
	for i := range 30 {
		c := storetest.Chat(i+1, "large")
		c.Messages[0].Raw = make([]byte, 1<<20)
		random.Read(c.Messages[0].Raw) // random bytes, which do not compress
		must(t, put(t.Context(), s, c))
	}
	used, _, err := s.writer.Status(sqlite3.DBSTATUS_CACHE_USED, false)
	must(t, err)
	if used > 9<<20 {
		t.Errorf("the cache of the writer takes %d bytes", used)
	}
}

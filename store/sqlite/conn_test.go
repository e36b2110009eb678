package sqlite

import (
	"math/rand/v2"
	"testing"

	"github.com/ncruces/go-sqlite3"

	"lens/store"
	"lens/store/storetest"
)

// A new archive gets its page size after it was opened.
func TestOpen_CacheOfNewArchive(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	fillCache(t, s, store.Documents)
	if used := cacheUsed(t, s); used > 9<<20 {
		t.Errorf("the cache of the writer takes %d bytes", used)
	}
}

// Writing chats takes less time with more pages, writing a document does not.
func TestPutConversations_CacheOfChats(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	fillCache(t, s, store.ChatGPT)
	chats := cacheUsed(t, s)
	if chats < 20<<20 || chats > 27<<20 {
		t.Errorf("the cache of the writer takes %d bytes", chats)
	}
	fillCache(t, s, store.Documents)
	if used := cacheUsed(t, s); used < chats {
		t.Errorf("after documents it takes %d bytes, before %d", used, chats)
	}
}

// fillCache writes 30 MB that do not compress.
func fillCache(t *testing.T, s *Store, source store.Source) {
	t.Helper()
	random := rand.NewChaCha8([32]byte{})
	for i := range 30 {
		c := storetest.Chat(i+1, "large")
		c.Source = source
		c.Messages[0].Raw = make([]byte, 1<<20)
		random.Read(c.Messages[0].Raw)
		must(t, put(t.Context(), s, c))
	}
}

// cacheUsed returns how many bytes the cache of the writer takes.
func cacheUsed(t *testing.T, s *Store) int64 {
	t.Helper()
	used, _, err := s.writer.Status(sqlite3.DBSTATUS_CACHE_USED, false)
	must(t, err)
	return used
}

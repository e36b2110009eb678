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

func TestOpen_KeepsSmallPagesOfOlderArchive(t *testing.T) {
	dir := t.TempDir()
	migrated(t, dir)
	execute(t, dir, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; VACUUM")
	s, c := openIn(t, Options{Dir: dir}), storetest.Chat(50, "chat")
	must(t, put(t.Context(), s, c))
	must(t, s.writer.Exec("VACUUM"))
	if size := pageSize(t, s); size != 8192 {
		t.Errorf("it has pages of %d bytes", size)
	}
	messages, err := s.Messages(t.Context(), c.ID)
	must(t, err)
	if len(messages) != len(c.Messages) {
		t.Errorf("%d messages, want %d", len(messages), len(c.Messages))
	}
	if size := pageSize(t, openIn(t, Options{Dir: t.TempDir()})); size != 16384 {
		t.Errorf("a new archive has pages of %d bytes", size)
	}
}

func pageSize(t *testing.T, s *Store) int {
	t.Helper()
	stmt, _, err := s.writer.Prepare("PRAGMA page_size")
	must(t, err)
	defer stmt.Close()
	stmt.Step()
	return stmt.ColumnInt(0)
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

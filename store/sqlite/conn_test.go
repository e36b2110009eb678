package sqlite

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/uuid"
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

func TestOpen_KeepsPagesOfOlderArchive(t *testing.T) {
	for _, size := range []int{4096, 8192} {
		dir := t.TempDir()
		migrated(t, dir)
		execute(t, dir, fmt.Sprintf("PRAGMA journal_mode = DELETE; PRAGMA page_size = %d; VACUUM", size))
		encrypted := Options{Dir: t.TempDir(), Keys: keysFor(t)}
		must(t, Copy(t.Context(), Options{Dir: dir}, encrypted))
		for _, opts := range []Options{{Dir: dir}, encrypted} {
			s, kept, forgotten := openIn(t, opts), storetest.Chat(50, "chat"), storetest.Chat(51, "chat")
			must(t, put(t.Context(), s, kept))
			must(t, put(t.Context(), s, forgotten))
			must(t, s.Update(t.Context(), func(tx store.Tx) error { // which ends with VACUUM
				_, err := tx.Forget(t.Context(), []uuid.UUID{forgotten.ID})
				return err
			}))
			checkPages(t, s, size)
			backup := Options{Dir: t.TempDir(), Keys: opts.Keys}
			must(t, s.Snapshot(t.Context(), backup.Dir))
			s = openIn(t, backup)
			checkPages(t, s, size)
			messages, err := s.Messages(t.Context(), kept.ID)
			must(t, err)
			if len(messages) != len(kept.Messages) {
				t.Errorf("%d messages, want %d", len(messages), len(kept.Messages))
			}
		}
	}
	checkPages(t, openIn(t, Options{Dir: t.TempDir()}), 16384)
}

// checkPages checks the size of the pages, and that as many bytes of the log as ever are folded into the file.
func checkPages(t *testing.T, s *Store, size int) {
	t.Helper()
	page, err := s.writer.pageSize()
	must(t, err)
	log, err := s.writer.text("PRAGMA wal_autocheckpoint")
	must(t, err)
	if page != size || log != strconv.Itoa(196608000/size) {
		t.Errorf("pages of %d bytes, %s of them in the log; want %d bytes", page, log, size)
	}
}

// Writing chats takes less time with more pages, writing a document does not.
func TestPutConversations_CacheOfChats(t *testing.T) {
	s := openIn(t, Options{Dir: t.TempDir()})
	fillCache(t, s, store.ChatGPT)
	chats := cacheUsed(t, s)
	if chats < 13<<20 || chats > 18<<20 {
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

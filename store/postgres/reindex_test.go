package postgres

import (
	"fmt"
	"testing"

	"lens/internal/errs"
	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
	"lens/store/terms"
)

// indexedBy creates an archive of n turns with the text "word". Its keyword index was built by another version of
// the rules, which made another term of the word.
func indexedBy(t *testing.T, version, n int) (address string) {
	t.Helper()
	address = pgtest.Schema(t)
	s := openAt(t, Options{URL: address})
	c := storetest.Chat(n, "word")
	must(t, put(t.Context(), s, c))
	must(t, s.Update(t.Context(), func(tx store.Tx) error {
		return tx.AddTerms(t.Context(), []store.Ord{c.Turns[0].Ord}, store.ListTerms([]store.TermCount{{Term: "other", Count: 1}}))
	}))
	must(t, s.Close())
	// Change the row that the store wrote; without that row the test would prove nothing.
	execute(t, address, fmt.Sprintf("UPDATE archive SET value = value + %d WHERE key = 'terms'", version-terms.Version))
	return address
}

func (s *Store) occurrences(t *testing.T, word string) int {
	t.Helper()
	lists, err := s.Postings(t.Context(), []string{word})
	must(t, err)
	return len(lists[0].Ords)
}

func TestReindex_OlderRules(t *testing.T) {
	const n = 5000 // more than one segment
	address := indexedBy(t, terms.Version-1, n)
	reader := openAt(t, Options{URL: address, ReadOnly: true})
	if count(t, reader) != n {
		t.Error("its turns cannot be read")
	}
	wantError(t, reader.CheckKeywordIndex(), errs.Unavailable, "indexed by an older Lens", "to index it again")
	_, err := reader.Postings(t.Context(), []string{"word"})
	wantError(t, err, errs.Unavailable, "indexed by an older Lens", "to index it again")

	var notices []string
	s := openAt(t, Options{URL: address, Notice: func(sentence string) { notices = append(notices, sentence) }})
	must(t, s.CheckKeywordIndex())
	if word, other := s.occurrences(t, "word"), s.occurrences(t, "other"); word != n || other != 0 || len(notices) != 1 {
		t.Errorf("word in %d turns, other in %d, notices %q; want %d, 0 and one", word, other, notices, n)
	}
	catalog, err := s.Catalog(t.Context())
	must(t, err)
	if catalog.TotalLength != 2*n { // once in the user text, once in the reply
		t.Errorf("all turns have %d terms, want %d", catalog.TotalLength, 2*n)
	}
	must(t, openAt(t, Options{URL: address, ReadOnly: true}).CheckKeywordIndex())
	openAt(t, Options{URL: address, Notice: func(string) { t.Error("the index is rebuilt a second time") }})
}

func TestReindex_NewerRules(t *testing.T) {
	address := indexedBy(t, terms.Version+1, 3)
	_, err := Open(t.Context(), Options{URL: address})
	wantError(t, err, errs.Unavailable, "indexed by a newer Lens", "update Lens")
	reader := openAt(t, Options{URL: address, ReadOnly: true})
	wantError(t, reader.CheckKeywordIndex(), errs.Unavailable, "indexed by a newer Lens", "update Lens")
	if count(t, reader) != 3 {
		t.Error("its turns cannot be read")
	}
}

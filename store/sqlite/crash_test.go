//go:build system

package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"lens/internal/testenv"
	"lens/store"
	"lens/store/storetest"
)

// turnsPerCommit is the number of turns in each commit of a process that is writing.
const turnsPerCommit = 23

// writing commits forever and prints the number of commits after each.
var writing = testenv.NewChild("write", func(args []string) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: args[0], Verb: "import"})
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		if err := put(ctx, s, storetest.Chat(turnsPerCommit, strings.Repeat("word ", 500))); err != nil {
			return err
		}
		fmt.Println(n)
	}
})

// indexingFacts indexes the facts of an archive and prints how many turns are done after each commit.
var indexingFacts = testenv.NewChild("facts", func(args []string) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: args[0], Verb: "explore"})
	if err != nil {
		return err
	}
	err = store.IndexFacts(ctx, s, func(done, _ int) { fmt.Println(done) })
	return errors.Join(err, s.Close())
})

func TestIndexFacts_KilledBetweenCommits(t *testing.T) {
	if testing.Short() {
		t.Skip("kills between commits are NOT tested in -short mode")
	}
	const n, code = 30_000, "~~~\nx := 1"
	dir := t.TempDir()
	s, err := Open(t.Context(), Options{Dir: dir})
	must(t, err)
	must(t, put(t.Context(), s, storetest.Chat(n, code))) // its terms have no facts of turns
	must(t, s.Close())
	last, kills := n+1, 0
	for ; last > 0 && kills < 20; kills++ {
		testenv.KillAfter(t, indexingFacts.Command(t, dir), time.Duration(rand.Int64N(int64(30*time.Millisecond))))
		s, err := Open(t.Context(), Options{Dir: dir})
		must(t, err)
		left, err := store.UnindexedFacts(t.Context(), s)
		must(t, err)
		if left >= last {
			t.Errorf("%d turns are left, %d were before", left, last)
		}
		last = left
		must(t, s.checkIntegrity())
		must(t, s.Close())
	}
	if kills < 4 {
		t.Errorf("%d runs were enough: nothing was killed in the middle", kills)
	}
	s = openIn(t, Options{Dir: dir})
	must(t, store.IndexFacts(t.Context(), s, nil))
	lists, err := s.Postings(t.Context(), []string{store.HasCode, new(store.Turn).Facts()[0].Term})
	must(t, err)
	for _, list := range lists {
		if len(list.Ords) != n {
			t.Errorf("%d of %d turns are indexed", len(list.Ords), n)
		}
	}
}

func TestUpdate_KilledWriterLeavesWholeCommits(t *testing.T) {
	dir := t.TempDir()
	acknowledged := 0
	for range 8 {
		acknowledged += writeAndKill(t, dir, time.Duration(rand.Int64N(int64(60*time.Millisecond))))
		s, err := Open(t.Context(), Options{Dir: dir})
		must(t, err)
		catalog, err := s.Catalog(t.Context())
		must(t, err)
		if n := catalog.Len(); n%turnsPerCommit != 0 || n < acknowledged*turnsPerCommit {
			t.Errorf("%d turns after %d acknowledged commits of %d", n, acknowledged, turnsPerCommit)
		}
		acknowledged = catalog.Len() / turnsPerCommit
		must(t, s.checkIntegrity())
		must(t, put(t.Context(), s, storetest.Chat(turnsPerCommit, "afterwards"))) // no lock is left behind
		acknowledged++
		must(t, s.Close())
	}
	if acknowledged < 10 {
		t.Errorf("only %d commits: nothing was killed in the middle", acknowledged)
	}
}

// writeAndKill starts a writer, kills it after its first commit, and returns the number of commits that it reported.
func writeAndKill(t *testing.T, dir string, after time.Duration) (acknowledged int) {
	t.Helper()
	for _, line := range testenv.KillAfter(t, writing.Command(t, dir), after) {
		n, err := strconv.Atoi(line)
		if err != nil {
			t.Fatalf("the writer failed: %s", line)
		}
		acknowledged = n
	}
	return acknowledged
}

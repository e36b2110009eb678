package ingest_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/ncruces/go-sqlite3"

	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/store"
	"lens/store/ingest"
	"lens/store/postgres"
	"lens/store/postgres/pgtest"
	"lens/store/sqlite"
)

// olderLens writes no facts of turns.
type olderLens struct{ store.Store }

func (l olderLens) Update(ctx context.Context, fn func(store.Tx) error) error {
	return l.Store.Update(ctx, func(tx store.Tx) error { return fn(olderTx{tx}) })
}

type olderTx struct{ store.Tx }

func (t olderTx) AddTerms(ctx context.Context, ords []store.Ord, terms []store.Terms) error {
	for i := range terms {
		var kept []store.TermCount
		for _, term := range terms[i].TermCounts() {
			if !strings.HasPrefix(term.Term, ":") {
				kept = append(kept, term)
			}
		}
		terms[i] = store.ListTerms(kept)[0]
	}
	return t.Tx.AddTerms(ctx, ords, terms)
}

// BenchmarkIndexFacts measures indexing the facts of the demo's turns, 100,000 with LENS_BENCH=full; the growth of the
// keyword index; the longest transaction, which other writers wait for; and checking that none is missing.
func BenchmarkIndexFacts(b *testing.B) {
	const size = "SELECT sum(bytes) FROM term_segments"
	turns := map[bool]int{true: 100_000, false: 3000}[os.Getenv("LENS_BENCH") == "full"]
	export := testenv.Demo(b, demo.Options{Turns: turns})
	b.Run("sqlite", func(b *testing.B) {
		dir := b.TempDir()
		st, err := sqlite.Open(b.Context(), sqlite.Options{Dir: dir})
		testenv.Must(b, err)
		benchIndexFacts(b, st, export, func() (bytes int64) {
			db, err := sqlite3.Open(dir + "/lens.db")
			testenv.Must(b, err)
			defer db.Close()
			stmt, _, err := db.Prepare(size)
			testenv.Must(b, err)
			defer stmt.Close()
			stmt.Step()
			return stmt.ColumnInt64(0)
		})
	})
	b.Run("postgres", func(b *testing.B) {
		address := pgtest.Database(b)
		st, err := postgres.Open(b.Context(), postgres.Options{URL: address})
		testenv.Must(b, err)
		benchIndexFacts(b, st, export, func() (bytes int64) {
			db, err := pgx.Connect(b.Context(), address)
			testenv.Must(b, err)
			defer db.Close(b.Context())
			testenv.Must(b, db.QueryRow(b.Context(), size).Scan(&bytes))
			return bytes
		})
	})
}

// benchIndexFacts fills one archive, which has no facts only once.
func benchIndexFacts(b *testing.B, st store.Store, export string, size func() int64) {
	defer func() { testenv.Must(b, st.Close()) }()
	_, err := ingest.Import(b.Context(), olderLens{st}, []string{export}, ingest.Options{})
	testenv.Must(b, err)
	before, longest, turns := size(), time.Duration(0), 0
	began := time.Now()
	last := began
	testenv.Must(b, store.IndexFacts(b.Context(), st, func(_, total int) {
		longest, last, turns = max(longest, time.Since(last)), time.Now(), total
	}))
	spent := time.Since(began)
	for b.Loop() {
		testenv.Must(b, store.CheckFacts(b.Context(), st))
	}
	b.ReportMetric(float64(turns), "turns")
	b.ReportMetric(spent.Seconds(), "s")
	b.ReportMetric(longest.Seconds()*1000, "longest-ms")
	b.ReportMetric(float64(before)/1e6, "index-MB")
	b.ReportMetric(float64(size()-before)/1e6, "growth-MB")
	lists, err := st.Postings(b.Context(), []string{store.HasCode})
	testenv.Must(b, err)
	b.ReportMetric(float64(len(lists[0].Ords)), "with-code")
}

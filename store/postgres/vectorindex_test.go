package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"lens/internal/errs"
	"lens/store"
	"lens/store/postgres/pgtest"
)

// The archive of these tests: enough turns for an index to be used for a tenth of them; fewer in tests that only
// build one.
const indexTurns, fewTurns, indexDim, indexAbove = 3000, 600, 48, 300

// indexable opens a new archive with n vectors in clusters and returns the exact result for query.
func indexable(t *testing.T, address string, n int) (s *Store, query []float32, ranked []store.Neighbor) {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	centers, vectors := make([][]float32, 60), make([][]float32, n)
	for i := range centers {
		centers[i] = unit(t, r, make([]float32, indexDim), 1)
	}
	for i := range vectors {
		vectors[i] = unit(t, r, centers[r.IntN(len(centers))], 0.1)
	}
	query = unit(t, r, centers[0], 0.1)
	s, ranked = embeddedAt(t, address, vectors, query)
	s.indexMin = indexAbove
	return s, query, ranked
}

// hasIndex reports whether the active generation has a usable index.
func (s *Store) hasIndex(t *testing.T) (there bool) {
	t.Helper()
	must(t, s.read(t.Context(), "test", func(c *conn) error {
		now, err := c.searchPlan(t.Context())
		there = now.indexed
		return err
	}))
	return there
}

// wantExact checks that a search is exact.
func wantExact(t *testing.T, s *Store, query []float32, ranked []store.Neighbor) {
	t.Helper()
	found, err := s.Nearest(t.Context(), query, store.Filter{}, 50)
	must(t, err)
	if !slices.Equal(found, ranked[:50]) {
		t.Errorf("got %v, want %v", found, ranked[:50])
	}
}

func TestVectorIndex_Recall(t *testing.T) {
	s, query, ranked := indexable(t, pgtest.Schema(t), indexTurns)
	wantExact(t, s, query, ranked)
	s.wantUnindexed(t, indexTurns)
	calls := 0
	must(t, s.IndexVectors(t.Context(), func(done, total int) {
		if calls++; done > total || total != indexTurns {
			t.Errorf("%d of %d", done, total)
		}
	}))
	if !s.hasIndex(t) {
		t.Fatal("there is no index")
	}
	s.wantUnindexed(t, 0)
	odd := new(store.OrdSet)
	for _, n := range ranked {
		if n.Ord%2 == 1 {
			odd.Add(n.Ord)
		}
	}
	for _, f := range []store.Filter{{}, {Since: time.Unix(indexTurns/2, 0)}, {Ords: odd}} {
		within := ranked
		if f.Timed() {
			within = slices.DeleteFunc(slices.Clone(ranked), func(n store.Neighbor) bool { return n.Ord <= indexTurns/2 })
		}
		if f.Ords != nil {
			within = slices.DeleteFunc(slices.Clone(ranked), func(n store.Neighbor) bool { return !odd.Has(n.Ord) })
		}
		for _, k := range []int{10, 100, 1000} {
			found, err := s.Nearest(t.Context(), query, f, k)
			must(t, err)
			if known := common(found, within[:k]); len(found) != k || known < k*985/1000 {
				t.Errorf("%+v: %d of the %d nearest, among %d", f, known, k, len(found))
			}
			if !slices.IsSortedFunc(found, func(a, b store.Neighbor) int { return int((b.Similarity - a.Similarity) * 1e9) }) || common(found, ranked) != len(found) {
				t.Errorf("%+v: similarities that are not true, or not in order: %v", f, found)
			}
		}
	}
	narrow, err := s.Nearest(t.Context(), query, store.Filter{Since: time.Unix(100, 0), Until: time.Unix(300, 0)}, 1000)
	must(t, err)
	within := slices.DeleteFunc(slices.Clone(ranked), func(n store.Neighbor) bool { return n.Ord <= 100 || n.Ord > 300 })
	if !slices.Equal(narrow, within) {
		t.Errorf("a narrow window is not answered exactly: %v, want %v", narrow, within)
	}
}

// wantUnindexed checks the result of UnindexedVectors.
func (s *Store) wantUnindexed(t *testing.T, want int) {
	t.Helper()
	n, err := s.UnindexedVectors(t.Context())
	must(t, err)
	if n != want {
		t.Errorf("%d vectors without an index, want %d", n, want)
	}
}

// common counts the common elements of both lists, including their similarities.
func common(a, b []store.Neighbor) (n int) {
	held := make(map[store.Neighbor]bool, len(b))
	for _, x := range b {
		held[x] = true
	}
	for _, x := range a {
		if held[x] {
			n++
		}
	}
	return n
}

func TestSearch_Plans(t *testing.T) {
	t.Parallel()
	const byKey, byPlace, byIndex = "message_embeddings_pkey", "Tid Scan on message_embeddings", "Index Scan using vectors_near_1"
	address := pgtest.SuperuserDatabase(t) // who may see plans
	s, query, _ := indexable(t, address, indexTurns)
	must(t, s.Optimize(t.Context()))
	narrow := store.Filter{Since: time.Unix(100, 0), Until: time.Unix(150, 0)}
	for _, c := range []struct {
		name          string
		filter        store.Filter
		index         bool
		want, wantNot string
	}{
		{"a narrow window without an index", narrow, false, byKey, "Seq Scan"},
		{"all without an index", store.Filter{}, false, "Seq Scan on message_embeddings", "vectors_near"},
		{"a narrow window", narrow, true, byPlace, "vectors_near"},
		{"all", store.Filter{}, true, byIndex, "Seq Scan"},
		{"all branches of half of the time", store.Filter{Since: time.Unix(indexTurns/2, 0), AllBranches: true}, true, byIndex, "Seq Scan"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.index {
				must(t, s.IndexVectors(t.Context(), nil))
			}
			plan := s.planOf(t, address, query, c.filter)
			if !strings.Contains(plan, c.want) || strings.Contains(plan, c.wantNot) {
				t.Errorf("want %q and no %q in\n%s", c.want, c.wantNot, plan)
			}
		})
	}
}

// planOf returns the plan that the server used for a search, as auto_explain reports it.
func (s *Store) planOf(t *testing.T, address string, query []float32, f store.Filter) string {
	t.Helper()
	config, err := configure(Options{URL: address})
	must(t, err)
	var plans []string
	config.ConnConfig.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { plans = append(plans, n.Message) }
	lone := &Store{config: config.ConnConfig, indexMin: s.indexMin}
	lone.catalog.loading = semaphore.NewWeighted(1)
	lone.sketches.latest = s.sketches.latest
	c, err := lone.connect(t.Context())
	must(t, err)
	defer c.disconnect()
	must(t, pgxvector.RegisterTypes(t.Context(), c.Conn))
	q := lone.newSearch(query, f, 20)
	for range 7 { // the server may switch to a generic plan after five executions
		plans = nil
		_, err := lone.nearest(t.Context(), c, q)
		must(t, err)
		_, err = c.Exec(t.Context(), "LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET client_min_messages = log")
		must(t, err)
	}
	return slices.MaxFunc(plans, func(a, b string) int { return strings.Count(a, "<#>") - strings.Count(b, "<#>") })
}

func TestIndexVectors_InterruptedBuild(t *testing.T) {
	t.Parallel()
	s, query, ranked := indexable(t, pgtest.SuperuserDatabase(t), fewTurns) // who may set triggers on commands
	stall, full := "PERFORM pg_sleep(600)", "RAISE EXCEPTION 'no space' USING ERRCODE = '53100'"
	for _, c := range []struct {
		name, trigger string
		interrupt     func(cancel func())
		code          errs.Code
		message       string
	}{
		{"killed", stall, func(func()) {
			s.queryNumber(t, "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()")
		}, errs.Unavailable, "lost the connection"},
		{"canceled", stall, func(cancel func()) { cancel() }, errs.Unavailable, "interrupted"},
		{"out of space", full, nil, errs.Unavailable, "disk is full"},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer onIndexing(t, s, c.trigger)()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			built := make(chan error, 1)
			go func() { built <- s.IndexVectors(ctx, nil) }()
			if c.interrupt != nil {
				wantSoon(t, "the build is under way", func() bool {
					return s.queryNumber(t, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()") > 0
				})
				wantExact(t, s, query, ranked) // reads go on meanwhile
				c.interrupt(cancel)
			}
			err := <-built
			wantError(t, err, c.code, "the vector index was not built: ", "run lens embed to build it")
			if !strings.Contains(err.Error(), c.message) {
				t.Errorf("%v does not say %q", err, c.message)
			}
			if c.name == "canceled" && !errors.Is(err, context.Canceled) {
				t.Errorf("%v does not say that it was canceled", err)
			}
			if s.hasIndex(t) || s.queryNumber(t, "SELECT count(*) FROM pg_indexes WHERE indexname LIKE 'vectors_near%'") != 0 {
				t.Error("something is left of the index")
			}
			wantExact(t, s, query, ranked)
		})
	}
	must(t, s.IndexVectors(t.Context(), nil))
	if !s.hasIndex(t) {
		t.Error("it is not built the next time")
	}
}

// onIndexing makes every CREATE INDEX run a statement of PL/pgSQL at its end, until the test ends.
func onIndexing(t *testing.T, s *Store, statement string) (stop func()) {
	t.Helper()
	s.execSQL(t, `CREATE FUNCTION meddle() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN `+statement+`; END $$;
		CREATE EVENT TRIGGER meddle ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION meddle()`)
	return func() { s.execSQL(t, "DROP EVENT TRIGGER meddle; DROP FUNCTION meddle") }
}

// execSQL runs statements that return no rows.
func (s *Store) execSQL(tb testing.TB, sql string) {
	tb.Helper()
	must(tb, s.read(tb.Context(), "test", func(c *conn) error {
		_, err := c.Exec(tb.Context(), sql, pgx.QueryExecModeSimpleProtocol)
		return err
	}))
}

func TestIndexVectors_ReplacesUselessIndex(t *testing.T) {
	t.Parallel()
	s, query, ranked := indexable(t, pgtest.SuperuserDatabase(t), fewTurns) // who may spoil an index
	must(t, s.IndexVectors(t.Context(), nil))
	s.execSQL(t, "UPDATE pg_index SET indisvalid = FALSE WHERE indexrelid = 'vectors_near_1'::regclass")
	s.execSQL(t, "CREATE INDEX vectors_near_77 ON message_embeddings (id) WHERE generation_id = 77")
	if s.hasIndex(t) {
		t.Error("searches go by an index that is not valid")
	}
	wantExact(t, s, query, ranked)
	must(t, s.IndexVectors(t.Context(), nil))
	if n := s.queryNumber(t, "SELECT count(*) FROM pg_indexes WHERE indexname LIKE 'vectors_near%'"); n != 1 || !s.hasIndex(t) {
		t.Errorf("%d indexes; one that can be used: %v", n, s.hasIndex(t))
	}
	must(t, s.IndexVectors(t.Context(), nil)) // nothing to do
}

func TestIndexVectors_FewVectors(t *testing.T) {
	s, query, ranked := indexable(t, pgtest.Schema(t), fewTurns)
	s.indexMin = fewTurns
	must(t, s.IndexVectors(t.Context(), nil))
	if s.hasIndex(t) {
		t.Error("it has one")
	}
	s.wantUnindexed(t, 0)
	wantExact(t, s, query, ranked)
}

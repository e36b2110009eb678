package postgres

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/storetest"
	"lens/store/vecindex"
)

// The archive of these tests: enough turns and dimensions for a search by signs.
const sketchTurns, sketchDim = store.ExactWindow + 600, vecindex.SketchMinDim

// sketched is embedClusters with a sketch.
func sketched(t *testing.T, address string) (s *Store, query []float32, ranked []store.Neighbor) {
	t.Helper()
	s, query, ranked = embedClusters(t, address)
	wantExact(t, s, query, ranked)
	s.wantSketch(t, sketchTurns)
	return s, query, ranked
}

// embedClusters opens an archive with vectors in clusters and returns the exact result for query.
func embedClusters(t *testing.T, address string) (s *Store, query []float32, ranked []store.Neighbor) {
	t.Helper()
	r := rand.New(rand.NewPCG(13, 14))
	centers, vectors := make([][]float32, 40), make([][]float32, sketchTurns)
	for i := range centers {
		centers[i] = unit(t, r, make([]float32, sketchDim), 1)
	}
	for i := range vectors {
		vectors[i] = unit(t, r, centers[r.IntN(len(centers))], 0.03)
	}
	query = unit(t, r, centers[0], 0.03)
	s, ranked = embeddedAt(t, address, vectors, query)
	return s, query, ranked
}

// wantSketch waits for the sketch in progress and checks that it is complete and has the given number of rows.
func (s *Store) wantSketch(t *testing.T, rows int) {
	t.Helper()
	s.sketches.background.Wait()
	k, v := s.sketches.latest, s.view.Load()
	if k == nil || k.Len() != rows || !k.fits(v) || k.plan.version != v.version {
		t.Fatalf("no complete sketch of %d vectors: %+v", rows, k)
	}
}

func TestSketch_SelectsComparedVectors(t *testing.T) {
	t.Parallel()
	address := pgtest.SuperuserDatabase(t) // who may see plans
	s, query, ranked := sketched(t, address)
	plan := s.planOf(t, address, query, store.Filter{})
	if !strings.Contains(plan, "Tid Scan on message_embeddings") || strings.Contains(plan, "Seq Scan") {
		t.Errorf("not the vectors that are near by their signs are compared, but\n%s", plan)
	}
	for _, k := range []int{1, 50, 300} {
		found, err := s.Nearest(t.Context(), query, store.Filter{}, k)
		must(t, err)
		if n := common(found, ranked[:k]); len(found) != k || n < k*98/100 {
			t.Errorf("%d of the %d nearest, among %d", n, k, len(found))
		}
		if common(found, ranked) != k || !slices.IsSortedFunc(found, vecindex.CompareNeighbors) {
			t.Errorf("similarities that are not true, or not in order: %v", found)
		}
	}
	since := store.Filter{Since: time.Unix(500, 0)}
	within := slices.DeleteFunc(slices.Clone(ranked), func(n store.Neighbor) bool { return n.Ord <= 500 })
	found, err := s.Nearest(t.Context(), query, since, 100)
	must(t, err)
	if n := common(found, within[:100]); len(found) != 100 || n < 98 {
		t.Errorf("%d of the 100 nearest since then, among %d", n, len(found))
	}
}

func TestSketch_MissingVectorsAreFound(t *testing.T) {
	address := pgtest.Schema(t)
	s, query, ranked := sketched(t, address)
	other := openAt(t, Options{URL: address})
	c := storetest.Chat(2, "new")
	must(t, put(t.Context(), other, c))
	embed := func(turn store.Turn) store.Neighbor {
		must(t, other.Update(t.Context(), func(tx store.Tx) error {
			return tx.PutVectors(t.Context(), 1, []store.Vector{{Turn: turn.ID, Values: query}})
		}))
		return store.Neighbor{Ord: turn.Ord, Similarity: store.Dot(query, store.Halves(query))}
	}
	added := []store.Neighbor{embed(c.Turns[0])}
	wantFirst := func(what string) {
		t.Helper()
		found, err := s.Nearest(t.Context(), query, store.Filter{}, 10)
		must(t, err)
		if want := append(slices.Clone(added), ranked[:10-len(added)]...); !slices.Equal(found, want) {
			t.Errorf("%s: got %v, want %v", what, found, want)
		}
	}
	wantFirst("added")
	s.wantSketch(t, sketchTurns+1)
	wantFirst("added, and in the sketch")
	added = append(added, embed(c.Turns[1]))
	wantFirst("embedded later")
	s.wantSketch(t, sketchTurns+2)
	must(t, other.Update(t.Context(), func(tx store.Tx) error {
		_, err := tx.Forget(t.Context(), []uuid.UUID{c.ID})
		return err
	}))
	added = nil
	wantFirst("forgotten")
	s.wantSketch(t, sketchTurns)
	wantFirst("forgotten, with a new sketch")
}

func TestSketch_RewrittenTable(t *testing.T) {
	s, query, ranked := sketched(t, pgtest.Schema(t))
	catalog, err := s.Catalog(t.Context())
	must(t, err)
	// These statements move no counter; only the table's file shows their effect.
	row, _ := catalog.Row(ranked[0].Ord)
	s.execSQL(t, "DELETE FROM message_embeddings WHERE id = '"+catalog.ID[row].String()+"'")
	wantExact(t, s, query, ranked[1:])
	s.execSQL(t, "VACUUM FULL message_embeddings")
	wantExact(t, s, query, ranked[1:])
	s.wantSketch(t, sketchTurns-1)
	wantExact(t, s, query, ranked[1:])
}

func TestSketch_FailureFallsBack(t *testing.T) {
	t.Parallel()
	s, query, ranked := embedClusters(t, pgtest.SuperuserDatabase(t)) // who may take functions away
	s.execSQL(t, "ALTER FUNCTION binary_quantize(vector) RENAME TO gone; ALTER FUNCTION binary_quantize(halfvec) RENAME TO gone")
	for range 2 {
		wantExact(t, s, query, ranked)
		s.sketches.background.Wait()
		if s.sketches.latest != nil || s.sketches.failed.IsZero() {
			t.Fatal("there are signs, or the store did not try to fetch them")
		}
	}
	failed := s.sketches.failed
	s.execSQL(t, "ALTER FUNCTION gone(vector) RENAME TO binary_quantize")
	wantExact(t, s, query, ranked)
	s.sketches.background.Wait()
	if s.sketches.latest != nil || s.sketches.failed != failed {
		t.Error("it was tried again at once")
	}
	s.sketches.failed = failed.Add(-2 * sketchRetry)
	wantExact(t, s, query, ranked)
	s.wantSketch(t, sketchTurns)
	wantExact(t, s, query, ranked)
}

func TestSketch_CloseCancelsMaking(t *testing.T) {
	s := openAt(t, Options{URL: pgtest.Schema(t)})
	for range 2 {
		s.sketches.get(&view{searchPlan: searchPlan{version: 1}}, func(ctx context.Context, _ *sketch) (*sketch, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
	}
	must(t, s.Close())
	if s.sketches.get(&view{}, nil) != nil || s.sketches.cancel != nil {
		t.Error("another is made, or there is one")
	}
}

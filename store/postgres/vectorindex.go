package postgres

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"lens/store"
	"lens/store/failure"
)

const (
	// maxIndexDim is the maximum dimension of halfvec in pgvector's HNSW.
	maxIndexDim = 4000

	// maxBuildMemory limits the memory for building an index. A larger graph is built too, but slowly; a
	// higher maintenance_work_mem of the server lifts the limit.
	maxBuildMemory = 960 << 20

	// progressInterval is how often the progress of a build is read.
	progressInterval = 200 * time.Millisecond

	diskFull = "53100" // also reported for shared memory
)

var _ store.VectorIndexer = (*Store)(nil)

// indexTarget is a generation to index.
type indexTarget struct {
	searchPlan
	vectors int
}

// IndexVectors implements store.VectorIndexer. It builds the index in one transaction, so that an
// interrupted build leaves nothing behind. The build blocks writers, as the writer lock does anyway,
// but not readers.
func (s *Store) IndexVectors(ctx context.Context, progress func(done, total int)) error {
	g, err := s.unindexed(ctx)
	if err == nil && g.gen != 0 {
		err = s.write(ctx, "index vectors", func(c *conn) error {
			if err := c.dropStaleIndexes(ctx); err != nil {
				return err
			}
			defer s.watchBuild(ctx, c.PgConn().PID(), g.vectors, progress)()
			return c.buildIndex(ctx, g)
		})
	}
	return buildError(err)
}

// UnindexedVectors implements store.VectorIndexer.
func (s *Store) UnindexedVectors(ctx context.Context) (int, error) {
	g, err := s.unindexed(ctx)
	return g.vectors, err
}

// unindexed returns the active generation if it should have an index but has none; otherwise a zero
// target.
func (s *Store) unindexed(ctx context.Context) (g indexTarget, err error) {
	err = s.read(ctx, "index vectors", func(c *conn) error {
		return c.each(ctx, "VectorIndex", nil, func(r row) error {
			g = indexTarget{r.searchPlan(), r.int(6)}
			return nil
		})
	})
	if g.indexed || g.dim > maxIndexDim || g.vectors <= s.indexMin {
		return indexTarget{}, err
	}
	return g, err
}

// dropStaleIndexes drops indexes of other generations and unusable ones that an interrupted build left
// behind.
func (c *conn) dropStaleIndexes(ctx context.Context) error {
	var stale []string
	err := c.each(ctx, "StaleVectorIndexes", nil, func(r row) error {
		stale = append(stale, r.text(0))
		return nil
	})
	for _, name := range stale {
		if err == nil {
			_, err = c.Exec(ctx, "DROP INDEX "+name)
		}
	}
	return err
}

// buildIndex builds with the server's default number of workers, and without workers if shared memory
// is short.
func (c *conn) buildIndex(ctx context.Context, g indexTarget) error {
	err := c.buildWith(ctx, g, "")
	var serverErr *pgconn.PgError
	if errors.As(err, &serverErr) && serverErr.Code == diskFull {
		return c.buildWith(ctx, g, "0")
	}
	return err
}

func (c *conn) buildWith(ctx context.Context, g indexTarget, workers string) error {
	memory := min(int64(g.vectors)*int64(2*g.dim+512)*5/4, maxBuildMemory)
	return c.transaction(ctx, "BEGIN READ WRITE", func() error {
		if _, err := c.run(ctx, "TuneBuild", strconv.FormatInt(memory>>10, 10)+"kB", workers); err != nil {
			return err
		}
		_, err := c.Exec(ctx, g.literal("MakeVectorIndex"))
		return err
	})
}

// literal returns a query with the generation and its dimension as literals: an index definition has
// no parameters, and a statement must repeat the literals to use that index.
func (s searchPlan) literal(query string) string {
	literals := strings.NewReplacer("{generation}", strconv.Itoa(int(s.gen)), "{dim}", strconv.Itoa(s.dim))
	return literals.Replace(queries.Get(query))
}

// watchBuild reports the progress of server process pid until the returned function is called.
func (s *Store) watchBuild(ctx context.Context, pid uint32, total int, progress func(done, total int)) (stop func()) {
	if progress == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for tick := time.NewTicker(progressInterval); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
				if done, err := s.buildProgress(ctx, pid); err == nil { // on an error, try again later
					progress(min(done, total), total)
				}
			}
		}
	}()
	return func() { cancel(); <-ended }
}

func (s *Store) buildProgress(ctx context.Context, pid uint32) (done int, err error) {
	err = s.read(ctx, "index vectors", func(c *conn) error {
		n, err := c.number(ctx, "BuildProgress", int64(pid))
		done = int(n)
		return err
	})
	return done, err
}

// buildError adds to a failed build that search works without the index.
func buildError(err error) error {
	if err == nil {
		return nil
	}
	return failure.NotIndexed("postgres: index vectors", err,
		"run lens embed to build it; until then, search by meaning is exact but slower")
}

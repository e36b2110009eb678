package postgres

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"lens/store"
)

const (
	// maxIndexDim is the longest vector of halves that pgvector's HNSW takes.
	maxIndexDim = 4000

	// maxBuildMemory bounds what an index is built in. A graph that outgrows it is built on, slowly; who wants more gives the server
	// more maintenance_work_mem.
	maxBuildMemory = 960 << 20

	// watch is how often the progress of a build is looked at.
	progressInterval = 200 * time.Millisecond

	diskFull = "53100" // also said of shared memory
)

var _ store.VectorIndexer = (*Store)(nil)

// indexed is a generation and what is known of its index.
type indexTarget struct {
	searchPlan
	vectors int
}

// IndexVectors implements store.VectorIndexer. The index is made in one transaction, so that an interrupted build leaves nothing of it. That
// keeps off whoever would write, which the writer's lock does anyway, but nobody who reads.
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

// unindexed returns the active generation when it lacks the index that it should have; else a zero one.
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

// dropStaleIndexes drops the indexes of other generations, and those that somebody else's interrupted build left unusable.
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

// buildIndex builds with as many workers as the server likes; alone where it has no shared memory for them.
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

// literal returns a query in which the generation and its dimension stand as literals: in an index there are no parameters, and a
// statement must say the same to be answered by it.
func (s searchPlan) literal(query string) string {
	return strings.NewReplacer("{generation}", strconv.Itoa(int(s.gen)), "{dim}", strconv.Itoa(s.dim)).Replace(queries.Get(query))
}

// watchBuild tells how far the server process pid has come, until the returned function is called.
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
				if done, err := s.buildProgress(ctx, pid); err == nil { // who cannot be asked is asked again
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

// buildError says of a failed build that nothing depends on it.
func buildError(err error) error {
	if err == nil {
		return nil
	}
	reason := "interrupted"
	var storeErr *store.Error
	if errors.As(err, &storeErr) && storeErr.Message != "" {
		reason = storeErr.Message
	}
	return &store.Error{
		Code: store.CodeOf(err), Op: "postgres: index vectors", Err: err,
		Message: "the vector index was not built: " + reason,
		Hint:    "Search by meaning works without it, exactly but more slowly; the next `lens embed` builds it.",
	}
}

// Package postgres keeps an archive in a schema of a Postgres database with pgvector: for archives that several machines share,
// or that outgrow a file.
//
// The rules are:
//
//   - A read is one statement, or a repeatable-read transaction: it sees one commit. One process at a time writes, by an advisory
//     lock that lives and dies with the writer's connection.
//   - Statements are prepared once a connection and kept, and planned anew for the values at hand: a narrow window must not be
//     searched like the whole. All SQL stands in named queries in queries/*.sql. Rows come in by COPY.
//   - Similarities are computed here, by store.Dot: the server's arithmetic only says which vectors to look at. Those are fetched once, and
//     some thousands are kept as long as none of the generation is replaced or removed.
//   - Up to two thousand turns are compared one by one: what is found is exact, and equal to what every other backend finds.
//   - Among more vectors of 1,024 dimensions or more, the signs of all of them say which few hundred are compared, as in store/vecindex. They
//     are fetched in the background when they are first wanted, 384 bytes a vector of 3,072 dimensions and 128 MB at most, and kept as long
//     as none of the generation is replaced or removed.
//   - Where there are no signs, ten thousand turns, or a tenth of the archive, are still compared one by one. Above that the search goes by
//     an HNSW index of the generation, where IndexVectors has built one, and may miss a few. The filter acts inside every search.
//   - A server that was restarted is waited for, and a read that it interrupted is made once more. Whatever a person can meet is
//     a *store.Error with a next step, and none says a password.
//   - What is forgotten is gone for every reader at once, and its bytes from the tables after a vacuum, which is done right away;
//     the server's own log and backups are not Lens's to clean.
package postgres

import (
	"cmp"
	"context"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"lens/store"
)

// Options says which archive to open and how. Only URL is required.
type Options struct {
	URL      string        // postgres://user:password@host:port/database, or what else libpq takes
	ReadOnly bool          // never write, not even to make or migrate the archive
	Verb     string        // what this process does ("import"): storeErr to whoever must wait for it
	Wait     time.Duration // how long a writer waits for another; 0: 5 s

	// Notice is storeErr in a sentence what Open does besides that takes a while; nil: nobody is.
	Notice func(sentence string)

	// Dial opens the connections; nil: an ordinary dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// defaultWriterWait is how long a second writer waits.
const defaultWriterWait = 5 * time.Second

// Store is an archive in a database.
type Store struct {
	config   *pgx.ConnConfig // of a connection that knows no vectors
	address  string          // host, port and database, for messages
	readOnly bool
	indexMin int   // see indexMinTurns
	terms    error // why the keyword index cannot be used
	notice   func(sentence string)

	pool     *pgxpool.Pool
	writer   *writer
	catalog  catalogCache
	view     atomic.Pointer[view]
	sketches sketcher
	closed   atomic.Bool
}

var _ store.Store = (*Store)(nil)

// Open opens the archive in the schema that opts.URL leads to, makes it when there is none, migrates it to the present schema and
// indexes its keywords again where they were indexed by an older Lens.
// Errors: invalid (no URL, wrong password, not an archive, or a newer one), not_found (no such database; ReadOnly, and there is no
// archive), unavailable (no server, no pgvector, another process is writing).
func Open(ctx context.Context, opts Options) (*Store, error) {
	config, err := configure(opts)
	if err != nil {
		return nil, err
	}
	s := &Store{
		config: config.ConnConfig, address: address(config.ConnConfig), readOnly: opts.ReadOnly, indexMin: indexMinTurns, notice: opts.Notice,
		catalog: catalogCache{token: make(chan struct{}, 1)},
	}
	s.catalog.token <- struct{}{}
	if s.notice == nil {
		s.notice = func(string) {}
	}
	s.writer = newWriter(s.connect, cmp.Or(opts.Wait, defaultWriterWait))
	if err := s.prepare(ctx); err != nil {
		s.writer.close()
		return nil, s.explain(ctx, "open", err)
	}
	config.AfterConnect = pgxvector.RegisterTypes
	if s.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		s.writer.close()
		return nil, s.explain(ctx, "open", err)
	}
	return s, nil
}

// connect opens a connection outside the pool, one that knows no vectors.
func (s *Store) connect(ctx context.Context) (*conn, error) {
	c, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return nil, err
	}
	return &conn{c}, nil
}

// Close releases everything. Reads and the write that are still running end first.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.sketches.close()
	s.writer.close()
	s.pool.Close()
	return nil
}

// Package postgres keeps an archive in a schema of a Postgres database with pgvector: for an archive
// that several machines share, or that outgrows one file.
//
// The rules are:
//
//   - A read is one statement or a repeatable-read transaction, so it sees one commit. One process at a time
//     writes, under an advisory lock that belongs to the writer's connection and ends with it.
//   - Each connection prepares a statement once and keeps it, but plans it for each set of parameters: a narrow
//     window needs another plan than the whole archive. All SQL is in named queries in queries/*.sql. Rows are
//     written with COPY.
//   - The client computes similarities, with store.Dot; the server's arithmetic only selects candidates. Fetched
//     vectors are cached, some thousands of them, until a vector of the generation is replaced or removed.
//   - Up to two thousand eligible turns are compared one by one, which is exact: every backend finds the same.
//   - Above that, for vectors of 1,024 dimensions or more, the signs of all vectors select the few hundred that
//     are compared, as in store/vecindex. They are fetched in the background on first use, take 384 bytes for a
//     vector of 3,072 dimensions and 128 MB at most, and are cached like the vectors.
//   - Without signs, up to ten thousand eligible turns, or a tenth of the archive, are still compared one by one.
//     Above that the search uses the generation's HNSW index, if IndexVectors has built it, and may miss a few
//     turns. The filter applies inside every search.
//   - Reads and writes wait for a server that restarts, and an interrupted read is repeated once. Every failure
//     that a user can cause or fix is a *errs.Error with a hint. No error contains a password.
//   - Forgotten text is gone for every reader at once. A vacuum, which runs immediately, removes its bytes from the
//     tables. Lens does not clean the server's own log and backups.
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
	"golang.org/x/sync/semaphore"

	"lens/store"
)

// Options says which archive to open and how. Only URL is required.
type Options struct {
	URL      string        // postgres://user:password@host:port/database, or another form that libpq accepts
	ReadOnly bool          // never write, not even to create or migrate the archive
	Verb     string        // what this process does ("import"), shown to writers that wait for it
	Wait     time.Duration // how long a writer waits for another one; 0: 5 s

	// Notice receives a sentence about slow extra work of Open; may be nil.
	Notice func(sentence string)

	// Dial opens the connections; nil: a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// defaultWriterWait is how long a second writer waits for the first.
const defaultWriterWait = 5 * time.Second

// Store is an archive in a database.
type Store struct {
	config   *pgx.ConnConfig // of a connection without vector types
	address  string          // host, port and database, for messages
	readOnly bool
	indexMin int   // see indexMinTurns
	terms    error // why the keyword index is unusable; nil: it is usable
	notice   func(sentence string)

	pool     *pgxpool.Pool
	writer   *writer
	catalog  catalogCache
	view     atomic.Pointer[view]
	sketches sketcher
	closed   atomic.Bool
}

var _ store.Store = (*Store)(nil)

// Open opens the archive in the schema that opts.URL selects. It creates a missing archive, migrates
// an older one to the present schema, and rebuilds a keyword index that an older Lens made. Errors:
// invalid (no URL, wrong password, not an archive, or a newer one), not_found (no such database;
// ReadOnly, and there is no archive), unavailable (no server, no pgvector, another process is
// writing).
func Open(ctx context.Context, opts Options) (*Store, error) {
	config, err := configure(opts)
	if err != nil {
		return nil, err
	}
	s := &Store{
		config:   config.ConnConfig,
		address:  address(config.ConnConfig),
		readOnly: opts.ReadOnly,
		indexMin: indexMinTurns,
		notice:   opts.Notice,
		catalog:  catalogCache{loading: semaphore.NewWeighted(1)},
	}
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

// connect opens a connection outside the pool, without vector types.
func (s *Store) connect(ctx context.Context) (*conn, error) {
	c, err := pgx.ConnectConfig(ctx, s.config.Copy())
	if err != nil {
		return nil, err
	}
	return &conn{c}, nil
}

// Close releases everything. It waits for running reads and for a running write.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	s.sketches.close()
	s.writer.close()
	s.pool.Close()
	return nil
}

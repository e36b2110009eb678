package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"lens/migrations"
	"lens/store/failure"
)

// migrationsTable is goose's version table. It has its own name because other programs in the database
// may use goose too.
const migrationsTable = "lens_migrations"

// prepare makes sure that the server has pgvector and an archive of the present schema.
func (s *Store) prepare(ctx context.Context) error {
	c, err := s.firstConnect(ctx)
	if err != nil {
		return err
	}
	defer c.disconnect()
	if err := c.checkPgvector(ctx); err != nil {
		return err
	}
	err = c.checkSchema(ctx)
	if !s.readOnly && (errors.Is(err, errNone) || errors.Is(err, failure.ErrOlder)) {
		err = s.migrate(ctx)
	}
	if err != nil {
		return err
	}
	return s.ensureTerms(ctx, c)
}

// firstConnect opens the first connection. It waits for a server that reports that it is starting, but
// not for one that does not answer.
func (s *Store) firstConnect(ctx context.Context) (*conn, error) {
	c, err := s.connect(ctx)
	if isServerError(err) && isConnLost(err) {
		return connectWithRetry(ctx, s.connect)
	}
	return c, err
}

// checkSchema returns nil for an archive of the present schema. Otherwise it returns errNone,
// failure.ErrOlder, failure.ErrNewer, or errNotOurs if another program has tables with the same names.
func (c *conn) checkSchema(ctx context.Context) error {
	migrated, err := c.number(ctx, "IsMigrated")
	if err != nil {
		return err
	}
	if migrated == 0 {
		tables, err := c.number(ctx, "OurTables")
		switch {
		case err != nil:
			return err
		case tables > 0:
			return errNotOurs
		}
		return errNone
	}
	version, err := c.number(ctx, "SchemaVersion")
	if err != nil {
		return err
	}
	switch latest := migrations.Latest(migrations.Postgres); {
	case version < latest:
		return failure.ErrOlder
	case version > latest:
		return failure.ErrNewer
	}
	return nil
}

// migrate upgrades the archive to the present schema under the writer lock. Another process may have
// done so.
func (s *Store) migrate(ctx context.Context) error {
	return s.write(ctx, "open", func(*conn) error {
		return s.withMigrations(func(p *goose.Provider) error {
			_, err := p.Up(ctx)
			return err
		})
	})
}

// withMigrations calls fn with a goose provider on its own connections.
func (s *Store) withMigrations(fn func(*goose.Provider) error) (err error) {
	db := stdlib.OpenDB(*s.config)
	defer func() { err = errors.Join(err, db.Close()) }()
	files := migrations.FS(migrations.Postgres)
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithTableName(migrationsTable))
	if err != nil {
		return err
	}
	return fn(provider)
}

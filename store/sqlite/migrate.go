package sqlite

import (
	"context"
	"errors"

	"github.com/ncruces/go-sqlite3/driver"
	"github.com/pressly/goose/v3"

	"lens/migrations"
	"lens/store/failure"
)

// schemaVersion returns the schema's version, 0 for an empty file. Errors: errForeignDatabase for another
// program's database, failure.ErrNewer for an archive of a later Lens.
func (c *conn) schemaVersion() (int64, error) {
	tables, err := c.number("CountTables")
	if err != nil || tables == 0 {
		return 0, err
	}
	ours, err := c.number("IsMigrated")
	if err != nil {
		return 0, err
	}
	if ours == 0 {
		return 0, errForeignDatabase
	}
	version, err := c.number("SchemaVersion")
	if err == nil && version > migrations.Latest(migrations.SQLite) {
		err = failure.ErrNewer
	}
	return version, err
}

// migrate upgrades the archive at path to a version of the schema, one transaction per step.
func migrate(ctx context.Context, path string, version int64) error {
	return withMigrations(path, func(p *goose.Provider) error {
		_, err := p.UpTo(ctx, version)
		return err
	})
}

// withMigrations calls fn with a goose provider on its own connection.
func withMigrations(path string, fn func(*goose.Provider) error) (err error) {
	db, err := driver.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations.FS(migrations.SQLite))
	if err != nil {
		return err
	}
	return fn(provider)
}

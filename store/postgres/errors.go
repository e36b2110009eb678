package postgres

import (
	"context"
	"errors"
	"net"

	"lens/internal/errs"

	"github.com/jackc/pgx/v5/pgconn"
)

// Failures that this package detects itself.
var (
	errClosed   = errors.New("archive is closed")
	errReadOnly = errors.New("store is read-only")
	errNone     = errors.New("database holds no archive")
	errNotOurs  = errors.New("tables belong to another program")
	errNewer    = errors.New("schema is newer than this program")
	errOlder    = errors.New("schema is older than this program")
)

// explanation is the part of a errs.Error that depends on the cause.
type explanation struct {
	code          errs.Code
	message, hint string
}

// explain turns err into a *errs.Error with a hint. It leaves two kinds of errors as they are: a *errs.Error,
// and an error that did not come from the archive (one of the caller's own, passed through Update).
func (s *Store) explain(ctx context.Context, op string, err error) error {
	var explained *errs.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &explained):
		return err
	case ctx.Err() != nil && (isConnLost(err) || isServerError(err) || pgconn.Timeout(err) || errors.Is(err, ctx.Err())):
		return &errs.Error{Code: errs.Unavailable, Op: "postgres: " + op, Err: ctx.Err()}
	}
	e, ok := s.diagnose(err)
	if !ok {
		return err
	}
	return &errs.Error{Code: e.code, Op: "postgres: " + op, Message: e.message, Hint: e.hint, Err: err}
}

// isServerError reports whether the server itself returned err.
func isServerError(err error) bool {
	var serverErr *pgconn.PgError
	return errors.As(err, &serverErr)
}

func (s *Store) diagnose(err error) (explanation, bool) {
	if e, ok := s.diagnoseOwn(err); ok {
		return e, true
	}
	var serverErr *pgconn.PgError
	if errors.As(err, &serverErr) {
		return s.diagnoseCode(serverErr.Code), true
	}
	return s.diagnoseNetwork(err)
}

// diagnoseOwn explains the failures that this package detects itself.
func (s *Store) diagnoseOwn(err error) (explanation, bool) {
	switch {
	case errors.Is(err, errClosed):
		return explanation{code: errs.Unavailable}, true
	case errors.Is(err, errReadOnly):
		return explanation{
			errs.Invalid, "the archive is open for reading only",
			"open it for writing; nothing was changed",
		}, true
	case errors.Is(err, errNone):
		return explanation{
			errs.NotFound, "there is no archive at " + s.address,
			"run lens import PATH, or choose another database with --database",
		}, true
	case errors.Is(err, errNotOurs):
		return explanation{
			errs.Invalid, s.address + " holds another program's tables",
			"choose a database or a search_path that only Lens uses",
		}, true
	case errors.Is(err, errNewer):
		return explanation{errs.Invalid, "the archive was made by a newer Lens", "update Lens"}, true
	case errors.Is(err, errNewerTerms):
		return explanation{
			errs.Unavailable, "the archive's keywords were indexed by a newer Lens",
			"update Lens; commands that only read turns, such as lens export, still work",
		}, true
	case errors.Is(err, errOlderTerms):
		return explanation{
			errs.Unavailable, "the archive's keywords were indexed by an older Lens",
			"run lens import or lens embed once to index it again",
		}, true
	case errors.Is(err, errOlder):
		return explanation{
			errs.Invalid, "the archive was made by an older Lens",
			"run lens import or lens embed once to upgrade it",
		}, true
	}
	return explanation{}, false
}

// diagnoseCode explains the server's errors by their SQLSTATE.
func (s *Store) diagnoseCode(code string) explanation {
	switch code {
	case "28P01", "28000":
		return explanation{
			errs.Invalid, "the server at " + s.address + " rejects this user or password",
			"correct them in the database URL",
		}
	case "3D000":
		return explanation{
			errs.NotFound, "the database " + s.config.Database + " does not exist",
			"create it (createdb " + s.config.Database + "), or name another one in the database URL",
		}
	case "42501":
		return explanation{
			errs.Unavailable, "the database user lacks a permission",
			"have a superuser run CREATE EXTENSION vector in the database, and allow this user to create tables there",
		}
	case "25006":
		return explanation{
			errs.Unavailable, "the server is read-only",
			"name the primary server in the database URL",
		}
	case "53100":
		return explanation{
			errs.Unavailable, "the server's disk is full",
			"free some space there and try again; nothing was lost",
		}
	case "53300":
		return explanation{
			errs.Unavailable, "the server has no connection left",
			"try again in a moment, or raise its max_connections",
		}
	case "55P03":
		return explanation{
			errs.Unavailable, "another program has locked the archive's tables",
			"wait until it finishes, or end it, and try again",
		}
	case "57014":
		return explanation{
			errs.Unavailable, "the server canceled the query",
			"try again; if this user has a statement_timeout, raise it",
		}
	case "22021", "22P05":
		return explanation{
			errs.Invalid, "Postgres cannot store a text with a NUL byte or invalid UTF-8",
			"clean the text before storing it",
		}
	}
	if serverGoneCodes[code] {
		return s.gone()
	}
	return explanation{code: errs.Internal}
}

// diagnoseNetwork explains failures to reach the server.
func (s *Store) diagnoseNetwork(err error) (explanation, bool) {
	var unknownHost *net.DNSError
	var connecting *pgconn.ConnectError
	switch {
	case errors.As(err, &unknownHost):
		return explanation{
			errs.Unavailable, "cannot find the host " + s.config.Host,
			"correct it in the database URL, or check the network",
		}, true
	case errors.As(err, &connecting):
		return explanation{
			errs.Unavailable, "cannot reach Postgres at " + s.address,
			"start the server (docker compose up -d), correct the database URL, or omit it to use SQLite",
		}, true
	case isConnLost(err):
		return s.gone(), true
	case pgconn.Timeout(err):
		return explanation{
			errs.Unavailable, "the server at " + s.address + " did not answer in time",
			"check the server and the network, and try again",
		}, true
	}
	return explanation{}, false
}

func (s *Store) gone() explanation {
	return explanation{
		errs.Unavailable, "lost the connection to the server at " + s.address,
		"try again when it is back; committed data is safe, and unfinished changes were discarded",
	}
}

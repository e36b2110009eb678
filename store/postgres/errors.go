package postgres

import (
	"context"
	"errors"
	"net"

	"lens/internal/errs"
	"lens/store/failure"

	"github.com/jackc/pgx/v5/pgconn"
)

// Failures that this package detects itself.
var (
	errNone    = errors.New("database holds no archive")
	errNotOurs = errors.New("tables belong to another program")
)

// explain turns an error of the archive into an *errs.Error with a hint.
func (s *Store) explain(ctx context.Context, op string, err error) error {
	interrupted := func(err error) bool { return isConnLost(err) || isServerError(err) || pgconn.Timeout(err) }
	return failure.Explain(ctx, "postgres: "+op, err, interrupted, s.diagnose)
}

// isServerError reports whether the server itself returned err.
func isServerError(err error) bool {
	var serverErr *pgconn.PgError
	return errors.As(err, &serverErr)
}

func (s *Store) diagnose(err error) *errs.Error {
	if e := s.diagnoseOwn(err); e != nil {
		return e
	}
	var serverErr *pgconn.PgError
	if errors.As(err, &serverErr) {
		return s.diagnoseCode(serverErr.Code)
	}
	return s.diagnoseNetwork(err)
}

// diagnoseOwn explains the failures that this package detects itself.
func (s *Store) diagnoseOwn(err error) *errs.Error {
	switch {
	case errors.Is(err, errNone):
		return failure.New(
			errs.NotFound, "there is no archive at "+s.address,
			"run lens import PATH, or choose another database with --database",
		)
	case errors.Is(err, errNotOurs):
		return failure.New(
			errs.Invalid, s.address+" holds another program's tables",
			"choose a database or a search_path that only Lens uses",
		)
	}
	return failure.Diagnose(err)
}

// diagnoseCode explains the server's errors by their SQLSTATE.
func (s *Store) diagnoseCode(code string) *errs.Error {
	switch code {
	case "28P01", "28000":
		return failure.New(
			errs.Invalid, "the server at "+s.address+" rejects this user or password",
			"correct them in the database URL",
		)
	case "3D000":
		return failure.New(
			errs.NotFound, "the database "+s.config.Database+" does not exist",
			"create it (createdb "+s.config.Database+"), or name another one in the database URL",
		)
	case "42501":
		return failure.New(
			errs.Unavailable, "the database user lacks a permission",
			"have a superuser run CREATE EXTENSION vector in the database, and allow this user to create tables there",
		)
	case "25006":
		return failure.New(
			errs.Unavailable, "the server is read-only",
			"name the primary server in the database URL",
		)
	case "53100":
		return failure.New(
			errs.Unavailable, "the server's disk is full",
			"free some space there and try again; nothing was lost",
		)
	case "53300":
		return failure.New(
			errs.Unavailable, "the server has no connection left",
			"try again in a moment, or raise its max_connections",
		)
	case "55P03":
		return failure.New(
			errs.Unavailable, "another program has locked the archive's tables",
			"wait until it finishes, or end it, and try again",
		)
	case "57014":
		return failure.New(
			errs.Unavailable, "the server canceled the query",
			"try again; if this user has a statement_timeout, raise it",
		)
	case "22021", "22P05":
		return failure.New(
			errs.Invalid, "Postgres cannot store a text with a NUL byte or invalid UTF-8",
			"clean the text before storing it",
		)
	}
	if serverGoneCodes[code] {
		return s.gone()
	}
	return failure.New(errs.Internal, "", "")
}

// diagnoseNetwork explains failures to reach the server.
func (s *Store) diagnoseNetwork(err error) *errs.Error {
	var unknownHost *net.DNSError
	var connecting *pgconn.ConnectError
	switch {
	case errors.As(err, &unknownHost):
		return failure.New(
			errs.Unavailable, "cannot find the host "+s.config.Host,
			"correct it in the database URL, or check the network",
		)
	case errors.As(err, &connecting):
		return failure.New(
			errs.Unavailable, "cannot reach Postgres at "+s.address,
			"start the server (docker compose up -d), correct the database URL, or omit it to use SQLite",
		)
	case isConnLost(err):
		return s.gone()
	case pgconn.Timeout(err):
		return failure.New(
			errs.Unavailable, "the server at "+s.address+" did not answer in time",
			"check the server and the network, and try again",
		)
	}
	return nil
}

func (s *Store) gone() *errs.Error {
	return failure.New(
		errs.Unavailable, "lost the connection to the server at "+s.address,
		"try again when it is back; committed data is safe, and unfinished changes were discarded",
	)
}

package postgres

import (
	"context"
	"errors"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"lens/store"
)

// What is wrong before the server has anything to say about it.
var (
	errClosed   = errors.New("archive is closed")
	errReadOnly = errors.New("archive was opened for reading only")
	errNone     = errors.New("database holds no archive")
	errNotOurs  = errors.New("tables were made by another program")
	errNewer    = errors.New("schema is newer than this program")
	errOlder    = errors.New("schema is older than this program")
)

// explanation is what a person is told about a failure.
type explanation struct {
	code          store.Code
	message, hint string
}

// explain turns err into what a person can act on: a *store.Error. What is one already stays as it is, and so does what did not
// come from the archive at all (an error of the caller's own, passed through Update).
func (s *Store) explain(ctx context.Context, op string, err error) error {
	var known *store.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return err
	case ctx.Err() != nil && (isConnLost(err) || isServerError(err) || pgconn.Timeout(err) || errors.Is(err, ctx.Err())):
		return &store.Error{Code: store.CodeUnavailable, Op: "postgres: " + op, Err: ctx.Err()}
	}
	e, ok := s.diagnose(err)
	if !ok {
		return err
	}
	return &store.Error{Code: e.code, Op: "postgres: " + op, Message: e.message, Hint: e.hint, Err: err}
}

// isServerError reports whether err is the server's own word.
func isServerError(err error) bool {
	var serverErr *pgconn.PgError
	return errors.As(err, &serverErr)
}

func (s *Store) diagnose(err error) (explanation, bool) {
	if e, ok := s.diagnoseOpening(err); ok {
		return e, true
	}
	var serverErr *pgconn.PgError
	if errors.As(err, &serverErr) {
		return s.diagnoseCode(serverErr.Code), true
	}
	return s.diagnoseNetwork(err)
}

// diagnoseOpening knows the failures that are this package's own.
func (s *Store) diagnoseOpening(err error) (explanation, bool) {
	switch {
	case errors.Is(err, errClosed):
		return explanation{code: store.CodeUnavailable}, true
	case errors.Is(err, errReadOnly):
		return explanation{store.CodeInvalid, "this would change the archive, which was opened for reading", "Open it for writing; nothing was changed."}, true
	case errors.Is(err, errNone):
		return explanation{store.CodeNotFound, "there is no archive at " + s.address, "Import an export first, or name another database."}, true
	case errors.Is(err, errNotOurs):
		return explanation{store.CodeInvalid, s.address + " holds another program's tables", "Name a database, or a search_path, of Lens's own."}, true
	case errors.Is(err, errNewer):
		return explanation{store.CodeInvalid, "the archive was made by a newer Lens", "Update this program."}, true
	case errors.Is(err, errNewerTerms):
		return explanation{store.CodeUnavailable, "the archive's keywords were indexed by a newer Lens", "Update this program. What only reads turns, like lens export, works."}, true
	case errors.Is(err, errOlderTerms):
		return explanation{store.CodeUnavailable, "the archive's keywords were indexed by an older Lens", "Open it once for writing, with lens import or lens embed: that indexes it again."}, true
	case errors.Is(err, errOlder):
		return explanation{store.CodeInvalid, "the archive was made by an older Lens", "Open it once for writing, with any command: that brings it up to date."}, true
	}
	return explanation{}, false
}

// diagnoseCode knows what the server says, by its SQLSTATE.
func (s *Store) diagnoseCode(code string) explanation {
	switch code {
	case "28P01", "28000":
		return explanation{store.CodeInvalid, "the server at " + s.address + " refuses this user or password", "Correct them in the database URL."}
	case "3D000":
		return explanation{store.CodeNotFound, "the database " + s.config.Database + " does not exist", "Create it (createdb " + s.config.Database + "), or name another in the database URL."}
	case "42501":
		return explanation{store.CodeUnavailable, "the database user may not do that", "Let a superuser run CREATE EXTENSION vector in the database, and let this user create tables there."}
	case "25006":
		return explanation{store.CodeUnavailable, "the server only allows reading", "Name the primary server in the database URL."}
	case "53100":
		return explanation{store.CodeUnavailable, "the server's disk is full", "Make room there and try again: nothing was lost."}
	case "53300":
		return explanation{store.CodeUnavailable, "the server has no connection left", "Try again in a moment, or raise its max_connections."}
	case "55P03":
		return explanation{store.CodeUnavailable, "another program holds the archive's tables", "Wait until it has finished, or end it, and try again."}
	case "57014":
		return explanation{store.CodeUnavailable, "the server ended the query before it was done", "Try again; if a statement_timeout is set for this user, raise it."}
	case "22021", "22P05":
		return explanation{store.CodeInvalid, "a text holds a NUL byte or is not valid UTF-8, which Postgres cannot keep", "Scrub it before it is stored."}
	}
	if serverGoneCodes[code] {
		return s.gone()
	}
	return explanation{code: store.CodeInternal}
}

// diagnoseNetwork knows what goes wrong on the way to the server.
func (s *Store) diagnoseNetwork(err error) (explanation, bool) {
	var unknown *net.DNSError
	var connecting *pgconn.ConnectError
	switch {
	case errors.As(err, &unknown):
		return explanation{store.CodeUnavailable, "the host " + s.config.Host + " cannot be found", "Correct it in the database URL, or look at the network."}, true
	case errors.As(err, &connecting):
		return explanation{store.CodeUnavailable, "no Postgres answers at " + s.address, "Start the server (docker compose up -d), or correct the database URL, or leave it out to use SQLite."}, true
	case isConnLost(err):
		return s.gone(), true
	case pgconn.Timeout(err):
		return explanation{store.CodeUnavailable, "the server at " + s.address + " does not answer in time", "Look at the server and the network, and try again."}, true
	}
	return explanation{}, false
}

func (s *Store) gone() explanation {
	return explanation{
		store.CodeUnavailable, "the server at " + s.address + " went away",
		"Try again when it is back: nothing that was not finished was kept, and nothing that was is lost.",
	}
}

package postgres

import (
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// serverGoneCodes are the SQLSTATEs of a server that is shutting down, gone or starting.
// (pgconn.SafeToRetry is of no use here: it reports whether a statement may have been executed, which
// does not matter for a read.)
var serverGoneCodes = map[string]bool{
	"57P01": true, // admin_shutdown
	"57P02": true, // crash_shutdown
	"57P03": true, // cannot_connect_now: starting up, or shutting down
	"57P05": true, // idle_session_timeout
	"25P03": true, // idle_in_transaction_session_timeout
}

// isConnLost reports whether err means that a connection broke or could not be made, as happens while
// a server restarts. The server reports it, or the network does (reset, refused, a missing socket).
func isConnLost(err error) bool {
	var serverErr *pgconn.PgError
	if errors.As(err, &serverErr) {
		return serverGoneCodes[serverErr.Code] || strings.HasPrefix(serverErr.Code, "08") // connection exceptions
	}
	var network *net.OpError
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, pgconn.ErrConnClosed)
}

package postgres

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"lens/internal/errs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	minConns       = 8                // concurrent readers
	connectTimeout = 10 * time.Second // unless the URL sets one
	pingTimeout    = 3 * time.Second  // for checking an idle connection; a dead one is replaced
	keepAlive      = 30 * time.Second
)

// sessionSettings holds the settings of every connection.
var sessionSettings = map[string]string{
	"plan_cache_mode": "force_custom_plan", // see the package's rules
	"jit":             "off",               // compiling costs more than any of these queries

	// A filtered search by the vector index continues until it has enough rows. pgvector before 0.8 cannot.
	"hnsw.iterative_scan": "relaxed_order",

	// A writer on a dead machine must not hold the lock for hours.
	"tcp_keepalives_idle":     "30",
	"tcp_keepalives_interval": "10",
	"tcp_keepalives_count":    "3",
}

// configure parses the URL. Its error does not contain the URL, which may hold a password.
func configure(opts Options) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(opts.URL)
	if err != nil || opts.URL == "" {
		return nil, &errs.Error{
			Code: errs.Invalid, Op: "postgres: open", Message: "invalid database URL",
			Hint: "use postgres://user:password@host:5432/database, with %-escapes for special characters in the password",
		}
	}
	if !strings.Contains(opts.URL, "pool_max_conns") {
		config.MaxConns = max(config.MaxConns, minConns)
	}
	config.PingTimeout = pingTimeout
	c := config.ConnConfig
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectTimeout
	}
	// The other modes lack binary results or prepared statements.
	if c.DefaultQueryExecMode != pgx.QueryExecModeCacheDescribe {
		c.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	}
	for key, value := range sessionSettings {
		c.RuntimeParams[key] = value
	}
	c.RuntimeParams["application_name"] = strings.TrimSpace("lens " + opts.Verb)
	if opts.ReadOnly {
		c.RuntimeParams["default_transaction_read_only"] = "on"
	}
	c.DialFunc = opts.Dial
	if c.DialFunc == nil {
		c.DialFunc = (&net.Dialer{KeepAlive: keepAlive}).DialContext
	}
	return config, nil
}

// address returns host, port and database of c, without user and password.
func address(c *pgx.ConnConfig) string {
	if strings.HasPrefix(c.Host, "/") {
		return c.Host + " (" + c.Database + ")"
	}
	u := url.URL{Host: net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))), Path: c.Database}
	return strings.TrimPrefix(u.String(), "//")
}

package postgres

import (
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"lens/store"
)

const (
	minConns       = 8                // readers that need not wait for each other
	connectTimeout = 10 * time.Second // where the URL names none
	pingTimeout    = 3 * time.Second  // for a connection that has been idle; a dead one is replaced
	keepAlive      = 30 * time.Second
)

// session is what every connection asks of the server.
var session = map[string]string{
	"plan_cache_mode": "force_custom_plan", // see the package's rules
	"jit":             "off",               // compiling costs more than any of these queries

	// A search by the vector index under a filter goes on until it has found enough. pgvector before 0.8 cannot, and says so.
	"hnsw.iterative_scan": "relaxed_order",

	// A writer whose machine is gone must not hold the lock for hours.
	"tcp_keepalives_idle":     "30",
	"tcp_keepalives_interval": "10",
	"tcp_keepalives_count":    "3",
}

// configure reads the URL. The error does not hold it: whatever is wrong with it, there may be a password in it.
func configure(opts Options) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(opts.URL)
	if err != nil || opts.URL == "" {
		return nil, &store.Error{
			Code: store.CodeInvalid, Op: "postgres: open", Message: "the database URL cannot be read",
			Hint: "It looks like postgres://user:password@host:5432/database, with %-escapes for special characters in the password.",
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
	if c.DefaultQueryExecMode != pgx.QueryExecModeCacheDescribe { // the others know no binary results, or prepare nothing
		c.DefaultQueryExecMode = pgx.QueryExecModeCacheStatement
	}
	for key, value := range session {
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

// place names what c leads to, without user and password.
func address(c *pgx.ConnConfig) string {
	if strings.HasPrefix(c.Host, "/") {
		return c.Host + " (" + c.Database + ")"
	}
	u := url.URL{Host: net.JoinHostPort(c.Host, strconv.Itoa(int(c.Port))), Path: c.Database}
	return strings.TrimPrefix(u.String(), "//")
}

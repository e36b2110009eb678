// Package httpapi serves the engine and the agent over HTTP, on the standard mux.
//
// The rules are:
//
//   - A route is a value of type route: what it reads, what it returns and which errors it can have. The OpenAPI
//     document is built from the routes and their Go types, and the tests check every route against it.
//   - Anything unexpected is refused: unknown or repeated parameters, unknown members, other hosts, other origins.
//   - An error is {"error":{code,message,hint?,trace_id}}. An unexpected one says "internal error" and nothing else.
//   - A slow reader does not block others: its backlog is bounded, and it is disconnected after a stall.
//   - Queries, texts, bodies and keys are never logged. A log line has the route's pattern rather than its path.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
)

// Engine is the part of the retrieval engine that the routes use.
type Engine interface {
	Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error)
	Turn(ctx context.Context, prefix string) (*retrieval.Turn, error)
	EmbeddedTurn(ctx context.Context, prefix string) (*retrieval.Turn, error)
	Turns(ctx context.Context, prefixes []string) (*retrieval.Turns, error)
	Compare(ctx context.Context, queries []query.Query) (*retrieval.Comparison, error)
	Activity(ctx context.Context, opts query.Query) (*retrieval.Activity, error)
	Topics(ctx context.Context, q query.Query) (*retrieval.Topics, error)
	WindowNamed(ctx context.Context, text string, now time.Time) (retrieval.Window, error)
	About(ctx context.Context, w retrieval.Window) (*retrieval.About, error)
	Overview(ctx context.Context) (*retrieval.Overview, error)
}

// SessionStore stores chat sessions. Each call takes the same time, however many there are.
type SessionStore interface {
	List(ctx context.Context, page agent.SessionPage) ([]agent.SessionSummary, error)
	Session(ctx context.Context, id string) (agent.Session, error) // errors: not_found
	Save(ctx context.Context, one agent.Session) error

	// Change edits a session and returns it as saved. Changes, also by other processes, are serialized. Errors: not_found.
	Change(ctx context.Context, id string, how func(*agent.Session)) (agent.Session, error)
}

// Options configures a Server. Engine is required.
type Options struct {
	// Engine returns the engine. It is called for every request, so that an archive that was unreachable or locked can
	// come back.
	Engine func(ctx context.Context) (Engine, error)

	// Ready returns nil if the server can answer; nil: checks that the archive can be queried.
	Ready func(ctx context.Context) error

	// Investigate returns a request for the chat model, without its messages, about the archive or about one conversation
	// (uuid.Nil: all); nil: no chat.
	Investigate func(ctx context.Context, conversation uuid.UUID) (agent.Request, error)
	Sessions    SessionStore // nil: sessions are not stored

	Offline Offline // nil: /search and /answer are unavailable

	Retriever Retriever // nil: /retrieve is unavailable

	MCP http.Handler // serves the Model Context Protocol at /mcp; nil: not served

	// Explain returns a sentence and the next step for an error with a code, as clients may see it. nil: a fixed sentence
	// for each code.
	Explain func(error) (message, hint string)

	Keys        []string     // accepted API keys; none: no key is needed
	Hosts       []string     // accepted Host names, in addition to localhost and the server's own addresses
	Connections int          // maximum at the same time; others wait; 0: DefaultConnections
	Rate        float64      // requests per second, per address and per key, with bursts of twice that; 0: 1000
	Streams     int          // maximum of running answers; 0: 256
	Profile     bool         // serve /debug/pprof
	Version     string       // of Lens, for the OpenAPI document
	Log         *slog.Logger // one line for each request and investigation; nil: none

	Timeouts Timeouts
}

// checkEngine returns nil if the archive can be queried.
func (o Options) checkEngine(ctx context.Context) error {
	engine, err := o.Engine(ctx)
	if err != nil {
		return err
	}
	_, err = engine.Overview(ctx)
	return err
}

// DefaultConnections is four times the default number of streams, to leave room for short requests.
const DefaultConnections = 1024

// Timeouts bounds what a client or the engine may take. The zero value of a field means its default.
type Timeouts struct {
	Header    time.Duration // to send a request's header; 10 s
	Read      time.Duration // to send a request; 30 s
	Write     time.Duration // to read a response; 60 s
	Idle      time.Duration // between requests; 2 min
	Request   time.Duration // for the engine to answer, except in streams; 30 s
	Heartbeat time.Duration // between heartbeats in a stream; 15 s
	Stall     time.Duration // without progress by the reader of a stream; 30 s
	Drain     time.Duration // for running answers at shutdown, which are then canceled; 10 s
	Grace     time.Duration // for running requests to finish after that; 4 s
}

func (t Timeouts) withDefaults() Timeouts {
	for _, d := range []struct {
		value    *time.Duration
		fallback time.Duration
	}{
		{&t.Header, 10 * time.Second},
		{&t.Read, 30 * time.Second},
		{&t.Write, time.Minute},
		{&t.Idle, 2 * time.Minute},
		{&t.Request, 30 * time.Second},
		{&t.Heartbeat, 15 * time.Second},
		{&t.Stall, 30 * time.Second},
		{&t.Drain, 10 * time.Second},
		{&t.Grace, 4 * time.Second},
	} {
		if *d.value <= 0 {
			*d.value = d.fallback
		}
	}
	return t
}

// withDefaults fills in what New documents.
func (o Options) withDefaults() Options {
	if o.Rate <= 0 {
		o.Rate = 1000
	}
	if o.Connections <= 0 {
		o.Connections = DefaultConnections
	}
	if o.Streams <= 0 {
		o.Streams = 256
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Ready == nil {
		o.Ready = o.checkEngine
	}
	o.Timeouts = o.Timeouts.withDefaults()
	return o
}

// Server serves an archive. It is safe for concurrent use. Its parts are the routes of each resource, the router, which
// calls them, and the middleware around it: access and requestLog.
type Server struct {
	opts       Options
	handler    http.Handler
	requests   *requestLog
	docs       *docsRoutes
	stop       context.CancelFunc // begins the shutdown
	endStreams context.CancelFunc
}

// New returns a server. It opens nothing yet.
func New(opts Options) (*Server, error) {
	opts = opts.withDefaults()
	stopping, stop := context.WithCancel(context.Background())
	ending, endStreams := context.WithCancel(context.Background())
	failed := failures{explain: opts.Explain, log: opts.Log}
	streams := newStreams(ending, opts, failed)
	counts := newMetrics(streams.running)
	investigator := investigator{begin: opts.Investigate, log: opts.Log}
	stored := &sessions{store: opts.Sessions}
	docs := new(docsRoutes)
	routes := slices.Concat(
		searchRoutes{opts.Engine}.routes(),
		chatRoutes{investigator, stored, streams}.routes(),
		sessionRoutes{stored}.routes(),
		completionRoutes{investigator, streams}.routes(),
		offlineRoutes{opts.Offline}.routes(),
		retrieveRoutes{opts.Retriever}.routes(),
		statusRoutes{opts.Ready, stopping, counts}.routes(),
		docs.routes(),
	)
	var err error
	docs.document, err = describe(routes, opts.Version)

	// The routes below are not part of the API.
	if opts.MCP != nil {
		routes = append(routes, mcpRoute(opts.MCP))
	}
	if opts.Profile {
		routes = append(routes, profileRoute())
	}
	access := newAccess(opts)
	router := newRouter(routes, access.authorize, opts.Timeouts.Request, failed)
	requests := &requestLog{metrics: counts, failures: failed}
	handler := requests.trace(access.protect(router, failed))
	return &Server{
		opts: opts, handler: handler, requests: requests, docs: docs, stop: stop, endStreams: endStreams,
	}, err
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// OpenAPI returns the OpenAPI document of the server.
func (s *Server) OpenAPI() []byte { return s.docs.document }

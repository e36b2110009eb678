// Package httpapi is the face that other programs talk to: the engine and the investigator over HTTP, on the standard mux.
//
// The rules are:
//
//   - A route is one entry of the table in route.go: what it reads, what it answers and which errors it may have. The OpenAPI document
//     is made of the same table and of the same Go types, and the tests hold every route against it.
//   - What was not asked for is refused: unknown and repeated parameters, unknown members, other hosts, other origins.
//   - An error is {"error":{code,message,trace_id}}; what nobody foresaw is "internal error" and nothing else.
//   - Nobody waits for a slow reader: what it has not taken yet is bounded, and who takes nothing for a while is cut off.
//   - No query, text, body or key is logged; a log line has the route's pattern, never its path.
package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval"
)

// Archive is what the routes ask of the engine.
type Archive interface {
	Peek(ctx context.Context, query string, opts retrieval.PeekOptions) (*retrieval.Peek, error)
	Turn(ctx context.Context, prefix string) (*retrieval.Turn, error)
	Activity(ctx context.Context, opts retrieval.ActivityOptions) (*retrieval.Activity, error)
	Overview(ctx context.Context) (*retrieval.Overview, error)
}

// Chats is where conversations are kept.
type Chats interface {
	Load() ([]agent.Session, error)
	Keep(s agent.Session) error
}

// Options says what a Server serves, and to whom. Archive is required.
type Options struct {
	// Archive returns the engine. It is asked at every request, so that an archive which is out of reach or locked can come back.
	Archive func(ctx context.Context) (Archive, error)

	// Ready reports whether what is served can be asked; nil: whether the archive can.
	Ready func(ctx context.Context) error

	// Investigate returns a request of the chat model about the archive, or about one conversation of it (uuid.Nil: all), without its
	// messages; nil: there is no chat.
	Investigate func(ctx context.Context, conversation uuid.UUID) (agent.Request, error)
	Chats       Chats // nil: conversations are not kept

	Offline Offline // nil: /search and /answer are unavailable

	// Retriever returns what /retrieve asks. Like Archive it is asked at every request; nil: /retrieve is unavailable.
	Retriever func(ctx context.Context) (Retriever, error)

	MCP http.Handler // of the Model Context Protocol, served at /mcp to whoever may ask; nil: it is not

	// Explain returns what a client may be told of an error that carries a code: a sentence and the next step. nil: nothing but the code's.
	Explain func(error) string

	Keys        []string     // that are let in; none: everybody who can connect
	Hosts       []string     // names besides localhost and the server's own addresses by which it may be called
	Connections int          // at the same time; others wait; 0: DefaultConnections
	Rate        float64      // requests a second from one address, and by one key, twice that at once; 0: 1000
	Streams     int          // answers under way at the same time; 0: 256
	Profile     bool         // serve /debug/pprof
	Version     string       // of Lens, for the OpenAPI document
	Log         *slog.Logger // gets a line a request and one an investigation; nil: none

	Timeouts Timeouts
}

// canAsk reports whether the archive can be asked.
func (o Options) canAsk(ctx context.Context) error {
	archive, err := o.Archive(ctx)
	if err != nil {
		return err
	}
	_, err = archive.Overview(ctx)
	return err
}

// DefaultConnections is four times as many as answers that take long, which leaves room for whoever is quick.
const DefaultConnections = 1024

// Timeouts bounds how long a client or the engine may take. The zero value of a field is its default.
type Timeouts struct {
	Header    time.Duration // to send a request's header; 10 s
	Read      time.Duration // to send a request; 30 s
	Write     time.Duration // to take an answer; 60 s
	Idle      time.Duration // between requests; 2 min
	Request   time.Duration // for the engine to answer, streams aside; 30 s
	Heartbeat time.Duration // between signs of life in a stream; 15 s
	Stall     time.Duration // that a reader of a stream may take nothing; 30 s
	Grace     time.Duration // to finish when the server is to end; 4 s
}

func (t Timeouts) orDefault() Timeouts {
	for _, d := range []struct {
		value    *time.Duration
		standard time.Duration
	}{
		{&t.Header, 10 * time.Second},
		{&t.Read, 30 * time.Second},
		{&t.Write, time.Minute},
		{&t.Idle, 2 * time.Minute},
		{&t.Request, 30 * time.Second},
		{&t.Heartbeat, 15 * time.Second},
		{&t.Stall, 30 * time.Second},
		{&t.Grace, 4 * time.Second},
	} {
		if *d.value <= 0 {
			*d.value = d.standard
		}
	}
	return t
}

// Server serves an archive. It is safe for concurrent use.
type Server struct {
	opts     Options
	log      *slog.Logger
	mux      *http.ServeMux
	handler  http.Handler
	keys     keyring
	hosts    hostList
	byAddr   *buckets
	byKey    *buckets
	streams  chan struct{} // a place for each answer under way
	sessions sync.Mutex    // held while a kept conversation is changed
	meters   *meters
	document []byte // OpenAPI

	stopping context.Context // over when the server is to end
	stop     context.CancelFunc
	running  sync.WaitGroup // requests
}

// New returns a server that has opened nothing yet.
func New(opts Options) (*Server, error) {
	if opts.Rate <= 0 {
		opts.Rate = 1000
	}
	if opts.Connections <= 0 {
		opts.Connections = DefaultConnections
	}
	if opts.Streams <= 0 {
		opts.Streams = 256
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Ready == nil {
		opts.Ready = opts.canAsk
	}
	opts.Timeouts = opts.Timeouts.orDefault()
	s := &Server{
		opts: opts, log: opts.Log, mux: http.NewServeMux(), keys: newKeyring(opts.Keys), hosts: newHostList(opts.Hosts),
		byAddr: newBuckets(opts.Rate), byKey: newBuckets(opts.Rate), streams: make(chan struct{}, opts.Streams),
	}
	s.meters = newMeters(func() int { return len(s.streams) })
	s.stopping, s.stop = context.WithCancel(context.Background())
	routes := s.routes()
	s.register(routes)
	s.handler = s.guarded(s.mux)
	var err error
	s.document, err = describe(routes, opts.Version)
	return s, err
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// archive returns the engine.
func (s *Server) archive(ctx context.Context) (Archive, error) { return s.opts.Archive(ctx) }

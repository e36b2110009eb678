package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/internal/config"
	"lens/internal/httpapi"
	"lens/internal/mcpapi"
)

// serving is the flags of lens serve.
type serving struct {
	addr    string
	hosts   []string
	rate    float64
	clients int
	profile bool
	openAPI bool
	mcp     bool
	shards  string
}

func (s *session) serveCommand() *cobra.Command {
	var f serving
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer other programs over HTTP",
		Long: `Serves the archive over HTTP, for scripts, editors and assistants: /docs has the routes, /openapi.json the same for programs.

Only this machine is answered, unless --addr says otherwise; then LENS_API_KEYS must name the keys that are let in. It speaks plain HTTP: put a server that speaks TLS before it. A socket that systemd hands over is used instead of --addr.

Every request is a line of JSON on stderr, and every investigation one with the ids of the turns it read, without queries, texts and keys. SIGTERM ends it: streams are told, what is under way is finished.`,
		Example: `  lens serve
  lens serve --addr unix:/run/user/1000/lens.sock
  lens serve --openapi > openapi.json`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.serve(cmd, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", httpapi.DefaultAddress, "where to listen: HOST:PORT or unix:PATH")
	flags.StringSliceVar(&f.hosts, "allow-host", nil, "another name by which the server may be called")
	flags.Float64Var(&f.rate, "rate", 0, "requests a second from one address and by one key (default 1000, beyond this machine 50)")
	flags.IntVar(&f.clients, "connections", httpapi.DefaultConnections, "how many may be connected at the same time; others wait")
	flags.BoolVar(&f.profile, "pprof", false, "also serve /debug/pprof")
	flags.BoolVar(&f.mcp, "mcp", false, "also serve the Model Context Protocol, at /mcp")
	flags.StringVar(&f.shards, "shards", "", "answer /retrieve from the index published in this folder or at s3://bucket/prefix, not from the archive")
	flags.BoolVar(&f.openAPI, "openapi", false, "print the OpenAPI document and end")
	return cmd
}

// check refuses what no server can be told.
func (f serving) check() error {
	if f.rate < 0 || f.clients < 1 {
		return usage("leave them out for what they are by default", "--connections is 1 or more, and --rate not below 0")
	}
	for _, host := range f.hosts {
		if host == "" || strings.ContainsAny(host, "/*@ ") {
			return usage("write a name alone, such as lens.example", "--allow-host takes the name of a host, and not %q", host)
		}
	}
	return nil
}

func (s *session) serve(cmd *cobra.Command, f serving) error {
	if f.openAPI {
		server, err := httpapi.New(httpapi.Options{Version: version})
		if err == nil {
			s.out.printf("%s", server.OpenAPI())
		}
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	l, err := s.prepare(cmd)
	if err != nil {
		return err
	}
	if err := checkKeys(l.Config().APIKeys); err != nil {
		return err
	}
	listener, err := listen(l.Config(), f.addr)
	if err != nil {
		return err
	}
	defer listener.Close() // a second time, which does no harm
	if _, err := l.CutOff(); err != nil {
		return err
	}
	if f.rate <= 0 && !httpapi.IsPrivate(listener) {
		f.rate = 50
	}
	opts := s.serverOptions(cmd.Context(), l, f)
	if f.shards != "" {
		shelf, err := l.Shelf(cmd.Context(), f.shards)
		if err != nil {
			return err
		}
		defer shelf.Close() // what is only read, nothing can be lost of
		s.look(cmd.Context(), shelf)
		opts.Retriever, opts.Ready = shelvedAt(shelf), readyFrom(shelf, opts.Archive)
	}
	server, err := httpapi.New(opts)
	if err != nil {
		return err
	}
	if err := s.beginServing(cmd.Context(), l, listener, f.shards); err != nil {
		return err
	}
	_, unwatch := l.AutoLock(0)
	defer unwatch()
	spread()
	return server.Serve(cmd.Context(), listener)
}

// allTheSame is what is done where something cannot be reached that may come back.
const allTheSame = "the server begins all the same, and tries again when it is asked"

// glance is how long the server waits for an index before it begins.
const glance = time.Second

// look complains of an index that cannot be read, or not at once.
func (s *session) look(ctx context.Context, shelf *boot.Shelf) {
	ctx, cancel := context.WithTimeout(ctx, glance)
	defer cancel()
	if err := shelf.Check(ctx); err != nil {
		s.complain(cmp.Or(boot.Explain(err)[0].Message, "the index did not answer in time"), allTheSame)
	}
}

// readyFrom returns what /readyz asks of who serves an index: that, and the archive if there is one.
func readyFrom(shelf *boot.Shelf, archive func(context.Context) (httpapi.Archive, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := shelf.Check(ctx); err != nil {
			return err
		}
		a, err := archive(ctx)
		switch {
		case err == nil:
			_, err = a.Overview(ctx)
		case boot.Explain(err)[0].Code == "not_found":
			err = nil
		}
		return err
	}
}

// shelvedAt returns what /retrieve asks of a published index.
func shelvedAt(shelf *boot.Shelf) func(context.Context) (httpapi.Retriever, error) {
	return func(ctx context.Context) (httpapi.Retriever, error) {
		retriever, err := shelf.Retriever(ctx)
		if err != nil {
			return nil, err // and no nil of a retriever's type in an interface
		}
		return retriever, nil
	}
}

func (s *session) serverOptions(ctx context.Context, l *boot.Lens, f serving) httpapi.Options {
	service := l.Service()
	retriever := l.Offline(false)
	context.AfterFunc(ctx, retriever.StandBy())
	opts := httpapi.Options{
		Archive: func(ctx context.Context) (httpapi.Archive, error) {
			engine, err := service.Engine(ctx)
			if err != nil {
				return nil, err // and no nil of an engine's type in an interface
			}
			return engine, nil
		},
		Investigate: service.Investigation, Chats: l.Chats(), Offline: retriever, Explain: boot.ExplainAfar, Keys: l.Config().APIKeys, Hosts: f.hosts, Rate: f.rate,
		Connections: f.clients,
		Profile:     f.profile, Version: version, Log: l.LogTo(os.Stderr),
	}
	opts.Retriever = func(ctx context.Context) (httpapi.Retriever, error) {
		engine, err := service.Engine(ctx)
		if err != nil {
			return nil, err // likewise
		}
		return engine, nil
	}
	if f.mcp {
		assistants := mcpapi.New(mcpapi.Options{Archive: service.Archive(), Offline: opts.Offline, Version: version, Explain: mcpFailureAfar, Log: opts.Log})
		context.AfterFunc(ctx, assistants.Close)
		opts.MCP = assistants.HTTP()
	}
	return opts
}

// beginServing opens the archive and says where it is served. One that is only out of reach or locked may come back, and who serves
// shards need not have any.
func (s *session) beginServing(ctx context.Context, l *boot.Lens, at net.Listener, shards string) error {
	place := l.Place()
	if _, err := l.Engine(ctx); err != nil {
		f := boot.Explain(err)[0]
		if f.Code == "not_found" && shards != "" {
			f.Code, place = "", "the index in "+shards
		}
		switch f.Code {
		case "":
		case "unavailable":
			s.complain(f.Message, allTheSame)
		case "locked":
			s.complain(f.Message, "the server begins all the same, and lens unlock opens it")
		default:
			return err
		}
	}
	where := "http://" + at.Addr().String()
	if at.Addr().Network() == "unix" {
		where = "unix:" + at.Addr().String()
	}
	s.err.println("serving " + place + " at " + where)
	return nil
}

// listen listens where only those can connect who may ask.
func listen(cfg config.Config, address string) (net.Listener, error) {
	listener, err := httpapi.Listen(address)
	if wrong := new(httpapi.ListenError); errors.As(err, &wrong) {
		return nil, &refusal{code: wrongUsage, message: wrong.Message, hint: wrong.Hint}
	} else if err != nil {
		return nil, err
	}
	if httpapi.IsPrivate(listener) || len(cfg.APIKeys) > 0 {
		return listener, nil
	}
	_ = listener.Close()
	return nil, usage("set LENS_API_KEYS, for instance to the output of: openssl rand -hex 32; or leave --addr out",
		"%s can be reached from other machines, and no API key is set", listener.Addr())
}

// leastKey is how many characters a key must have: shorter ones are guessed.
const leastKey = 16

func checkKeys(keys []string) error {
	for i, key := range keys {
		if len(key) < leastKey {
			return usage("use, for instance, the output of: openssl rand -hex 32", "%s", fmt.Sprintf("key %d of LENS_API_KEYS is shorter than %d characters", i+1, leastKey))
		}
	}
	return nil
}

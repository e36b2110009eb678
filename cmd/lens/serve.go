package main

import (
	"cmp"
	"context"
	"net"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/agent"
	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/chat"
	"lens/cmd/internal/config"
	"lens/cmd/internal/httpapi"
	"lens/cmd/internal/mcpapi"
	"lens/cmd/internal/network"
	"lens/cmd/internal/published"
	"lens/internal/errs"
)

// serveFlags holds the flags of lens serve.
type serveFlags struct {
	addr    string
	hosts   []string
	rate    float64
	clients int
	profile bool
	openAPI bool
	mcp     bool
	shards  string
}

func newServeCmd(env *Env) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the archive over HTTP",
		Long: unwrap(`Serves the archive over HTTP, for scripts, editors and assistants. /docs documents the routes,
/openapi.json does so for programs.

By default only this machine can connect. To listen on other addresses with --addr, list the accepted keys in
LENS_API_KEYS. The server speaks plain HTTP: put a TLS proxy in front of it. A socket passed by systemd takes the place
of --addr.

Every request is logged to stderr as a line of JSON, and every investigation with the IDs of the turns that it read;
queries, texts and keys are never logged. On SIGTERM, the server finishes running requests, and answers that
are complete within ten seconds; other streams end with an error, and sessions keep what arrived.`),
		Example: `  lens serve
  lens serve --addr unix:/run/user/1000/lens.sock
  lens serve --openapi > openapi.json`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd, env, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "addr", httpapi.DefaultAddress, "where to listen: HOST:PORT or unix:PATH")
	flags.StringSliceVar(&f.hosts, "allow-host", nil, "another host name of the server (repeatable)")
	flags.Float64Var(&f.rate, "rate", 0,
		"requests per second from one address and by one key (default 1000, or 50 if other machines can connect)")
	flags.IntVar(&f.clients, "connections", httpapi.DefaultConnections, "maximum number of connections; others wait")
	flags.BoolVar(&f.profile, "pprof", false, "also serve /debug/pprof")
	flags.BoolVar(&f.mcp, "mcp", false, "also serve the Model Context Protocol, at /mcp")
	flags.StringVar(&f.shards, "shards", "",
		"answer /retrieve from the index published in this folder or at s3://bucket/prefix instead of the archive")
	flags.BoolVar(&f.openAPI, "openapi", false, "print the OpenAPI document and exit")
	return cmd
}

// check returns a usage error for flags that are out of range.
func (f serveFlags) check() error {
	if f.rate < 0 || f.clients < 1 {
		return usage("omit them to use the defaults", "--connections must be at least 1, and --rate must not be negative")
	}
	for _, host := range f.hosts {
		if host == "" || strings.ContainsAny(host, "/*@ ") {
			return usage("use a bare name, such as lens.example", "--allow-host takes a host name, not %q", host)
		}
	}
	return nil
}

func runServe(cmd *cobra.Command, env *Env, f serveFlags) error {
	if f.openAPI {
		server, err := httpapi.New(httpapi.Options{Version: version})
		if err == nil {
			env.Out.printf("%s", server.OpenAPI())
		}
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	a, err := env.OpenUncut(cmd)
	if err != nil {
		return err
	}
	if err := checkKeys(a.Config().APIKeys); err != nil {
		return err
	}
	listener, err := listen(a.Config(), f.addr)
	if err != nil {
		return err
	}
	defer listener.Close() // the server closes it too, which does no harm
	if _, err := network.CutOff(a.Config()); err != nil {
		return err
	}
	if f.rate <= 0 && !httpapi.IsPrivate(listener) {
		f.rate = 50
	}
	archived := a.Archive.ForServer()
	opts := serverOptions(cmd.Context(), a, archived, f)
	if f.shards != "" {
		index, err := a.Indexes.Open(cmd.Context(), f.shards)
		if err != nil {
			return err
		}
		defer index.Close() // it is only read, so closing loses nothing
		checkIndex(cmd.Context(), env, index)
		opts.Retriever, opts.Ready = index, readyFrom(index, archived)
	}
	server, err := httpapi.New(opts)
	if err != nil {
		return err
	}
	if err := announce(cmd.Context(), env, a, listener, f.shards); err != nil {
		return err
	}
	defer keepUp(cmd.Context(), a, archived, opts.Log)()
	unwatch := a.Keys.AutoLock()
	defer unwatch()
	addThreads()
	return server.Serve(cmd.Context(), listener)
}

// retryHint is the hint for an archive or index that is unavailable when the server starts.
const retryHint = "the server starts anyway and tries again with each request"

// indexTimeout is how long the server waits for an index before it starts.
const indexTimeout = time.Second

// checkIndex prints an error if the index cannot be read, or does not respond within indexTimeout.
func checkIndex(ctx context.Context, env *Env, index *published.Index) {
	ctx, cancel := context.WithTimeout(ctx, indexTimeout)
	defer cancel()
	if err := index.Check(ctx); err != nil {
		env.Report.problem(cmp.Or(errs.First(err).Message, "the index did not answer in time"), retryHint)
	}
}

// readyFrom returns the check of /readyz for a server of an index: the index, and the archive if there is one.
func readyFrom(index *published.Index, archived *archive.Server) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := index.Check(ctx); err != nil {
			return err
		}
		err := archived.Ready(ctx)
		if err != nil && errs.First(err).Code == errs.NotFound {
			return nil
		}
		return err
	}
}

func serverOptions(ctx context.Context, a *app.App, server *archive.Server, f serveFlags) httpapi.Options {
	investigator := a.Investigator
	investigator.Engine = server.Engine // opened once for all requests
	retriever := a.Offline.Retriever(false)
	context.AfterFunc(ctx, retriever.StandBy())
	opts := httpapi.Options{
		Engine: func(ctx context.Context) (httpapi.Engine, error) {
			engine, err := server.Engine(ctx)
			if err != nil {
				return nil, err // an interface with a nil engine in it would not be nil
			}
			return engine, nil
		},
		Ready:       server.Ready,
		Investigate: investigate(server, investigator),
		Sessions:    a.Sessions,
		Offline:     retriever,
		Retriever:   server,
		Explain:     errs.ForClient,
		Keys:        a.Config().APIKeys,
		Hosts:       f.hosts,
		Rate:        f.rate,
		Connections: f.clients,
		Profile:     f.profile,
		Version:     version,
		Log:         a.Logs.JSON(os.Stderr),
		Timeouts:    httpapi.Timeouts{Drain: effort.Drain},
	}
	if f.mcp {
		assistants := mcpapi.New(mcpapi.Options{
			Engine:  server,
			Offline: opts.Offline,
			Version: version,
			Explain: mcpFailureForClient,
			Log:     opts.Log,
		})
		context.AfterFunc(ctx, assistants.Close)
		opts.MCP = assistants.HTTP()
	}
	return opts
}

// announce opens the archive and prints its address. It accepts an archive that is unreachable or locked, because
// that may change, and a missing archive if there are shards to serve.
func announce(ctx context.Context, env *Env, a *app.App, at net.Listener, shards string) error {
	place := a.Archive.Place()
	if _, err := a.Archive.Engine(ctx); err != nil {
		f := errs.First(err)
		if f.Code == errs.NotFound && shards != "" {
			f.Code, place = "", "the index in "+shards
		}
		switch f.Code {
		case "":
		case errs.Unavailable:
			env.Report.problem(f.Message, retryHint)
		case errs.Locked:
			env.Report.problem(f.Message, "the server starts anyway; run lens unlock to open the archive")
		default:
			return err
		}
	}
	where := "http://" + at.Addr().String()
	if at.Addr().Network() == "unix" {
		where = "unix:" + at.Addr().String()
	}
	env.Err.println("serving " + place + " at " + where)
	return nil
}

// listen listens on address. It requires API keys if other machines can connect.
func listen(cfg config.Config, address string) (net.Listener, error) {
	listener, err := httpapi.Listen(address)
	if err != nil {
		wrong := errs.First(err)
		return nil, usage(wrong.Hint, "%s", wrong.Message)
	}
	if httpapi.IsPrivate(listener) || len(cfg.APIKeys) > 0 {
		return listener, nil
	}
	_ = listener.Close()
	return nil, usage("set LENS_API_KEYS, for example to the output of: openssl rand -hex 32; or omit --addr",
		"other machines can reach %s, but no API key is set", listener.Addr())
}

// minKeyLength is the minimum length of an API key: shorter keys can be guessed.
const minKeyLength = 16

func checkKeys(keys []string) error {
	for i, key := range keys {
		if len(key) < minKeyLength {
			return usage("use, for example, the output of: openssl rand -hex 32",
				"key %d of LENS_API_KEYS is shorter than %d characters", i+1, minKeyLength)
		}
	}
	return nil
}

// addThreads makes Go run twice as many threads as there are processors, unless GOMAXPROCS is set. Go polls the network
// when one of its threads is idle: while searches keep all threads busy, a new request waits ten milliseconds, or until
// the running searches end, some again and again. With spare threads, the operating system divides the processors. With
// eight clients on two processors, this halves the 99th percentile of a peek.
func addThreads() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2 * runtime.GOMAXPROCS(0))
	}
}

// investigate reports that the archive is locked or missing before it reports that there is no chat model.
func investigate(
	server *archive.Server, investigator chat.Investigator,
) func(ctx context.Context, conversation uuid.UUID) (agent.Request, error) {
	return func(ctx context.Context, conversation uuid.UUID) (agent.Request, error) {
		if _, err := server.Engine(ctx); err != nil {
			return agent.Request{}, err
		}
		return investigator.Request(ctx, conversation)
	}
}

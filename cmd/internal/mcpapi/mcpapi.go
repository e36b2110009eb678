// Package mcpapi serves the archive to assistants over the Model Context Protocol: the agent's own tools, every turn as
// a resource, and a prompt that explains how to investigate.
//
// The rules are:
//
//   - Everything is read-only, and its annotations say so. No tool fetches anything.
//   - Text from the archive is data. In text results it is sanitized and fenced with a marker that cannot be guessed;
//     in structured results it only ever appears as a string value.
//   - The model receives an error as a code, a sentence and a next step. A missing archive is such an error, so that an
//     assistant can be set up before anything was imported.
//   - Logs contain names of tools, codes and times, but neither queries nor results.
package mcpapi

import (
	"context"
	_ "embed"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/agent/tools"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

// Engine is the part of the retrieval engine that the tools use.
type Engine interface {
	Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error)
	Turn(ctx context.Context, prefix string) (*retrieval.Turn, error)
	Turns(ctx context.Context, prefixes []string) (*retrieval.Turns, error)
	Compare(ctx context.Context, queries []query.Query) (*retrieval.Comparison, error)
	Activity(ctx context.Context, q query.Query) (*retrieval.Activity, error)
	tools.Describer
}

// Options is what a Server needs.
type Options struct {
	Engine  Engine
	Offline Offline             // nil: no search tool
	Version string              // of Lens
	Explain func(error) Failure // nil: every error is internal
	Log     *slog.Logger        // nil: none
}

const (
	maxMessage   = 1 << 20  // bytes of a client's message
	maxArguments = 64 << 10 // bytes of a tool's arguments
	maxCalls     = 8        // that run at the same time
)

//go:embed instructions.md
var instructions string

// Server serves assistants. It is safe for concurrent use.
type Server struct {
	Options
	slots chan struct{} // one for each running call
	life  context.Context
	end   context.CancelFunc
	mcp   *mcp.Server
}

// New returns a server without clients.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Explain == nil {
		o.Explain = func(error) Failure { return Failure{Code: errs.Internal} }
	}
	s := &Server{Options: o, slots: make(chan struct{}, maxCalls)}
	s.life, s.end = context.WithCancel(context.Background())
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "lens", Title: "Lens", Version: o.Version}, &mcp.ServerOptions{
		Instructions: strings.TrimSpace(instructions),
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.CacheScope = "private" // the default is public
		},
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{},
		},
	})
	for _, t := range tools.New(o.Engine, tools.Options{}) {
		s.addTool(entryFor(t))
	}
	s.addTool(toolEntry{
		Tool: tools.NewActivity(o.Engine), title: "All turns over time", output: schemaOf[retrieval.ActivityBody](),
	})
	s.addTool(turnsEntry(o.Engine))
	s.addTool(compareEntry(o.Engine))
	s.addTool(topicsEntry(o.Engine))
	s.addTool(aboutEntry(o.Engine))
	if o.Offline != nil {
		s.addTool(toolEntry{
			Tool: newSearch(o.Offline), title: "Search files offline", output: schemaOf[searchOutput](),
		})
	}
	s.addTurnResource()
	s.addInvestigatePrompt()
	return s
}

// Close cancels the running calls and refuses later ones.
func (s *Server) Close() { s.end() }

// Stdio serves a client on standard input and output. A line that is not a message of the protocol is answered with an
// error. It returns nil once ctx ends, or the client has closed its end and received its answers. Errors: invalid if
// nothing in the input was the protocol.
func (s *Server) Stdio(ctx context.Context) error { return s.serveLines(ctx, os.Stdin, os.Stdout) }

// serveLines is Stdio for any input, which it closes, and output.
func (s *Server) serveLines(ctx context.Context, in io.ReadCloser, out io.Writer) error {
	writer := &lineWriter{out: out}
	lines := newMessageLines(in, writer)
	err := s.serve(ctx, drainTransport{&mcp.IOTransport{Reader: lines, Writer: writer, MaxLineLength: -1}})
	if err == nil && lines.refused.Load() && !lines.passed.Load() {
		err = notTheProtocol(nil)
	}
	return err
}

func (s *Server) serve(ctx context.Context, transport mcp.Transport) error {
	defer context.AfterFunc(ctx, s.end)() // the SDK waits for running calls but does not cancel them
	err := s.mcp.Run(ctx, transport)
	if err == nil || ctx.Err() != nil || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.ErrClosedPipe) {
		return nil // also if the client left while an answer was written
	}
	return notTheProtocol(err)
}

func notTheProtocol(cause error) error {
	return &errs.Error{
		Code: errs.Invalid, Op: "mcp",
		Message: "standard input is not the Model Context Protocol",
		Hint:    "let an assistant start lens mcp; it writes one JSON message per line", Err: cause,
	}
}

// HTTP returns a handler for the streamable HTTP transport, without sessions: every request stands alone and is
// answered with JSON. It checks neither Host, Origin nor keys; the caller must.
func (s *Server) HTTP() http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxMessage,
		DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	})
}

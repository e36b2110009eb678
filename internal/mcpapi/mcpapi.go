// Package mcpapi lets an assistant ask the archive over the Model Context Protocol: the investigator's own tools, every turn as a resource,
// and a prompt that says how to investigate.
//
// The rules are:
//
//   - Everything only reads, and says so in its annotations. No tool fetches anything.
//   - What the archive says is data. As text it stands between markers that nobody can guess, and is cleaned; as structured output it is
//     only ever the value of a string.
//   - What goes wrong in a tool is told to the model: a code, a sentence, a next step. An archive that is not there is such an error, so
//     that an assistant can be set up before anything was imported.
//   - The log gets the names of tools, codes and times, never what was asked or found.
package mcpapi

import (
	"context"
	_ "embed"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/agent"
	"lens/agent/tools"
	"lens/retrieval"
)

// Archive is what is asked.
type Archive interface {
	Peek(ctx context.Context, query string, opts retrieval.PeekOptions) (*retrieval.Peek, error)
	Turn(ctx context.Context, prefix string) (*retrieval.Turn, error)
	Activity(ctx context.Context, opts retrieval.ActivityOptions) (*retrieval.Activity, error)
}

// Options is what a Server needs.
type Options struct {
	Archive Archive
	Offline Offline             // nil: there is no tool search
	Version string              // of Lens
	Explain func(error) Failure // nil: every error is an internal one
	Log     *slog.Logger        // nil: none
}

const (
	maxMessage   = 1 << 20  // bytes of a message of a client
	maxArguments = 64 << 10 // bytes of a tool's arguments
	maxCalls     = 8        // that run at a time
)

//go:embed instructions.md
var instructions string

// Server answers assistants. It is safe for concurrent use.
type Server struct {
	Options
	slots chan struct{} // one a call that runs
	life  context.Context
	end   context.CancelFunc
	mcp   *mcp.Server
}

// New returns a server that serves nobody yet.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Explain == nil {
		o.Explain = func(error) Failure { return Failure{Code: "internal"} }
	}
	s := &Server{Options: o, slots: make(chan struct{}, maxCalls)}
	s.life, s.end = context.WithCancel(context.Background())
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "lens", Title: "Lens", Version: o.Version}, &mcp.ServerOptions{
		Instructions: strings.TrimSpace(instructions),
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) { c.CacheScope = "private" }, // unsaid, it is public
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Prompts: &mcp.PromptCapabilities{}, Resources: &mcp.ResourceCapabilities{},
		},
	})
	for _, t := range tools.New(o.Archive, tools.Options{}) {
		s.offer(faceOf(t))
	}
	s.offer(face{Tool: newActivity(o.Archive), title: "All turns over time", output: schemaOf[retrieval.ActivityBody]()})
	if o.Offline != nil {
		s.offer(face{Tool: newSearch(o.Offline), title: "Search files with nothing leaving the machine", output: schemaOf[searchOutput]()})
	}
	s.offerTurns()
	s.offerInvestigation()
	return s
}

// Close ends the calls that run, and refuses later ones.
func (s *Server) Close() { s.end() }

// Stdio serves the client on standard input and output until that closes its end and has its answers, or ctx is over: both are a good end. Errors: invalid
// when what comes is not the protocol.
func (s *Server) Stdio(ctx context.Context) error {
	return s.serve(ctx, &mcp.StdioTransport{MaxLineLength: maxMessage})
}

func (s *Server) serve(ctx context.Context, transport mcp.Transport) error {
	defer context.AfterFunc(ctx, s.end)() // the SDK waits for calls that run, and does not end them
	err := s.mcp.Run(ctx, patient{transport})
	if err == nil || ctx.Err() != nil || errors.Is(err, mcp.ErrConnectionClosed) {
		return nil
	}
	return &agent.Error{
		Code: "invalid", Op: "mcp", Message: "what came on standard input is not the Model Context Protocol, or a message of it over 1 MiB",
		Hint: "lens mcp is started by an assistant, which writes one JSON message a line", Err: err,
	}
}

// HTTP returns the streamable HTTP transport, without sessions: every request stands alone and is answered with JSON. It checks neither
// Host nor Origin nor keys; whoever mounts it does.
func (s *Server) HTTP() http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true, MaxRequestBodyBytes: maxMessage, DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	})
}

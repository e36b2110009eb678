package mcpapi

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeArchive has one turn and can be set to fail, block or panic.
type fakeArchive struct {
	turn  retrieval.Turn
	err   error
	block chan struct{} // closed once a call waits for its context to end; nil: calls do not
	ended chan struct{} // closed once it has waited; may be nil
	panic bool

	mu       sync.Mutex
	peeked   query.Query
	activity query.Query
}

var (
	may     = time.Date(2024, time.May, 3, 8, 0, 0, 0, time.UTC)
	breadID = uuid.UUID{15: 1}
)

func newArchive() *fakeArchive {
	return &fakeArchive{turn: retrieval.Turn{TurnID: breadID, Title: "Bread", Time: &may, User: "Which flour?", Assistant: "Rye."}}
}

func (a *fakeArchive) fail(ctx context.Context) error {
	if a.panic {
		panic("the canary sings")
	}
	if a.block != nil {
		close(a.block)
		<-ctx.Done()
		if a.ended != nil {
			close(a.ended)
		}
		return ctx.Err()
	}
	return a.err
}

func (a *fakeArchive) histogram() retrieval.Histogram {
	return retrieval.Histogram{Bin: "month", Total: 2, Undated: 1, Bins: []retrieval.HistogramBin{
		{Start: may.AddDate(0, 0, -2), End: may.AddDate(0, 0, 29), Count: 1, Baseline: 4, Share: 0.25},
	}}
}

func (a *fakeArchive) Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error) {
	a.mu.Lock()
	a.peeked = q
	a.mu.Unlock()
	return &retrieval.Peek{
		Query: q.Text, Mode: query.Keyword, Histogram: a.histogram(), Peaks: []retrieval.Peak{},
		Matches: []retrieval.Match{{TurnID: breadID, Score: new(1.0), Title: a.turn.Title, Time: &may, UserSnippet: a.turn.User}},
	}, a.fail(ctx)
}

func (a *fakeArchive) Turn(ctx context.Context, _ string) (*retrieval.Turn, error) {
	t := a.turn
	return &t, a.fail(ctx)
}

func (a *fakeArchive) Turns(ctx context.Context, prefixes []string) (*retrieval.Turns, error) {
	found := &retrieval.Turns{Turns: []*retrieval.Turn{}, Missing: []string{}}
	for _, prefix := range prefixes {
		if strings.HasPrefix(prefix, "f") {
			found.Missing = append(found.Missing, prefix)
			continue
		}
		t := a.turn
		found.Turns = append(found.Turns, &t)
	}
	return found, a.fail(ctx)
}

func (a *fakeArchive) Compare(ctx context.Context, queries []query.Query) (*retrieval.Comparison, error) {
	c := &retrieval.Comparison{Bin: "month", Peeks: []*retrieval.Peek{}}
	for _, q := range queries {
		p, err := a.Peek(ctx, q)
		if err != nil {
			return nil, err
		}
		c.Peeks = append(c.Peeks, p)
	}
	return c, nil
}

func (a *fakeArchive) Activity(ctx context.Context, o query.Query) (*retrieval.Activity, error) {
	a.mu.Lock()
	a.activity = o
	a.mu.Unlock()
	return &retrieval.Activity{Notice: "Some were left out.", Histogram: a.histogram()}, a.fail(ctx)
}

func (a *fakeArchive) Topics(ctx context.Context, _ query.Query) (*retrieval.Topics, error) {
	return &retrieval.Topics{Topics: []retrieval.Topic{{ID: 7, Label: "flour · oven", Peaks: []retrieval.Peak{}}}}, a.fail(ctx)
}

func (*fakeArchive) WindowNamed(context.Context, string, time.Time) (retrieval.Window, error) {
	return retrieval.Window{}, nil
}

func (a *fakeArchive) About(ctx context.Context, _ retrieval.Window) (*retrieval.About, error) {
	return &retrieval.About{Topics: []retrieval.AboutTopic{}, Titles: []retrieval.AboutTitle{}}, a.fail(ctx)
}

// explainAgent knows the errors of agent.
func explainAgent(err error) Failure {
	var agentErr *errs.Error
	if errors.As(err, &agentErr) {
		return Failure{Code: agentErr.Code, Message: agentErr.Message, Hint: agentErr.Hint}
	}
	return Failure{Code: "internal"}
}

// served returns a server and what it logs.
func served(archive Engine) (*Server, *strings.Builder) {
	var log strings.Builder
	return New(Options{Engine: archive, Version: "test", Explain: explainAgent, Log: slog.New(slog.NewTextHandler(&log, nil))}), &log
}

// connected returns a client of s. Both end with the test.
func connected(t testing.TB, s *Server) *mcp.ClientSession {
	t.Helper()
	ours, theirs := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- s.serve(context.Background(), ours) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
		if err := <-ended; err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	return session
}

// call calls a tool.
func call(t testing.TB, session *mcp.ClientSession, tool, arguments string) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// textOf returns the one text of a result.
func textOf(t testing.TB, r *mcp.CallToolResult) string {
	t.Helper()
	if len(r.Content) != 1 {
		t.Fatalf("%d contents", len(r.Content))
	}
	return r.Content[0].(*mcp.TextContent).Text
}

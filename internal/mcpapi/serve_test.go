package mcpapi

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/agent"
)

func TestEndingTheServerEndsTheCallsThatRun(t *testing.T) {
	archive := newArchive()
	archive.block = make(chan struct{})
	s, _ := served(archive)
	ctx, cancel := context.WithCancel(t.Context())
	ours, theirs := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- s.serve(ctx, ours) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-archive.block
		cancel()
	}()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "activity"})
	if err == nil && !strings.HasPrefix(textOf(t, result), "unavailable: the call was broken off.") { // or the connection is gone before it is told
		t.Errorf("told %q", textOf(t, result))
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ends with %v", err)
	}
	_ = session.Close() // the other end is gone
}

func TestWhatIsNotTheProtocolEndsTheServerWithASentence(t *testing.T) {
	for name, said := range map[string]string{
		"no JSON": "hello\n", "half a message": `{"jsonrpc":`, "no message": "{}\n", "too long": `"` + strings.Repeat("x", maxMessage),
	} {
		s, _ := served(newArchive())
		err := s.serve(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(strings.NewReader(said)), Writer: discard{}, MaxLineLength: maxMessage})
		var told *agent.Error
		if !errors.As(err, &told) || told.Code != "invalid" || told.Hint == "" {
			t.Errorf("%s: ends with %v", name, err)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

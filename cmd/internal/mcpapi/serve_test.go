package mcpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/internal/errs"
	"lens/internal/testenv"
)

func TestServer_ShutdownCancelsCalls(t *testing.T) {
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
	if err == nil && !strings.HasPrefix(textOf(t, result), "unavailable: the call was canceled.") { // or the connection closed first
		t.Errorf("got %q", textOf(t, result))
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ends with %v", err)
	}
	_ = session.Close() // the other end is gone
}

func TestStdio_InvalidInput(t *testing.T) {
	for name, said := range map[string]string{
		"no JSON": "hello\n", "half a message": `{"jsonrpc":`, "no message": "{}\n", "too long": `"` + strings.Repeat("x", maxMessage),
	} {
		s, _ := served(newArchive())
		err := s.serve(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(strings.NewReader(said)), Writer: discard{}, MaxLineLength: maxMessage})
		var agentErr *errs.Error
		if !errors.As(err, &agentErr) || agentErr.Code != "invalid" || agentErr.Hint == "" {
			t.Errorf("%s: ends with %v", name, err)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// answers holds what a server says.
type answers struct{ testenv.Output }

func (*answers) Close() error { return nil }

const hello = `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

func TestStdio_AnswersPendingCallsAtEOF(t *testing.T) {
	s, _ := served(newArchive())
	said := hello
	for id := range 30 {
		said += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"activity"}}`+"\n", id)
	}
	var got answers
	if err := s.serve(t.Context(), &mcp.IOTransport{Reader: io.NopCloser(strings.NewReader(said)), Writer: &got}); err != nil {
		t.Error(err)
	}
	if n := strings.Count(got.String(), "2024-05: 1"); n != 30 {
		t.Errorf("%d answers of 30", n)
	}
}

func TestStdio_CanceledCallAtEOF(t *testing.T) {
	archive := newArchive()
	archive.block = make(chan struct{})
	s, _ := served(archive)
	input, client := io.Pipe()
	go func() {
		fmt.Fprint(client, hello+`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"activity"}}`+"\n")
		<-archive.block
		fmt.Fprint(client, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`+"\n") //nolint:misspell // the protocol's spelling
		client.Close()
	}()
	ctx, cancel := context.WithTimeoutCause(t.Context(), drainTimeout/2, errors.New("still waiting for a canceled call"))
	defer cancel()
	if err := s.serve(ctx, &mcp.IOTransport{Reader: input, Writer: new(answers)}); err != nil || ctx.Err() != nil {
		t.Errorf("%v, %v", err, context.Cause(ctx))
	}
}

package mcpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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

// wrongLines are lines without a message, and the codes of JSON-RPC for them.
var wrongLines = map[string]int{
	"hello canary": jsonrpc.CodeParseError, `{"jsonrpc":`: jsonrpc.CodeParseError, "{}{}": jsonrpc.CodeParseError, "\xff\x00": jsonrpc.CodeParseError,
	"{}": jsonrpc.CodeInvalidRequest, `"canary"`: jsonrpc.CodeInvalidRequest, "[]": jsonrpc.CodeInvalidRequest, "[1]": jsonrpc.CodeInvalidRequest,
	`{"jsonrpc":"1.0","id":1,"method":"ping"}`: jsonrpc.CodeInvalidRequest, `"` + strings.Repeat("x", 3*maxMessage): jsonrpc.CodeInvalidRequest,
}

// answered returns what a server answers to an input.
func answered(t *testing.T, input string) (string, error) {
	t.Helper()
	s, _ := served(newArchive())
	var got testenv.Output
	err := s.serveLines(t.Context(), io.NopCloser(iotest.HalfReader(strings.NewReader(input))), &got)
	return got.String(), err
}

func TestStdio_InvalidInput(t *testing.T) {
	for line, code := range wrongLines {
		for _, end := range []string{"\n", ""} {
			said, err := answered(t, line+end)
			var agentErr *errs.Error
			if !errors.As(err, &agentErr) || agentErr.Code != "invalid" || agentErr.Hint == "" {
				t.Errorf("%.40q: ends with %v", line, err)
			}
			if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,`, code); !strings.HasPrefix(said, want) || strings.Contains(said, "canary") {
				t.Errorf("%.40q: answers %s, want %s", line, said, want)
			}
		}
	}
}

// A wrong line is answered, and so are the calls before and after it.
func TestStdio_GoesOnAfterAWrongLine(t *testing.T) {
	ask := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"activity"}}`, id)
	}
	lines := maps.Clone(wrongLines)
	for line, code := range lines {
		for _, newline := range []string{"\n", "\r\n"} {
			said, err := answered(t, hello+ask(1)+"\n \n"+line+newline+ask(2)+newline+ask(3))
			if err != nil || strings.Count(said, "2024-05: 1") != 3 || strings.Count(said, fmt.Sprintf(`"error":{"code":%d,`, code)) != 1 {
				t.Errorf("%.40q: %v, answers %s", line, err, said)
			}
		}
	}
}

// Every call of a batch is answered, whatever else is in it.
func TestStdio_Batches(t *testing.T) {
	ask := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"activity"}}`, id)
	}
	const note = `{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`
	for batch, ids := range map[string][]int{
		ask(1) + "," + ask(2):             {1, 2},
		ask(1) + "," + note:               {1},
		note + "," + note + ", " + ask(9): {9},
	} {
		said, err := answered(t, hello+"["+batch+"]\n"+ask(3)+"\n")
		for _, id := range append(ids, 3) {
			if err != nil || strings.Count(said, fmt.Sprintf(`"id":%d,"result"`, id)) != 1 {
				t.Errorf("%s: %v, call %d is not answered once in %s", batch, err, id, said)
			}
		}
		if strings.Contains(said, `"error"`) {
			t.Errorf("%s: %s", batch, said)
		}
	}
}

// FuzzMessageLines holds that the SDK gets whole messages only, one a line, and that each other line is answered.
func FuzzMessageLines(f *testing.F) {
	for line := range wrongLines {
		if len(line) < 100 {
			f.Add([]byte(hello + line + "\r\n" + hello))
		}
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var said strings.Builder
		passed, err := io.ReadAll(newMessageLines(io.NopCloser(bytes.NewReader(input)), &said))
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for line := range bytes.Lines(input) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			lines++
			if messages, ok := messagesOf(line); ok {
				lines += bytes.Count(messages, []byte("\n")) - 1
			}
		}
		for line := range bytes.Lines(passed) {
			if _, err := jsonrpc.DecodeMessage(line); err != nil || line[len(line)-1] != '\n' {
				t.Fatalf("passed on %q", line)
			}
			lines--
		}
		for line := range strings.Lines(said.String()) {
			if lines--; !json.Valid([]byte(line)) {
				t.Fatalf("answered %q", line)
			}
		}
		if lines != 0 {
			t.Fatalf("%d lines of %q without an answer", lines, input)
		}
	})
}

const hello = `{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

func TestStdio_AnswersPendingCallsAtEOF(t *testing.T) {
	s, _ := served(newArchive())
	said := hello
	for id := range 30 {
		said += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"activity"}}`+"\n", id)
	}
	var got testenv.Output
	if err := s.serveLines(t.Context(), io.NopCloser(strings.NewReader(said)), &got); err != nil {
		t.Error(err)
	}
	if n := strings.Count(got.String(), "2024-05: 1"); n != 30 {
		t.Errorf("%d answers of 30", n)
	}
}

// The SDK answers requests out of order with the code 0, which JSON-RPC lacks.
func TestStdio_RequestsOutOfOrder(t *testing.T) {
	s, _ := served(newArchive())
	said := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" +
		hello + strings.Replace(hello, `"a"`, `"b"`, 1) +
		`{"jsonrpc":"2.0","id":2,"method":"tools/nothing"}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"nothing"}}` + "\n"
	var got testenv.Output
	if err := s.serveLines(t.Context(), io.NopCloser(strings.NewReader(said)), &got); err != nil {
		t.Error(err)
	}
	var codes []string
	for line := range strings.Lines(got.String()) {
		var reply struct {
			ID    any            `json:"id"`
			Error *jsonrpc.Error `json:"error"`
		}
		if err := json.Unmarshal([]byte(line), &reply); err != nil {
			t.Fatal(err)
		}
		if reply.Error != nil {
			codes = append(codes, fmt.Sprintf("%v: %d", reply.ID, reply.Error.Code))
			if reply.Error.Message == "" {
				t.Errorf("no message in %s", line)
			}
		}
	}
	slices.Sort(codes)
	if want := []string{"1: -32600", "2: -32601", "3: -32602", "b: -32600"}; !slices.Equal(codes, want) {
		t.Errorf("codes are %v, want %v", codes, want)
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
	if err := s.serveLines(ctx, input, io.Discard); err != nil || ctx.Err() != nil {
		t.Errorf("%v, %v", err, context.Cause(ctx))
	}
}

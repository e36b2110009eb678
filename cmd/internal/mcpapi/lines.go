package mcpapi

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// messageLines reads a client's messages, one a line, for the SDK, which ends the connection at the first line without
// one. It answers such a line with an error and goes on with the next. It is safe for one reader.
type messageLines struct {
	in      *bufio.Reader // its buffer bounds a message
	close   io.Closer
	out     io.Writer
	line    []byte // what is left of the lines that are passed on
	passed  atomic.Bool
	refused atomic.Bool
}

func newMessageLines(in io.ReadCloser, out io.Writer) *messageLines {
	return &messageLines{in: bufio.NewReaderSize(in, maxMessage), close: in, out: out}
}

// Read implements io.Reader.
func (m *messageLines) Read(p []byte) (int, error) {
	for len(m.line) == 0 {
		line, err := m.in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			err = m.skipLine()
			m.refuse(jsonrpc.CodeInvalidRequest, "The message is over 1 MiB.")
		case len(bytes.TrimSpace(line)) == 0:
		case !json.Valid(line):
			m.refuse(jsonrpc.CodeParseError, "The line is not JSON. Write one JSON-RPC message per line.")
		default:
			var ok bool
			if m.line, ok = messagesOf(line); ok {
				m.passed.Store(true)
				continue
			}
			m.refuse(jsonrpc.CodeInvalidRequest, "The line is not a JSON-RPC message.")
		}
		if err != nil {
			return 0, io.EOF // what cannot be read ends the input
		}
	}
	n := copy(p, m.line)
	m.line = m.line[n:]
	return n, nil
}

// skipLine reads to the end of a line.
func (m *messageLines) skipLine() error {
	for {
		if _, err := m.in.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// Close implements io.Closer.
func (m *messageLines) Close() error { return m.close.Close() }

// messagesOf returns a line's message, or each message of the batch that older versions of the protocol have, on a line
// of its own: the SDK leaves some calls of a batch without an answer. It returns false if anything else is among them.
func messagesOf(line []byte) (lines []byte, ok bool) {
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		batch = []json.RawMessage{bytes.TrimSpace(line)}
	}
	for _, one := range batch {
		if _, err := jsonrpc.DecodeMessage(one); err != nil {
			return nil, false
		}
		lines = append(append(lines, one...), '\n')
	}
	return lines, len(batch) > 0
}

// refuse answers a line that has no usable id.
func (m *messageLines) refuse(code int, message string) {
	m.refused.Store(true)
	const format = `{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":%q}}` + "\n"
	_, _ = fmt.Fprintf(m.out, format, code, message) // the client may have left
}

// lineWriter writes whole lines for several writers. Closing it does nothing: the process ends with its output open.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
}

// Write implements io.Writer. Each call has one line or several.
func (w *lineWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(line)
}

// Close implements io.Closer.
func (*lineWriter) Close() error { return nil }

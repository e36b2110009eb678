package httpapi

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"
)

// connectionLimit counts the open connections.
type connectionLimit struct {
	server *http.Server
	limit  int64
	now    atomic.Int64
}

// track implements http.Server.ConnState. At the limit it closes idle connections, so that clients that keep them open
// for later do not lock others out.
func (c *connectionLimit) track(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		c.now.Add(1)
	case http.StateClosed, http.StateHijacked:
		c.now.Add(-1)
	}
	if (state == http.StateNew || state == http.StateIdle) && c.now.Load() >= c.limit {
		c.server.SetKeepAlivesEnabled(false) // closes idle connections
		c.server.SetKeepAlivesEnabled(true)
	}
}

// structuredErrorListener replaces the plain-text errors that net/http writes for requests that are not valid HTTP,
// which no handler sees: the client receives a structured error, and it is logged and counted.
type structuredErrorListener struct {
	net.Listener
	requests *requestLog
}

func (l structuredErrorListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &structuredErrorConn{c, l.requests}, nil
}

type structuredErrorConn struct {
	net.Conn
	requests *requestLog
}

// Write implements net.Conn.
func (c *structuredErrorConn) Write(p []byte) (int, error) {
	status := plainErrorStatus(p)
	if status == 0 {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(c.requests.malformedResponse(status, c.RemoteAddr())); err != nil {
		return 0, err
	}
	return len(p), nil
}

// plainErrorStatus returns the status of an error that net/http wrote itself; 0 for a handler's response. No handler
// writes exactly these headers or the status 417.
func plainErrorStatus(answer []byte) (status int) {
	const version, plain = "HTTP/1.1 ", "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	text, isAnswer := bytes.CutPrefix(answer, []byte(version))
	if !isAnswer || len(text) < 3 || text[0] < '4' {
		return 0
	}
	_, rest, _ := bytes.Cut(text, []byte("\r\n"))
	status, _ = strconv.Atoi(string(text[:3]))
	if bytes.HasPrefix(rest, []byte(plain)) || status == http.StatusExpectationFailed {
		return status
	}
	return 0
}

// malformedResponse returns the response to a request that could not be read.
func (l *requestLog) malformedResponse(status int, from net.Addr) []byte {
	p := &problem{Code: codeInvalid, Message: "Malformed HTTP/1.1 request."}
	switch status {
	case http.StatusRequestHeaderFieldsTooLarge:
		p = &problem{Code: codeTooLarge, Message: "Request headers are limited to 256 KiB."}
	case http.StatusNotImplemented:
		p.Message = "A body needs Content-Length or Transfer-Encoding: chunked."
	case http.StatusExpectationFailed:
		p.Message = "Only Expect: 100-continue is supported."
	}
	x := &requestRecord{id: requestID(""), route: "malformed", status: status, code: p.Code}
	var body bytes.Buffer
	_ = writeJSON(&body, errorBody{p.failure(x.id)}, compactJSON) // cannot fail: writes to memory
	x.bytes = int64(body.Len())
	l.record("OTHER", addressString(from), x, 0)
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n"+
		"X-Request-Id: %s\r\nConnection: close\r\n\r\n",
		status, http.StatusText(status), kindJSON, body.Len(), x.id)
	return append([]byte(head), body.Bytes()...)
}

package httpapi

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync/atomic"

	"golang.org/x/net/netutil"
)

// crowd is how many are connected, of those that may be.
type crowd struct {
	server *http.Server
	limit  int64
	now    atomic.Int64
}

// heed implements http.Server.ConnState. When nobody more may connect, those who ask nothing have to go: a client that keeps connections for
// later keeps nobody out.
func (c *crowd) heed(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		c.now.Add(1)
	case http.StateClosed, http.StateHijacked:
		c.now.Add(-1)
	}
	if (state == http.StateNew || state == http.StateIdle) && c.now.Load() >= c.limit {
		c.server.SetKeepAlivesEnabled(false) // which closes them
		c.server.SetKeepAlivesEnabled(true)
	}
}

// outspoken is a listener on whose connections net/http does not refuse in plain text what is no HTTP, before any handler has seen it: it is
// told as every error is, logged and counted.
type outspoken struct {
	net.Listener
	server *Server
}

func (l outspoken) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &outspokenConn{c, l.server}, nil
}

type outspokenConn struct {
	net.Conn
	server *Server
}

// Write implements net.Conn.
func (c *outspokenConn) Write(p []byte) (int, error) {
	status := plainlyRefused(p)
	if status == 0 {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(c.server.refusal(status, c.RemoteAddr())); err != nil {
		return 0, err
	}
	return len(p), nil
}

// plainlyRefused returns the status of an answer that net/http gives by itself; 0 for what a handler answers. No handler's answer has only
// these headers, and none expects what it cannot.
func plainlyRefused(answer []byte) (status int) {
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

// refusal is what somebody is told whose request could not be read.
func (s *Server) refusal(status int, from net.Addr) []byte {
	p := &problem{Code: codeInvalid, Message: "This is no request of HTTP/1.1 as it is read here."}
	switch status {
	case http.StatusRequestHeaderFieldsTooLarge:
		p = &problem{Code: codeTooLarge, Message: "The header of a request may have 256 KiB."}
	case http.StatusNotImplemented:
		p.Message = "A body comes with Content-Length or Transfer-Encoding: chunked."
	case http.StatusExpectationFailed:
		p.Message = "Nothing can be expected but 100-continue."
	}
	x := &exchange{id: requestID(""), route: "malformed", status: status, code: p.Code}
	var body bytes.Buffer
	_ = WriteJSON(&body, errorBody{s.failureOf(p, x.id)}) // to memory
	x.bytes = int64(body.Len())
	s.note("OTHER", addressString(from), x, 0)
	head := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nX-Request-Id: %s\r\nConnection: close\r\n\r\n",
		status, http.StatusText(status), kindJSON, body.Len(), x.id)
	return append([]byte(head), body.Bytes()...)
}

// bounded is l as it is served: with so many connections at a time. Others wait until one of them is closed.
func (s *Server) bounded(l net.Listener) net.Listener {
	return netutil.LimitListener(outspoken{l, s}, s.opts.Connections)
}

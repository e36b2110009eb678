package httpapi

import (
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestServer_MalformedRequest(t *testing.T) {
	s := start(t, nil)
	for asked, want := range map[string]struct {
		status int
		code   string
	}{
		canary + "\r\n\r\n": {400, codeInvalid},
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nNo colon " + canary + "\r\n\r\n":                                         {400, codeInvalid},
		"GET /healthz HTTP/1.1\r\n\r\n":                                                                                       {400, codeInvalid},
		"GET /healthz HTTP/9.9\r\nHost: localhost\r\n\r\n":                                                                    {505, codeInvalid},
		"GET /%zz" + canary + " HTTP/1.1\r\nHost: localhost\r\n\r\n":                                                          {400, codeInvalid},
		"POST /sessions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: " + canary + "\r\n\r\n":                             {501, codeInvalid},
		"POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n":                        {400, codeInvalid},
		"POST /sessions HTTP/1.1\r\nHost: localhost\r\nExpect: " + canary + "\r\nContent-Length: 2\r\n\r\n{}":                 {417, codeInvalid},
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: " + strings.Repeat("x", maxHeader) + strings.Repeat("y", 64<<10): {431, codeTooLarge},
	} {
		got := sendRaw(t, s, asked)
		if got.status != want.status || got.code() != want.code || got.header.Get("Content-Type") != kindJSON || strings.Contains(string(got.body), canary) {
			t.Errorf("%.60q: %d %s", asked, got.status, got.body)
		}
		trace := got.header.Get("X-Request-Id")
		if trace == "" || !strings.Contains(string(got.body), trace) || !strings.Contains(s.log.String(), `"trace":"`+trace+`","method":"OTHER","route":"malformed"`) {
			t.Errorf("%.60q: the trace id %q is not in the body, or not in the log", asked, trace)
		}
	}
	if strings.Contains(s.log.String(), canary) {
		t.Error("what was sent is logged")
	}
}

func TestPlainErrorStatus_HandlerReply(t *testing.T) {
	for _, written := range []string{
		"", "HTTP/1.1 ", "HTTP/1.1 4", "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n",
		"HTTP/1.1 404 Not Found\r\nCache-Control: no-store\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n", "data: HTTP/1.1 400 x",
		"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nX-Request-Id: a\r\nConnection: close\r\n\r\n",
	} {
		if status := plainErrorStatus([]byte(written)); status != 0 {
			t.Errorf("%q is taken for a refusal with %d", written, status)
		}
	}
}

// crowded is an archive at which requests wait for permission and are counted.
type crowded struct {
	now, most atomic.Int32
	leave     chan struct{}
}

func (c *crowded) open(ctx context.Context) (Engine, error) {
	defer c.now.Add(-1)
	for n := c.now.Add(1); ; {
		if most := c.most.Load(); n <= most || c.most.CompareAndSwap(most, n) {
			break
		}
	}
	select {
	case <-c.leave:
	case <-ctx.Done():
	}
	return someChats()
}

func TestServer_ConnectionLimit(t *testing.T) {
	const limit, clients = 3, 12
	house := &crowded{leave: make(chan struct{})}
	s := start(t, func(o *Options) { o.Connections, o.Engine = limit, house.open })
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			if got := sendRaw(t, s, "GET /retrieval/activity HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); got.status != 200 {
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	for range clients { // each lets one more in
		house.leave <- struct{}{}
	}
	all.Wait()
	if most := house.most.Load(); most > limit || most == 0 {
		t.Errorf("%d were let in at the same time, of %d", most, limit)
	}
}

// keepConnection sends a request and keeps the connection open.
func keepConnection(t *testing.T, s *service, path string) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := fmt.Fscan(c, new(string)); err != nil {
		t.Errorf("%s is not answered: %v", path, err)
	}
}

func TestServer_IdleConnectionsMakeRoom(t *testing.T) {
	const limit = 2
	house := &crowded{leave: make(chan struct{})}
	s := start(t, func(o *Options) { o.Connections, o.Timeouts.Idle, o.Engine = limit, time.Hour, house.open })
	for range 2*limit + 1 { // more than the limit, and none closes by itself
		keepConnection(t, s, "/healthz")
	}
	for busy := 1; busy <= limit; busy++ {
		var all sync.WaitGroup
		for range busy {
			all.Go(func() { keepConnection(t, s, "/retrieval/activity") })
		}
		for house.now.Load() < int32(busy) {
			runtime.Gosched()
		}
		if busy < limit {
			keepConnection(t, s, "/healthz")
		}
		for range busy {
			house.leave <- struct{}{}
		}
		all.Wait()
		keepConnection(t, s, "/healthz")
	}
}

package httpapi

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lens/agent"
)

// chatter sends stalled readers more than fits into all buffers, and others less.
type chatter struct {
	much, less int          // pieces
	over       atomic.Int32 // runs for stalled readers that have ended
	gone       chan struct{}
	once       sync.Once
}

func (c *chatter) Name() string           { return "chatter" }
func (c *chatter) Tokens(text string) int { return len(text) / 4 }

func (c *chatter) Stream(ctx context.Context, p agent.Prompt) iter.Seq2[agent.Delta, error] {
	stalls, pieces := strings.Contains(p.Messages[len(p.Messages)-1].Text, "stalls"), c.less
	if stalls {
		pieces = c.much
	}
	return func(yield func(agent.Delta, error) bool) {
		for i := range pieces {
			if ctx.Err() != nil || !yield(agent.Delta{Text: fmt.Sprintf("piece %d: %s ", i, numbersFrom(i<<20))}, nil) {
				c.once.Do(func() { close(c.gone) })
				return
			}
		}
		if stalls {
			c.over.Add(1)
		}
		yield(agent.Delta{Finish: agent.Stop}, nil)
	}
}

// numbersFrom returns 4,000 bytes that do not repeat.
func numbersFrom(n int) string {
	b := make([]byte, 0, 4010)
	for ; len(b) < 4000; n++ {
		b = strconv.AppendInt(append(b, ' '), int64(n), 36)
	}
	return string(b)
}

// narrow is a listener whose connections buffer little unread data.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err == nil {
		err = c.(*net.UnixConn).SetWriteBuffer(64 << 10)
	}
	return c, err
}

// overUnix serves on a unix socket, whose buffers do not grow. It returns a client and a function that ends the server.
func overUnix(t *testing.T, opts Options) (client *http.Client, end func() error) {
	t.Helper()
	server, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := Listen("unix:" + path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, narrow{l}) }()
	transport := &http.Transport{
		DisableKeepAlives: true, ReadBufferSize: 4096,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		},
	}
	end = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	return &http.Client{Transport: transport}, end
}

// question opens a stream.
func question(ctx context.Context, client *http.Client, text string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, "POST", "http://localhost/chat", strings.NewReader(`{"messages":[{"role":"user","content":"`+text+`"}]}`))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", kindJSON)
	return client.Do(r)
}

// checkPieces compares a stream with what the model sent.
func checkPieces(stream io.Reader, pieces int) error {
	events, err := readEvents(stream)
	if err != nil {
		return err
	}
	var said strings.Builder
	for _, e := range events {
		if e.name == "delta" {
			said.WriteString(e.data)
		}
	}
	rest := said.String()
	for i := range pieces {
		var ok bool
		if _, rest, ok = strings.Cut(rest, fmt.Sprintf("piece %d:", i)); !ok {
			return fmt.Errorf("piece %d of %d is lost", i, pieces)
		}
	}
	if last := events[len(events)-1].name; last != "done" {
		return fmt.Errorf("the last event is %q", last)
	}
	return nil
}

func TestStream_SlowReaders(t *testing.T) {
	readers, stalled := 200, 20
	if testing.Short() {
		readers, stalled = 40, 8
	}
	model := &chatter{much: 100, less: 20, gone: make(chan struct{})}
	client, _ := overUnix(t, Options{Engine: engineFunc(someChats), Investigate: asking(model), Timeouts: Timeouts{Stall: time.Minute, Header: time.Minute}})
	errs := make(chan error, readers)
	release := make(chan struct{})
	var quick, slow sync.WaitGroup
	read := func(done *sync.WaitGroup, text string, pieces int, when <-chan struct{}) {
		defer done.Done()
		response, err := question(t.Context(), client, text)
		if err != nil {
			errs <- err
			return
		}
		defer response.Body.Close()
		<-when
		if err := checkPieces(response.Body, pieces); err != nil {
			errs <- fmt.Errorf("%s: %w", text, err)
		}
	}
	now := make(chan struct{})
	close(now)
	slow.Add(stalled)
	for range stalled {
		go read(&slow, "stalls", model.much, release)
	}
	quick.Add(readers - stalled)
	for range readers - stalled {
		go read(&quick, "reads", model.less, now)
	}
	quick.Wait()
	if n := model.over.Load(); n != 0 {
		t.Errorf("%d answers went on although no client read them", n)
	}
	close(release)
	slow.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}

func TestStream_StalledReader(t *testing.T) {
	model := &chatter{much: 10_000, gone: make(chan struct{})}
	client, end := overUnix(t, Options{Engine: engineFunc(someChats), Investigate: asking(model), Timeouts: Timeouts{Stall: 20 * time.Millisecond, Write: time.Hour}})
	response, err := question(t.Context(), client, "stalls")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	soon(t, model.gone, "the call of the model is not canceled while the reader is still connected")
	if err := end(); err != nil {
		t.Error(err)
	}
	if checkPieces(response.Body, model.much) == nil {
		t.Error("everything arrived although the reader stalled")
	}
}

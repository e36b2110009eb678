package s3

import (
	"context"
	"io"
	"net/http"
	"time"
)

// idleTimeoutClient sends requests, and cancels one if the server neither sends nor accepts a byte for a
// while.
type idleTimeoutClient struct {
	client  http.Client
	timeout time.Duration
}

// errIdle is the cause of that cancellation.
var errIdle error = idleError{}

type idleError struct{}

func (idleError) Error() string { return "no data for too long" }
func (idleError) Timeout() bool { return true }

// newIdleTimeoutClient returns a client that does not follow redirects, which would forward the signed
// request.
func newIdleTimeoutClient(transport http.RoundTripper, timeout time.Duration) *idleTimeoutClient {
	noRedirects := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &idleTimeoutClient{http.Client{Transport: transport, CheckRedirect: noRedirects}, timeout}
}

// Do implements the SDK's HTTP client.
func (c *idleTimeoutClient) Do(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	t := &idleTimer{ctx: ctx, cancel: cancel, timeout: c.timeout}
	t.timer = time.AfterFunc(c.timeout, func() { cancel(errIdle) })
	r = r.WithContext(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body, r.GetBody = upload{r.Body, t}, nil
	}
	response, err := c.client.Do(r)
	t.timer.Stop()
	if err != nil {
		err = t.cause(err)
		cancel(nil)
		return nil, err
	}
	response.Body = download{response.Body, t}
	return response, nil
}

// idleTimer cancels a request without activity.
type idleTimer struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	timeout time.Duration
	timer   *time.Timer
}

// cause returns the real reason for a failed request.
func (t *idleTimer) cause(err error) error {
	if err != nil && err != io.EOF && context.Cause(t.ctx) == errIdle {
		return errIdle
	}
	return err
}

// upload is a request body; every read counts as activity.
type upload struct {
	io.ReadCloser
	idle *idleTimer
}

func (u upload) Read(p []byte) (int, error) {
	u.idle.timer.Reset(u.idle.timeout)
	return u.ReadCloser.Read(p)
}

// download is a response body. The timer runs only while waiting for the server, not for the reader.
type download struct {
	io.ReadCloser
	idle *idleTimer
}

func (d download) Read(p []byte) (int, error) {
	d.idle.timer.Reset(d.idle.timeout)
	n, err := d.ReadCloser.Read(p)
	d.idle.timer.Stop()
	return n, d.idle.cause(err)
}

func (d download) Close() error {
	d.idle.timer.Stop()
	err := d.ReadCloser.Close()
	d.idle.cancel(nil)
	return err
}

package s3

import (
	"context"
	"io"
	"net/http"
	"time"
)

// patient sends requests, and gives up on a server that neither sends nor takes a byte for a while.
type idleTimeoutClient struct {
	client  http.Client
	timeout time.Duration
}

// errStalled is what it says then.
var errIdle error = idleError{}

type idleError struct{}

func (idleError) Error() string { return "the server fell silent" }
func (idleError) Timeout() bool { return true }

// newPatient returns one that does not send a signed request on to wherever an answer says.
func newIdleTimeoutClient(transport http.RoundTripper, stall time.Duration) *idleTimeoutClient {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &idleTimeoutClient{http.Client{Transport: transport, CheckRedirect: stay}, stall}
}

// Do implements the SDK's HTTP client.
func (p *idleTimeoutClient) Do(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	w := &idleTimer{ctx: ctx, cancel: cancel, timeout: p.timeout}
	w.timer = time.AfterFunc(p.timeout, func() { cancel(errIdle) })
	r = r.WithContext(ctx)
	if r.Body != nil && r.Body != http.NoBody {
		r.Body, r.GetBody = upload{r.Body, w}, nil
	}
	answer, err := p.client.Do(r)
	w.timer.Stop()
	if err != nil {
		err = w.cause(err)
		cancel(nil)
		return nil, err
	}
	answer.Body = download{answer.Body, w}
	return answer, nil
}

// watch ends a request when nothing happens.
type idleTimer struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	timeout time.Duration
	timer   *time.Timer
}

// cause returns why a request really failed.
func (w *idleTimer) cause(err error) error {
	if err != nil && err != io.EOF && context.Cause(w.ctx) == errIdle {
		return errIdle
	}
	return err
}

// upload is a request's body: whatever is taken of it is a sign of life.
type upload struct {
	io.ReadCloser
	idle *idleTimer
}

func (u upload) Read(p []byte) (int, error) {
	u.idle.timer.Reset(u.idle.timeout)
	return u.ReadCloser.Read(p)
}

// download is an answer's body. Only the server must not tarry, its reader may.
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

package s3

import (
	"context"
	"io"
	"net/http"
	"time"
)

// patient sends requests, and gives up on a server that neither sends nor takes a byte for a while.
type patient struct {
	client http.Client
	stall  time.Duration
}

// errStalled is what it says then.
var errStalled error = stalled{}

type stalled struct{}

func (stalled) Error() string { return "the server fell silent" }
func (stalled) Timeout() bool { return true }

// newPatient returns one that does not send a signed request on to wherever an answer says.
func newPatient(transport http.RoundTripper, stall time.Duration) *patient {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &patient{http.Client{Transport: transport, CheckRedirect: stay}, stall}
}

// Do implements the SDK's HTTP client.
func (p *patient) Do(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	w := &watch{ctx: ctx, cancel: cancel, stall: p.stall}
	w.timer = time.AfterFunc(p.stall, func() { cancel(errStalled) })
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
type watch struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	stall  time.Duration
	timer  *time.Timer
}

// cause returns why a request really failed.
func (w *watch) cause(err error) error {
	if err != nil && err != io.EOF && context.Cause(w.ctx) == errStalled {
		return errStalled
	}
	return err
}

// upload is a request's body: whatever is taken of it is a sign of life.
type upload struct {
	io.ReadCloser
	watch *watch
}

func (u upload) Read(p []byte) (int, error) {
	u.watch.timer.Reset(u.watch.stall)
	return u.ReadCloser.Read(p)
}

// download is an answer's body. Only the server must not tarry, its reader may.
type download struct {
	io.ReadCloser
	watch *watch
}

func (d download) Read(p []byte) (int, error) {
	d.watch.timer.Reset(d.watch.stall)
	n, err := d.ReadCloser.Read(p)
	d.watch.timer.Stop()
	return n, d.watch.cause(err)
}

func (d download) Close() error {
	d.watch.timer.Stop()
	err := d.ReadCloser.Close()
	d.watch.cancel(nil)
	return err
}

package httpapi

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// requestRecord is what is logged and counted of a request and its response.
type requestRecord struct {
	id     string
	route  string // the route's pattern, or why none was reached
	status int    // 0: nothing written yet
	bytes  int64
	code   string // of the error; "": none
}

type recordKey struct{}

// recordOf returns the record of a request.
func recordOf(r *http.Request) *requestRecord {
	if x, ok := r.Context().Value(recordKey{}).(*requestRecord); ok {
		return x
	}
	return &requestRecord{}
}

// requestLog logs and counts requests.
type requestLog struct {
	metrics  *metrics
	failures failures
	running  sync.WaitGroup
}

// trace gives every request an id, logs and counts it, and turns a panic into an internal error.
func (l *requestLog) trace(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.running.Add(1)
		defer l.running.Done()
		started := time.Now()
		x := &requestRecord{id: requestID(r.Header.Get("X-Request-Id")), route: "none"}
		w.Header().Set("X-Request-Id", x.id)
		r = r.WithContext(context.WithValue(r.Context(), recordKey{}, x))
		recorded := &recorder{ResponseWriter: w, x: x}
		defer func() {
			fault := recover()
			if fault != nil && fault != http.ErrAbortHandler {
				l.recoverPanic(recorded, r, fault)
			}
			l.record(methodName(r.Method), r.RemoteAddr, x, time.Since(started))
			if fault != nil && x.status != http.StatusInternalServerError {
				panic(http.ErrAbortHandler) // a partial response must not look complete
			}
		}()
		next.ServeHTTP(recorded, r)
	})
}

// recoverPanic logs a panic, and sends an error if nothing was written yet.
func (l *requestLog) recoverPanic(w *recorder, r *http.Request, fault any) {
	l.failures.panicked(w.x, fault)
	if w.x.status == 0 {
		l.failures.fail(w, r, errInternal)
	}
}

// panicked logs a panic. It logs the value only of runtime errors, because others may quote text.
func (f failures) panicked(x *requestRecord, fault any) {
	what := fmt.Sprintf("%T", fault)
	if known, ok := fault.(runtime.Error); ok {
		what = known.Error()
	}
	f.log.Error(
		"panic", slog.String("trace", x.id), slog.String("route", x.route),
		slog.String("fault", what), slog.String("stack", string(debug.Stack())),
	)
}

// record counts and logs a request.
func (l *requestLog) record(method, from string, x *requestRecord, took time.Duration) {
	l.metrics.count(method, x.route, x.status, took)
	attributes := []any{
		slog.String("trace", x.id), slog.String("method", method), slog.String("route", x.route),
		slog.Int("status", x.status), slog.Int64("bytes", x.bytes),
		slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("from", address(from)),
	}
	if x.code != "" {
		attributes = append(attributes, slog.String("code", x.code))
	}
	l.failures.log.Info("request", attributes...)
}

// wait waits up to d for running requests to end, because the caller is about to close the archive.
func (l *requestLog) wait(d time.Duration) {
	none := make(chan struct{})
	go func() {
		l.running.Wait()
		close(none)
	}()
	select {
	case <-none:
	case <-time.After(d):
	}
}

// methodName returns a standard method, or OTHER: clients can send any word.
func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions:
		return method
	}
	return "OTHER"
}

// requestID returns the client's request id if it is well-formed, else a new one.
func requestID(given string) string {
	if given == "" || len(given) > 64 {
		return rand.Text()
	}
	for _, c := range []byte(given) {
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_' && c != '.' {
			return rand.Text()
		}
	}
	return given
}

// recorder records the status and size of a response.
type recorder struct {
	http.ResponseWriter
	x *requestRecord
}

func (w *recorder) WriteHeader(status int) {
	if w.x.status == 0 {
		w.x.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.x.status == 0 {
		w.x.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.x.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

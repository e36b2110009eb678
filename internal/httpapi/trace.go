package httpapi

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"
)

// exchange is a request and its answer, as they are logged and counted.
type exchange struct {
	id     string
	route  string // the route's path as in its pattern, or what stopped the request before
	status int    // 0: nothing is written yet
	bytes  int64
	code   string // of the error; "": none
}

type exchangeKey struct{}

// exchangeOf returns the exchange that a request belongs to.
func exchangeOf(r *http.Request) *exchange {
	if x, ok := r.Context().Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}

// traced gives every request an id, logs and counts it, and makes a panic an internal error.
func (s *Server) traced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.running.Add(1)
		defer s.running.Done()
		begun := time.Now()
		x := &exchange{id: requestID(r.Header.Get("X-Request-Id")), route: "none"}
		w.Header().Set("X-Request-Id", x.id)
		r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
		recorded := &recorder{ResponseWriter: w, x: x}
		defer func() {
			fault := recover()
			if fault != nil && fault != http.ErrAbortHandler {
				s.survive(recorded, r, fault)
			}
			s.note(methodName(r.Method), r.RemoteAddr, x, time.Since(begun))
			if fault != nil && x.status != http.StatusInternalServerError {
				panic(http.ErrAbortHandler) // what is half written must not look whole
			}
		}()
		next.ServeHTTP(recorded, r)
	})
}

// survive logs a panic, and answers if that is still possible.
func (s *Server) survive(w *recorder, r *http.Request, fault any) {
	s.logPanic(w.x, fault)
	if w.x.status == 0 {
		s.fail(w, r, errInternal)
	}
}

// logPanic logs a panic, without what was panicked with where that may be anything.
func (s *Server) logPanic(x *exchange, fault any) {
	what := fmt.Sprintf("%T", fault)
	if known, ok := fault.(runtime.Error); ok {
		what = known.Error()
	}
	s.log.Error("panic", slog.String("trace", x.id), slog.String("route", x.route), slog.String("fault", what), slog.String("stack", string(debug.Stack())))
}

// note counts and logs an exchange with who called from an address.
func (s *Server) note(method, from string, x *exchange, took time.Duration) {
	s.meters.count(method, x.route, x.status, took)
	attributes := []any{
		slog.String("trace", x.id), slog.String("method", method), slog.String("route", x.route), slog.Int("status", x.status),
		slog.Int64("bytes", x.bytes), slog.Float64("ms", float64(took.Microseconds())/1000), slog.String("from", address(from)),
	}
	if x.code != "" {
		attributes = append(attributes, slog.String("code", x.code))
	}
	s.log.Info("request", attributes...)
}

// methodName is a request's method where it is one of the usual ones: it may be any word.
func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "OTHER"
}

// requestID returns the id that a client gave a request, if it is a decent one, else a new one.
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

// recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	x *exchange
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

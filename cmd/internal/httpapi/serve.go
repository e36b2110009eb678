package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// maxHeader is large enough that a query that is too long gets a proper error; beyond it the request is cut off.
const maxHeader = 256 << 10

// Serve serves requests until ctx ends. Then it accepts no more. Running answers have Timeouts.Drain to finish; those
// that do not end with an event that says so, and Timeouts.Grace later all connections are closed. It closes the
// listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	t := s.opts.Timeouts
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: t.Header, ReadTimeout: t.Read, WriteTimeout: t.Write, IdleTimeout: t.Idle,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true, // OPTIONS * gets the same access checks
		ErrorLog:                     slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelWarn),
	}
	server.ConnState = (&connectionLimit{server: server, limit: int64(s.opts.Connections)}).track
	served := make(chan error, 1)
	limited := netutil.LimitListener(structuredErrorListener{l, s.requests}, s.opts.Connections) // others wait
	go func() { served <- server.Serve(limited) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.stop()
	defer s.endStreams()
	defer time.AfterFunc(t.Drain, s.endStreams).Stop()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.Drain+t.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		_ = server.Close() // closes the connections that are left
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	s.requests.wait(time.Second)
	return nil
}

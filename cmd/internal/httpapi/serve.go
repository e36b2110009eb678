package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// maxHeader is large enough that a query that is too long gets a proper error; beyond it the request is cut off.
const maxHeader = 256 << 10

// Serve serves requests until ctx ends. Then it accepts no more, streams end with an event, and running requests have
// Timeouts.Grace to finish. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	t := s.opts.Timeouts
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: t.Header, ReadTimeout: t.Read, WriteTimeout: t.Write, IdleTimeout: t.Idle,
		MaxHeaderBytes:               maxHeader,
		DisableGeneralOptionsHandler: true, // OPTIONS * gets the same access checks
		ErrorLog:                     slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	server.ConnState = (&connectionLimit{server: server, limit: int64(s.opts.Connections)}).track
	served := make(chan error, 1)
	go func() { served <- server.Serve(s.limitConnections(l)) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.stop()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		_ = server.Close() // closes the connections that are left
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	s.wait(time.Second)
	return nil
}

// wait waits up to d for running requests to end, because the caller is about to close the archive.
func (s *Server) wait(d time.Duration) {
	none := make(chan struct{})
	go func() {
		s.running.Wait()
		close(none)
	}()
	select {
	case <-none:
	case <-time.After(d):
	}
}

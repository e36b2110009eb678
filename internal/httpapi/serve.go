package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// maxHeader lets a query that is too long be told so: beyond it a request is cut off.
const maxHeader = 256 << 10

// Serve answers requests of a listener until ctx is over. Then no new ones are taken, streams end with an event, and what is under way has
// Timeouts.Grace to finish. It closes the listener.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	t := s.opts.Timeouts
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: t.Header, ReadTimeout: t.Read, WriteTimeout: t.Write, IdleTimeout: t.Idle, MaxHeaderBytes: maxHeader,
		DisableGeneralOptionsHandler: true, // OPTIONS * is guarded like everything else
		ErrorLog:                     slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	server.ConnState = (&crowd{server: server, limit: int64(s.opts.Connections)}).heed
	served := make(chan error, 1)
	go func() { served <- server.Serve(s.bounded(l)) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	s.stop()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		_ = server.Close() // cuts off who would not finish
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	s.wait(time.Second)
	return nil
}

// wait waits until no request is under way, but no longer than d: whoever opened the archive is about to close it.
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

package httpapi

import (
	"net/http"
	"net/http/pprof"
)

// registerProfiles serves pprof. It is not part of the API and is only enabled by an option.
func (s *Server) registerProfiles() {
	for path, serve := range map[string]http.HandlerFunc{
		"/debug/pprof/": pprof.Index, "/debug/pprof/cmdline": pprof.Cmdline, "/debug/pprof/profile": pprof.Profile,
		"/debug/pprof/symbol": pprof.Symbol, "/debug/pprof/trace": pprof.Trace,
	} {
		handle := func(w http.ResponseWriter, r *http.Request) error {
			serve(w, r)
			return nil
		}
		s.mux.Handle("GET "+path, s.serve(route{path: "/debug/pprof", stream: true, handle: handle}))
	}
}

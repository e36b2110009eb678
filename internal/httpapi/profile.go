package httpapi

import (
	"net/http"
	"net/http/pprof"
)

// registerProfiles serves what go tool pprof reads. A profile is no part of the contract, and is served only where that was asked for.
func (s *Server) registerProfiles() {
	for path, serve := range map[string]http.HandlerFunc{
		"/debug/pprof/": pprof.Index, "/debug/pprof/cmdline": pprof.Cmdline, "/debug/pprof/profile": pprof.Profile,
		"/debug/pprof/symbol": pprof.Symbol, "/debug/pprof/trace": pprof.Trace,
	} {
		s.mux.Handle("GET "+path, s.serve(route{path: "/debug/pprof", stream: true, handle: func(w http.ResponseWriter, r *http.Request) error {
			serve(w, r)
			return nil
		}}))
	}
}

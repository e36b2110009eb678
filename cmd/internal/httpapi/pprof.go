package httpapi

import (
	"net/http"
	"net/http/pprof"
)

// profileRoute serves pprof.
func profileRoute() route {
	mux := http.NewServeMux()
	for path, serve := range map[string]http.HandlerFunc{
		"/debug/pprof/": pprof.Index, "/debug/pprof/cmdline": pprof.Cmdline, "/debug/pprof/profile": pprof.Profile,
		"/debug/pprof/symbol": pprof.Symbol, "/debug/pprof/trace": pprof.Trace,
	} {
		mux.Handle(path, serve)
	}
	handle := func(w http.ResponseWriter, r *http.Request) error {
		mux.ServeHTTP(w, r)
		return nil
	}
	return route{method: http.MethodGet, path: "/debug/pprof/", stream: true, handle: handle}
}

package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

// router calls the route that a request is for, with a deadline and once the request is authorized.
type router struct {
	mux       *http.ServeMux
	authorize func(r *http.Request) error
	timeout   time.Duration // of requests that are not streams
	failures  failures
	compress  func(http.Handler) http.HandlerFunc // not for streams
	nowhere   http.Handler                        // what no route matches
}

func newRouter(
	all []route, authorize func(r *http.Request) error, timeout time.Duration, failed failures,
) *router {
	rt := &router{
		mux: http.NewServeMux(), authorize: authorize, timeout: timeout, failures: failed, compress: newCompression(),
	}
	for _, one := range all {
		rt.mux.Handle(one.pattern(), rt.serve(one))
	}
	rt.nowhere = rt.serve(route{path: "nowhere", handle: rt.notFound})
	rt.mux.Handle("/", rt.nowhere)
	return rt
}

// ServeHTTP implements http.Handler.
func (rt *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isCleanPath(r.URL) {
		rt.nowhere.ServeHTTP(w, r)
		return
	}
	rt.mux.ServeHTTP(w, r)
}

// serve adapts a route to net/http.
func (rt *router) serve(one route) http.Handler {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recordOf(r).route = strings.TrimSuffix(one.path, "/")
		if !one.open {
			if err := rt.authorize(r); err != nil {
				rt.failures.fail(w, r, err)
				return
			}
		}
		if !one.stream {
			ctx, cancel := context.WithTimeout(r.Context(), rt.timeout)
			defer cancel()
			r = r.WithContext(ctx)
		}
		if err := one.handle(w, r); err != nil {
			rt.failures.fail(w, r, err)
		}
	})
	if one.stream {
		return handler
	}
	return rt.compress(handler)
}

// notFound serves paths and methods that no route matches.
func (rt *router) notFound(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete}
	for _, method := range methods {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := rt.mux.Handler(other); pattern != "/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		return &problem{Code: codeNotFound, Message: "Not found.", Hint: "/docs lists all routes."}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return &problem{Code: codeMethod, Message: "Use " + strings.Join(allowed, " or ") + "."}
}

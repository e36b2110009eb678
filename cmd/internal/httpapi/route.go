package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// route is one endpoint.
type route struct {
	method, path string // as in a pattern of http.ServeMux
	summary      string // a phrase
	detail       string // more text; may be empty
	parameters   []openAPIParameter
	body         any      // value of the request's type; nil: none
	replies      []reply  // the successful ones
	problems     []string // codes in addition to commonProblems
	open         bool     // needs no key
	stream       bool     // long-running, so it has no deadline
	handle       handler
}

// reply is a successful response.
type reply struct {
	status int
	kind   string // content type
	doc    string
	value  any // of the type of a JSON response; nil: not JSON
}

// handler serves a request, or returns an error. It returns nil once it has begun to write.
type handler func(w http.ResponseWriter, r *http.Request) error

const (
	kindJSON   = "application/json"
	kindStream = "text/event-stream"
	kindHTML   = "text/html; charset=utf-8"
)

// archiveProblems are the codes of routes that query the archive.
var archiveProblems = []string{codeNotFound, codeBlocked, codeLocked, codeUnavailable}

// okReply is the usual reply: 200 with a document.
func okReply(doc string, value any) []reply {
	return []reply{{http.StatusOK, kindJSON, doc, value}}
}

// routes returns all endpoints.
func (s *Server) routes() []route {
	return slices.Concat(
		[]route{s.peekRoute(), s.turnRoute(), s.activityRoute()},
		[]route{s.chatRoute()},
		s.sessionRoutes(),
		s.completionsRoutes(),
		s.offlineRoutes(),
		[]route{s.retrieveRoute()},
		[]route{s.healthRoute(), s.readyRoute(), s.metricsRoute(), s.openAPIRoute(), s.docsRoute()},
	)
}

func (s *Server) register(all []route) {
	for _, one := range all {
		s.mux.Handle(one.method+" "+one.path, s.serve(one))
	}
	if s.opts.MCP != nil {
		s.mux.Handle("/mcp", s.serve(route{path: "/mcp", handle: s.serveMCP}))
	}
	if s.opts.Profile {
		s.registerProfiles()
	}
	s.mux.Handle("/", s.serve(route{path: "nowhere", handle: s.notFound}))
}

// serve adapts a route to net/http.
func (s *Server) serve(one route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := recordOf(r)
		x.route = one.path
		if !one.open {
			if err := s.authorize(r); err != nil {
				s.fail(w, r, err)
				return
			}
		}
		if !one.stream {
			ctx, cancel := context.WithTimeout(r.Context(), s.opts.Timeouts.Request)
			defer cancel()
			r = r.WithContext(ctx)
		}
		if err := one.handle(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

// notFound serves paths and methods that no route matches.
func (s *Server) notFound(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete}
	for _, method := range methods {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); pattern != "/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		return &problem{Code: codeNotFound, Message: "Not found. /docs lists all routes."}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return &problem{Code: codeMethod, Message: "Use " + strings.Join(allowed, " or ") + "."}
}

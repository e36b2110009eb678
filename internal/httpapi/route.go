package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// route is one thing that can be asked for.
type route struct {
	method, path string // as in a pattern of http.ServeMux
	summary      string // half a sentence
	detail       string // what else there is to know; may be empty
	parameters   []described
	body         any      // value of the type that is read; nil: none
	replies      []reply  // the successful ones
	problems     []string // codes that it may have besides those that every route may have
	open         bool     // answers without a key
	stream       bool     // goes on for long: no deadline
	handle       handler
}

// reply is a successful answer.
type reply struct {
	status int
	kind   string // content type
	doc    string
	value  any // of the type that is written as JSON; nil: something else
}

// handler answers a request, or returns why not. After it has begun to write, it returns nil.
type handler func(w http.ResponseWriter, r *http.Request) error

const (
	kindJSON   = "application/json"
	kindStream = "text/event-stream"
	kindHTML   = "text/html; charset=utf-8"
)

// ofArchive are the codes of routes that ask the archive.
var ofArchive = []string{codeNotFound, codeBlocked, codeLocked, codeUnavailable}

// answers is the usual reply: 200 with a document.
func answers(doc string, value any) []reply {
	return []reply{{http.StatusOK, kindJSON, doc, value}}
}

// routes is all that is served. To add one is to add a line.
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
		s.mux.Handle("/mcp", s.serve(route{path: "/mcp", handle: s.assistants}))
	}
	if s.opts.Profile {
		s.registerProfiles()
	}
	s.mux.Handle("/", s.serve(route{path: "nowhere", handle: s.nowhere}))
}

// serve makes a route a handler of net/http.
func (s *Server) serve(one route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := exchangeOf(r)
		x.route = one.path
		if !one.open {
			if err := s.admit(r); err != nil {
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

// nowhere answers what no route is for.
func (s *Server) nowhere(w http.ResponseWriter, r *http.Request) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); pattern != "/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		return &problem{Code: codeNotFound, Message: "There is nothing here. /docs lists what there is."}
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	return &problem{Code: codeMethod, Message: "This takes " + strings.Join(allowed, ", ") + "."}
}

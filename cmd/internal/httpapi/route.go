package httpapi

import (
	"net/http"
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

// pattern returns the route's pattern for http.ServeMux.
func (one route) pattern() string { return strings.TrimSpace(one.method + " " + one.path) }

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
	kindJSON    = "application/json"
	kindStream  = "text/event-stream"
	kindHTML    = "text/html; charset=utf-8"
	kindMetrics = "text/plain; version=0.0.4; charset=utf-8"
)

// archiveProblems are the codes of routes that query the archive.
var archiveProblems = []string{codeNotFound, codeBlocked, codeLocked, codeUnavailable}

// okReply is the usual reply: 200 with a document.
func okReply(doc string, value any) []reply {
	return []reply{{http.StatusOK, kindJSON, doc, value}}
}

// fromQuery handles a request that has no body: it reads the parameters of a table and responds with what find returns.
func fromQuery[In, Out any](table []parameter[In], find func(r *http.Request, in In) (Out, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		in, err := readQuery(r, table)
		if err != nil {
			return err
		}
		out, err := find(r, in)
		if err != nil {
			return err
		}
		return send(w, http.StatusOK, out)
	}
}

// fromBody handles a request without parameters: it reads its body and responds with what do returns.
func fromBody[In, Out any](status int, do func(r *http.Request, in In) (Out, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		var in In
		if err := readBody(r, &in); err != nil {
			return err
		}
		out, err := do(r, in)
		if err != nil {
			return err
		}
		return send(w, status, out)
	}
}

// readBody reads the body of a request that has no parameters.
func readBody(r *http.Request, into any) error {
	if err := noQuery(r); err != nil {
		return err
	}
	return readJSON(r, into)
}

// noQuery refuses query parameters.
func noQuery(r *http.Request) error {
	_, err := readQuery[struct{}](r, nil)
	return err
}

// nothing is the request of a route without parameters.
type nothing = struct{}

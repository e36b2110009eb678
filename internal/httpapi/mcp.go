package httpapi

import (
	"cmp"
	"net/http"
	"strings"
)

// assistants answers over the Model Context Protocol. What its SDK refuses in plain text is told as every error is.
func (s *Server) assistants(w http.ResponseWriter, r *http.Request) error {
	caught := &plainRefusal{ResponseWriter: w}
	s.opts.MCP.ServeHTTP(caught, r)
	return caught.problem()
}

// plainRefusal holds back an error in plain text.
type plainRefusal struct {
	http.ResponseWriter
	status int // of what is held back; 0: nothing
}

func (w *plainRefusal) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *plainRefusal) Write(p []byte) (int, error) {
	if w.status != 0 {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *plainRefusal) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// problem is what was held back, nil for nothing.
func (w *plainRefusal) problem() error {
	switch {
	case w.status == 0:
		return nil
	case w.status == http.StatusMethodNotAllowed:
		return &problem{Code: codeMethod, Message: "This takes " + cmp.Or(w.Header().Get("Allow"), http.MethodPost) + "."}
	case w.status == http.StatusRequestEntityTooLarge:
		return errLongBody
	case w.status >= http.StatusInternalServerError:
		return errInternal
	}
	return invalid("This is no message of the Model Context Protocol: send one JSON-RPC message by POST, with Content-Type: application/json and " +
		"Accept: application/json, text/event-stream.")
}

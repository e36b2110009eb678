package httpapi

import (
	"cmp"
	"net/http"
	"strings"
)

// mcpRoute serves the Model Context Protocol. It turns the SDK's plain-text errors into structured ones.
func mcpRoute(sdk http.Handler) route {
	return route{path: "/mcp", handle: func(w http.ResponseWriter, r *http.Request) error {
		plainErrors := &plainErrorWriter{ResponseWriter: w}
		sdk.ServeHTTP(plainErrors, r)
		return plainErrors.problem()
	}}
}

// plainErrorWriter withholds an error in plain text.
type plainErrorWriter struct {
	http.ResponseWriter
	status int // of the withheld error; 0: none
}

func (w *plainErrorWriter) WriteHeader(status int) {
	if status >= http.StatusBadRequest && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *plainErrorWriter) Write(p []byte) (int, error) {
	if w.status != 0 {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *plainErrorWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// problem returns the withheld error as a problem, or nil.
func (w *plainErrorWriter) problem() error {
	switch {
	case w.status == 0:
		return nil
	case w.status == http.StatusMethodNotAllowed:
		return &problem{Code: codeMethod, Message: "Use " + cmp.Or(w.Header().Get("Allow"), http.MethodPost) + "."}
	case w.status == http.StatusRequestEntityTooLarge:
		return errBodyTooLarge
	case w.status >= http.StatusInternalServerError:
		return errInternal
	}
	return invalid("Not a Model Context Protocol message. " +
		"POST one JSON-RPC message with Content-Type: application/json and " +
		"Accept: application/json, text/event-stream.")
}

package agenttest

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Fault describes how a reply fails. The zero value is a success.
type Fault struct {
	Status     int           `yaml:"status"`      // answer with this HTTP status
	Message    string        `yaml:"message"`     // error message
	RetryAfter time.Duration `yaml:"retry_after"` // Retry-After header
	Redirect   string        `yaml:"redirect"`    // answer 307 to this URL
	Reset      bool          `yaml:"reset"`       // close the connection without an answer
	Hang       bool          `yaml:"hang"`        // never answer
	Body       string        `yaml:"body"`        // answer with this text, and with Status (0: 200)
	Type       string        `yaml:"type"`        // Content-Type of Body

	// Cut closes the connection cleanly after this many bytes of the stream; 0: never, -1: before the first byte.
	Cut   int  `yaml:"cut"`
	Abort bool `yaml:"abort"` // with Cut: reset the connection instead
	Stall int  `yaml:"stall"` // stop sending after this many bytes, with the connection open
}

// inject serves the fault. It reports whether there was one.
func (f Fault) inject(s *Server, w http.ResponseWriter, r *http.Request) bool {
	switch {
	case f.Reset:
		panic(http.ErrAbortHandler)
	case f.Hang:
		select {
		case <-r.Context().Done():
		case <-s.closing:
		}
	case f.Redirect != "":
		http.Redirect(w, r, f.Redirect, http.StatusTemporaryRedirect)
	case f.Body != "":
		w.Header().Set("Content-Type", cmp.Or(f.Type, "application/json"))
		w.WriteHeader(cmp.Or(f.Status, http.StatusOK))
		_, _ = io.WriteString(w, f.Body) // the client may have left
	case f.Status != 0:
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After-Ms", fmt.Sprint(f.RetryAfter.Milliseconds()))
		}
		writeError(w, f.Status, f.Message)
	default:
		return false
	}
	return true
}

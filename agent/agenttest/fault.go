package agenttest

import (
	"fmt"
	"net/http"
	"time"
)

// Fault is one way to fail. The zero value is none.
type Fault struct {
	Status     int           `yaml:"status"`      // answer with this HTTP status
	Message    string        `yaml:"message"`     // and these words
	RetryAfter time.Duration `yaml:"retry_after"` // and ask to wait
	Redirect   string        `yaml:"redirect"`    // answer 307 to this URL
	Reset      bool          `yaml:"reset"`       // close the connection without an answer
	Hang       bool          `yaml:"hang"`        // never answer

	Cut   int  `yaml:"cut"`   // end the answer after so many bytes of its stream, politely; 0: do not, -1: before the first
	Abort bool `yaml:"abort"` // with Cut: impolitely, in the middle of the connection
	Stall int  `yaml:"stall"` // go silent after so many bytes, with the connection open
}

// serve fails instead of answering. It reports whether it did.
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

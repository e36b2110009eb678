package agent

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteEvent writes an event as one server-sent event: its Kind, and its JSON on one line.
func WriteEvent(w io.Writer, e Event) error { return writeSSE(w, e.Kind(), e) }

// Failure ends a stream that does not end with Done. The front end that writes it decides what the user may
// see.
type Failure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`   // the next step
	Reason  string `json:"reason,omitempty"` // why the offline retriever refused to answer
	TraceID string `json:"trace_id,omitempty"`
}

// WriteFailure writes the event that ends a stream with an error.
func WriteFailure(w io.Writer, f Failure) error { return writeSSE(w, "error", f) }

// WriteHeartbeat writes a comment, which clients ignore, to keep the connection alive.
func WriteHeartbeat(w io.Writer) error {
	_, err := io.WriteString(w, ": \n\n")
	return err
}

func writeSSE(w io.Writer, name string, data any) error {
	text, err := json.Marshal(data) // escapes line feeds: the event is one line
	if err != nil {
		return fmt.Errorf("cannot encode event: %w", err)
	}
	_, err = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, text)
	return err
}

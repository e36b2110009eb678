package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"sync"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// maxBody is the maximum size of a request body in bytes.
const maxBody = 1 << 20

// The options produce the same output as encoding/json, without HTML escapes, at a third of the cost.
var (
	compactJSON  = strict.JoinOptions(jsonv1.DefaultOptionsV1(), jsontext.EscapeForHTML(false), jsontext.EscapeForJS(true))
	indentedJSON = strict.JoinOptions(compactJSON, jsontext.WithIndent("  "))
)

// WriteJSON writes a document for people, as the CLI prints it: indented, without HTML escapes.
func WriteJSON(w io.Writer, document any) error { return writeJSON(w, document, indentedJSON) }

func writeJSON(w io.Writer, document any, as strict.Options) error {
	err := strict.MarshalWrite(w, document, as)
	if err == nil {
		_, err = w.Write([]byte{'\n'})
	}
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// buffers keep the memory of documents: with the copies that encoding made, a tenth of what a search allocated.
// What is longer than keptBuffer is rare and goes.
const keptBuffer = 1 << 20

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// send responds with a document, on one line: programs read it.
func send(w http.ResponseWriter, status int, document any) error {
	text := buffers.Get().(*bytes.Buffer)
	defer func() {
		if text.Cap() <= keptBuffer {
			buffers.Put(text)
		}
	}()
	text.Reset()
	if err := writeJSON(text, document, compactJSON); err != nil {
		return err
	}
	return sendText(w, status, kindJSON, text.Bytes())
}

// sendText responds with text that is already encoded. It ignores write errors: the client may be gone.
func sendText(w http.ResponseWriter, status int, kind string, text []byte) error {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text)
	return nil
}

// readJSON reads a body of one JSON document. It refuses unknown and repeated members, and misses
// those that are required.
func readJSON(r *http.Request, into any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != kindJSON {
		return invalid("Send a JSON body with Content-Type: application/json.")
	}
	if r.ContentLength > maxBody {
		return &http.MaxBytesError{Limit: maxBody} // do not wait for a body that will not be read
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			return err
		}
		return invalid("The body is incomplete.")
	}
	if err := strict.Unmarshal(text, into, strict.RejectUnknownMembers(true)); err != nil {
		return invalid(describeJSONError(err))
	}
	if jsontext.Value(text).Kind() == 'n' { // null unmarshals into anything
		return invalid("The body has the wrong type.")
	}
	return checkRequired(text, reflect.TypeOf(into).Elem())
}

// describeJSONError says why a body is invalid, without quoting it.
func describeJSONError(err error) string {
	var meaning *strict.SemanticError
	if errors.As(err, &meaning) {
		if where := string(meaning.JSONPointer); errors.Is(meaning.Err, strict.ErrUnknownName) {
			return "The body has an unknown member. /docs lists all members."
		} else if where != "" && len(where) < 100 {
			return "The body's " + where + " has the wrong type."
		}
		return "The body has the wrong type."
	}
	return "The body must be one JSON document in UTF-8 without repeated members."
}

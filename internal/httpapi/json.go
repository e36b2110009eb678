package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// MaxBody is how many bytes a request's body may have.
const MaxBody = 1 << 20

// asPrinted has documents look as encoding/json indents them, characters as they are, at a third of the cost.
var asPrinted = strict.JoinOptions(jsonv1.DefaultOptionsV1(), jsontext.EscapeForHTML(false), jsontext.EscapeForJS(true), jsontext.WithIndent("  "))

// WriteJSON writes a document as every face of Lens prints it: indented, its characters as they are.
func WriteJSON(w io.Writer, document any) error {
	text, err := strict.Marshal(document, asPrinted)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// send answers with a document.
func send(w http.ResponseWriter, status int, document any) error {
	var text bytes.Buffer
	if err := WriteJSON(&text, document); err != nil {
		return err
	}
	return sendText(w, status, kindJSON, text.Bytes())
}

// sendText answers with what is written already. Whether it arrives is the client's concern.
func sendText(w http.ResponseWriter, status int, kind string, text []byte) error {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text)
	return nil
}

// readJSON reads a body of one JSON document into into. What into has no member for, and what is said twice, is refused.
func readJSON(r *http.Request, into any) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != kindJSON {
		return invalid("The body must be JSON: send it with Content-Type: application/json.")
	}
	if r.ContentLength > MaxBody {
		return &http.MaxBytesError{Limit: MaxBody} // nobody waits for what is not read
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		var long *http.MaxBytesError
		if errors.As(err, &long) {
			return err
		}
		return invalid("The body did not arrive whole.")
	}
	if err := strict.Unmarshal(text, into, strict.RejectUnknownMembers(true)); err != nil {
		return invalid(whatIsWrong(err))
	}
	if jsontext.Value(text).Kind() == 'n' { // null goes into anything
		return invalid("The body has the wrong type.")
	}
	return nil
}

// whatIsWrong says where a body is no such document, without quoting it.
func whatIsWrong(err error) string {
	var meaning *strict.SemanticError
	if errors.As(err, &meaning) {
		if where := string(meaning.JSONPointer); errors.Is(meaning.Err, strict.ErrUnknownName) {
			return "The body has a member that is unknown here. /docs lists those that are known."
		} else if where != "" && len(where) < 100 {
			return "The body's " + where + " has the wrong type."
		}
		return "The body has the wrong type."
	}
	return "The body is not valid JSON: one document in UTF-8, in which no member comes twice."
}

package main

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"lens/agent"
	"lens/cmd/internal/httpapi"
)

// stdout is what programs read on standard output.
type stdout int

const (
	aText     stdout = iota // nothing that they parse
	aDocument               // one JSON document: with an error, a member of it
	allLines                // JSON Lines: an error is the last line
)

// codeInterrupted is the code of a run that was interrupted. The API has none: its client is gone.
const codeInterrupted = "INTERRUPTED"

// asksJSON reports whether a command line has --json. It reads the arguments, because an error in another flag ends
// their parsing.
func asksJSON(args []string) (asked bool) {
	for _, arg := range args {
		if arg == "--" {
			break
		}
		value, given := strings.CutPrefix(arg, "--json=")
		on, err := strconv.ParseBool(value)
		asked = asked && !(given && err == nil && !on) || arg == "--json" || given && on
	}
	return asked
}

// printDocument prints the document of the run with its first failure, or that alone.
func (r *reporter) printDocument(failures []agent.Failure) {
	switch {
	case r.stdout == allLines && len(failures) == 0:
	case r.stdout == allLines:
		line, err := json.Marshal(httpapi.ErrorDocument(failures[0]))
		if err == nil {
			r.out.printf("%s\n", line)
		}
	case len(failures) > 0 && r.stdout == aDocument:
		r.out.document = withError(r.out.document, failures[0])
		r.out.printDocument()
	default:
		r.out.printDocument()
	}
}

// withError adds an error to a document, unless that has one. A document that has no members is replaced.
func withError(document []byte, f agent.Failure) []byte {
	var text bytes.Buffer
	if err := httpapi.WriteJSON(&text, httpapi.ErrorDocument(f)); err != nil {
		return document
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(document, &members) != nil || len(members) == 0 {
		return text.Bytes()
	}
	if _, has := members["error"]; has {
		return document
	}
	open := bytes.TrimRight(bytes.TrimSuffix(bytes.TrimSpace(document), []byte("}")), "\n")
	return append(append(open, ",\n"...), bytes.TrimPrefix(text.Bytes(), []byte("{\n"))...)
}

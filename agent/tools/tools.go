// Package tools gives a model the two things that it may do with an archive: peek and turn. Both only read. A tool is a file beside the
// schema of its arguments and the description that a model reads.
package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval"
)

// Archive is what the tools need of retrieval.Engine.
type Engine interface {
	Peek(ctx context.Context, query string, opts retrieval.PeekOptions) (*retrieval.Peek, error)
	Turn(ctx context.Context, prefix string) (*retrieval.Turn, error)
}

// Options narrows what the tools see. The zero value is everything.
type Options struct {
	Conversation uuid.UUID      // only this one; uuid.Nil: any
	Mode         retrieval.Mode // "": Auto
	Now          time.Time      // what "yesterday" is measured from; zero: the clock's
}

// New returns both tools over an archive, as agent.Request.Tools takes them.
func New(archive Engine, opts Options) []agent.Tool {
	return []agent.Tool{&peek{archive, opts}, &turn{archive, opts.Conversation}}
}

// schema checks arguments before they are read.
type schema struct{ *jsonschema.Resolved }

// schemaOf reads a schema that is compiled in, when it is first needed and not while the program starts.
func schemaOf(raw []byte) func() schema {
	return sync.OnceValue(func() schema {
		var s jsonschema.Schema
		err := json.Unmarshal(raw, &s)
		if err != nil {
			panic("agent/tools: a schema that is no JSON: " + err.Error())
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			panic("agent/tools: a schema that is none: " + err.Error())
		}
		return schema{resolved}
	})
}

// read checks arguments and puts them into to. The error is of the kind that goes back to the model.
func (s schema) read(tool string, arguments json.RawMessage, to any) error {
	var value map[string]any
	if json.Unmarshal(arguments, &value) != nil || value == nil {
		return invalid(tool, "the arguments are no JSON object")
	}
	if err := s.Validate(value); err != nil {
		return invalid(tool, "the arguments do not fit: %s", cause(err))
	}
	if err := json.Unmarshal(arguments, to); err != nil {
		return invalid(tool, "the arguments do not fit the schema")
	}
	return nil
}

// cause returns what is wrong, without the path of schemas that leads there.
func cause(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, "validating "); at >= 0 {
		text = text[at+len("validating "):]
	}
	return text
}

func invalid(tool, format string, args ...any) error {
	return &agent.Error{Code: "invalid", Op: tool, Message: fmt.Sprintf(format, args...)}
}

// Package tools implements the read-only tools that a model may use on an archive: peek, turn, topics, about and, for
// assistants, turns, activity and compare. Each tool is a file beside the description that the model reads. The
// arguments of a query are made from query.Filters.
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
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

// Engine is the part of retrieval.Engine that the tools need.
type Engine interface {
	Peek(ctx context.Context, q query.Query) (*retrieval.Peek, error)
	Turn(ctx context.Context, prefix string) (*retrieval.Turn, error)
}

// Options restricts what the tools see. The zero value is everything.
type Options struct {
	Conversation uuid.UUID  // only this conversation; uuid.Nil: any
	Mode         query.Mode // "": Auto
	Now          time.Time  // the reference for "yesterday"; zero: the clock's
}

// New returns both tools, for agent.Request.Tools.
func New(engine Engine, opts Options) []agent.Tool {
	return []agent.Tool{&peek{engine, opts}, &turn{engine, opts.Conversation}}
}

// schema validates arguments.
type schema struct{ *jsonschema.Resolved }

// schemaOf parses an embedded schema on first use, to keep the start of the program fast.
func schemaOf(raw []byte) func() schema {
	return sync.OnceValue(func() schema {
		var s jsonschema.Schema
		err := json.Unmarshal(raw, &s)
		if err != nil {
			panic("agent/tools: cannot parse a schema: " + err.Error())
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			panic("agent/tools: cannot resolve a schema: " + err.Error())
		}
		return schema{resolved}
	})
}

// read validates arguments and decodes them into to. Its errors go back to the model.
func (s schema) read(tool string, arguments json.RawMessage, to any) error {
	var value map[string]any
	if json.Unmarshal(arguments, &value) != nil || value == nil {
		return errNoObject(tool)
	}
	if err := s.validate(tool, value); err != nil {
		return err
	}
	if err := json.Unmarshal(arguments, to); err != nil {
		return invalid(tool, "the arguments do not match the schema")
	}
	return nil
}

func (s schema) validate(tool string, values map[string]any) error {
	if err := s.Validate(values); err != nil {
		return invalid(tool, "invalid arguments: %s", cause(err))
	}
	return nil
}

// cause returns the innermost problem, without the path of schemas that leads to it.
func cause(err error) string {
	text := err.Error()
	if at := strings.LastIndex(text, "validating "); at >= 0 {
		text = text[at+len("validating "):]
	}
	return text
}

func errNoObject(tool string) error { return invalid(tool, "the arguments are not a JSON object") }

func invalid(tool, format string, args ...any) error {
	return &errs.Error{Code: errs.Invalid, Op: tool, Message: fmt.Sprintf(format, args...)}
}

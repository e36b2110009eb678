package mcpapi

import (
	"encoding/json"
	"errors"
	"reflect"

	"lens/internal/errs"
	"lens/retrieval"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
)

// schemaOf returns the JSON Schema of a type. It panics if there is none, which is a programming error.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[uuid.UUID]():          {Type: "string", Format: "uuid"},
		reflect.TypeFor[retrieval.Features](): {Type: "object"}, // in JSON
	}})
	if err != nil {
		panic("mcpapi: " + err.Error())
	}
	return s
}

// arguments parses the arguments of a tool into a T.
type arguments[T any] struct {
	tool     string
	hint     string // names the valid arguments
	schema   json.RawMessage
	resolved *jsonschema.Resolved
}

func argumentsOf[T any](tool, hint string) arguments[T] {
	schema := schemaOf[T]()
	raw, err := json.Marshal(schema)
	resolved, wrong := schema.Resolve(nil)
	if err = errors.Join(err, wrong); err != nil {
		panic("mcpapi: " + err.Error()) // cannot happen: the types are fixed
	}
	return arguments[T]{tool, hint, raw, resolved}
}

// read parses and validates what a client sent.
func (a arguments[T]) read(text json.RawMessage) (read T, err error) {
	var value map[string]any
	if json.Unmarshal(text, &value) != nil || value == nil {
		return read, a.invalid("the arguments are not a JSON object", a.hint)
	}
	if a.resolved.Validate(value) != nil || json.Unmarshal(text, &read) != nil {
		return read, a.invalid("the arguments do not match the schema", a.hint)
	}
	return read, nil
}

func (a arguments[T]) invalid(message, hint string) error {
	return &errs.Error{Code: errs.Invalid, Op: a.tool, Message: message, Hint: hint}
}

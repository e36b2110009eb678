package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/offline"
	"lens/retrieval/query"
)

var uuidType = reflect.TypeFor[uuid.UUID]()

// customSchemas are the schemas of types whose JSON differs from their Go structure, or has a format or few values.
var customSchemas = map[reflect.Type]*jsonschema.Schema{
	uuidType:                                {Type: "string", Format: "uuid"},
	reflect.TypeFor[time.Time]():            {Type: "string", Format: "date-time"},
	reflect.TypeFor[json.RawMessage]():      {},
	reflect.TypeFor[messageText]():          messageTextSchema,
	reflect.TypeFor[chatRole]():             {Type: "string", Enum: []any{agent.User, agent.Assistant}},
	reflect.TypeFor[agent.Role]():           {Type: "string", Enum: []any{agent.User, agent.Assistant}},
	reflect.TypeFor[agent.Finish]():         {Type: "string", Enum: enum(agent.Finishes)},
	reflect.TypeFor[completionFinish]():     {Type: "string", Enum: enum(completionFinishes)},
	reflect.TypeFor[query.Mode]():           {Type: "string", Enum: enum(query.Modes)},
	reflect.TypeFor[offline.Level]():        {Type: "string", Enum: enum(offline.Levels())},
	reflect.TypeFor[retrieval.Features]():   {Type: "object", AdditionalProperties: featureSchema},
	reflect.TypeFor[retrieval.TimeSource](): {Type: "string", Enum: enum(retrieval.TimeSources)},
}

// featureSchema describes a part of a score.
var featureSchema = &jsonschema.Schema{
	Type: "object", Required: []string{"value", "weight"},
	Properties: map[string]*jsonschema.Schema{"value": {Type: "number"}, "weight": {Type: "number"}},
}

// enum returns the values of an enumeration as a schema has them.
func enum[V ~string](values []V) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = string(v)
	}
	return all
}

// refiner is a type whose schema says more than its Go structure: bounds, defaults, or what only a body needs.
type refiner interface{ refine(s *jsonschema.Schema) }

// schemaOf returns the schema of a type's JSON.
func schemaOf(t reflect.Type) (*jsonschema.Schema, error) {
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: customSchemas})
	if err != nil {
		return nil, fmt.Errorf("httpapi: describe %s: %w", t, err)
	}
	if r, ok := reflect.Zero(t).Interface().(refiner); ok {
		r.refine(schema)
	}
	return schema, nil
}

// schemaName returns the name of a type's schema, such as Peek or Error.
func schemaName(t reflect.Type) string {
	name := strings.TrimSuffix(t.Name(), "Body")
	return strings.ToUpper(name[:1]) + name[1:]
}

// bodySchemas has the schemas of the bodies that were read, by type.
var bodySchemas sync.Map

// checkRequired checks that a body has every member that the schema of its type requires. encoding/json takes a member
// that is missing for an empty one.
func checkRequired(text []byte, t reflect.Type) error {
	if t.Kind() != reflect.Struct {
		return nil
	}
	known, ok := bodySchemas.Load(t)
	if !ok {
		schema, err := schemaOf(t)
		if err != nil {
			return err
		}
		known, _ = bodySchemas.LoadOrStore(t, schema)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	if at := missingMember(known.(*jsonschema.Schema), value, ""); at != "" {
		return invalid("The body's " + at + " is missing.")
	}
	return nil
}

// missingMember returns the JSON pointer of a member that a schema requires and a value does not have; "" if there is
// none. A null stands for a value only where the schema says so.
func missingMember(s *jsonschema.Schema, value any, at string) string {
	switch value := value.(type) {
	case map[string]any:
		for _, name := range s.Required {
			if member, ok := value[name]; !ok || member == nil && !slices.Contains(s.Properties[name].Types, "null") {
				return at + "/" + name
			}
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if below := s.Properties[name]; below != nil {
				if missing := missingMember(below, value[name], at+"/"+name); missing != "" {
					return missing
				}
			}
		}
	case []any:
		for i := 0; s.Items != nil && i < len(value); i++ {
			if missing := missingMember(s.Items, value[i], fmt.Sprintf("%s/%d", at, i)); missing != "" {
				return missing
			}
		}
	}
	return ""
}

// requireList makes a member of a body a list with at least least and at most most items.
func requireList(s *jsonschema.Schema, name string, least, most int) *jsonschema.Schema {
	list := s.Properties[name]
	list.Type, list.Types = "array", nil
	if least > 0 {
		list.MinItems = &least
	}
	if most > 0 {
		list.MaxItems = &most
	}
	return list.Items
}

package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/internal/errs"
	"lens/retrieval/query"
)

// argument is an argument of a tool that takes a query.
type argument struct {
	name   string
	schema *jsonschema.Schema
	read   func(q *query.Query, value any, now time.Time) error // of a value that fits schema
}

// arguments are all arguments of a tool that takes a query.
type arguments struct {
	tool string
	list []argument
	raw  json.RawMessage // the schema of them all
	schema
}

// argumentsOf builds the schema of a tool's arguments on first use.
func argumentsOf(tool string, list ...[]argument) func() *arguments {
	return sync.OnceValue(func() *arguments {
		a := &arguments{tool: tool, list: slices.Concat(list...)}
		object := &jsonschema.Schema{
			Type: "object", Properties: map[string]*jsonschema.Schema{},
			AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		}
		for _, one := range a.list {
			object.Properties[one.name] = one.schema
			object.PropertyOrder = append(object.PropertyOrder, one.name)
		}
		var err error
		if a.raw, err = json.Marshal(object); err != nil {
			panic("agent/tools: cannot write a schema: " + err.Error())
		}
		a.schema = schemaOf(a.raw)()
		return a
	})
}

// read reads what a model or a program wrote. Its errors go back to the model. Relative times count back from now.
func (a *arguments) read(text json.RawMessage, now time.Time) (q query.Query, err error) {
	var values map[string]any
	if json.Unmarshal(text, &values) != nil || values == nil {
		return q, errNoObject(a.tool)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.ContainsFunc(a.list, func(one argument) bool { return one.name == name }) {
			return q, invalid(a.tool, "there is no argument %q; use %s", name, a.names())
		}
	}
	for _, one := range a.list {
		one.clean(values)
	}
	if err := a.validate(a.tool, values); err != nil {
		return q, err
	}
	for _, one := range a.list {
		if value, given := values[one.name]; given {
			if err := one.read(&q, value, now); err != nil {
				return q, invalid(a.tool, "%s %s", one.name, err)
			}
		}
	}
	return q, nil
}

func (a *arguments) names() string {
	names := make([]string, len(a.list))
	for i, one := range a.list {
		names[i] = one.name
	}
	return strings.Join(names, ", ")
}

// clean removes the argument from values where it is null or, unless its schema forbids that, empty: models fill in
// what they do not need. A single value becomes the list that is expected.
func (one argument) clean(values map[string]any) {
	value, given := values[one.name]
	if given && one.schema.Type == "array" {
		all := cleanList(value)
		if values[one.name] = all; len(all) == 0 {
			delete(values, one.name)
		}
	} else if value == nil || value == "" && one.schema.MinLength == nil {
		delete(values, one.name)
	}
}

// cleanList returns a list, or a value as a list, without what is null or empty.
func cleanList(value any) []any {
	all, ok := value.([]any)
	if !ok {
		all = []any{value}
	}
	return slices.DeleteFunc(all, func(v any) bool { return v == nil || v == "" })
}

// textArgument is an argument with a text.
func textArgument(name, doc string, least *int, set func(*query.Query, string)) argument {
	schema := &jsonschema.Schema{Type: "string", MinLength: least, Description: doc}
	return argument{name, schema, func(q *query.Query, value any, _ time.Time) error {
		set(q, value.(string))
		return nil
	}}
}

// listArgument is an argument with a list of texts.
func listArgument(name, doc string, at func(*query.Query) *[]string) argument {
	schema := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}, Description: doc}
	return argument{name, schema, func(q *query.Query, value any, _ time.Time) error {
		for _, text := range value.([]any) {
			*at(q) = append(*at(q), text.(string))
		}
		return nil
	}}
}

// integerArgument is an argument with a whole number.
func integerArgument(name, doc string, lowest, highest int, set func(*query.Query, int)) argument {
	schema := &jsonschema.Schema{
		Type: "integer", Description: doc,
		Minimum: jsonschema.Ptr(float64(lowest)), Maximum: jsonschema.Ptr(float64(highest)),
	}
	return argument{name, schema, func(q *query.Query, value any, _ time.Time) error {
		set(q, int(value.(float64)))
		return nil
	}}
}

// binArgument is the width of a bin.
var binArgument = textArgument("bin",
	"Width of a bin: auto (default), hour, day, week, month, quarter, year, 3d, 15min, …",
	nil, func(q *query.Query, text string) { q.Bin = text })

// datesArgument is what becomes of dates in the words.
var datesArgument = argument{
	"dates",
	&jsonschema.Schema{
		Type: "string", Enum: []any{string(query.DatesOff), string(query.DatesSoft)},
		Description: "soft ranks turns near a date in query higher.",
	},
	func(q *query.Query, value any, _ time.Time) error {
		q.Dates = query.Dates(value.(string))
		return nil
	},
}

// filterArguments returns an argument for each filter, and one for what they leave out.
func filterArguments(fields []query.Field) []argument {
	var list []argument
	var excludable []query.Field
	for _, d := range fields {
		if d.Excludable() {
			excludable = append(excludable, d)
		}
		schema := d.Schema()
		schema.Description = d.Sentence()
		list = append(list, argument{d.Param, schema, func(q *query.Query, value any, now time.Time) error {
			return setFilter(d, q, value, false, now)
		}})
	}
	return append(list, notArgument(excludable))
}

// notArgument is the object whose members are filters that leave out what they find. Its schema only names them, since
// every token of it is sent with every request to a model.
func notArgument(fields []query.Field) argument {
	doc := "Leaves out what these of the filters find: " + query.Params(fields) + "."
	schema := &jsonschema.Schema{Type: "object", Description: doc}
	return argument{"not", schema, func(q *query.Query, value any, now time.Time) error {
		given := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(given)) {
			i := slices.IndexFunc(fields, func(d query.Field) bool { return d.Param == name })
			if i < 0 {
				return fmt.Errorf("has no filter %q; use %s", name, query.Params(fields))
			}
			if err := setFilter(fields[i], q, given[name], true, now); err != nil {
				return fmt.Errorf("%s %w", name, err)
			}
		}
		return nil
	}}
}

// setFilter adds a filter that was given as a JSON value. Its error follows the filter's name in a sentence.
func setFilter(d query.Field, q *query.Query, value any, not bool, now time.Time) error {
	for _, one := range cleanList(value) {
		text, err := scalar(one)
		if err == nil {
			err = d.Set(&q.Filter, text, not, now)
		}
		var known *errs.Error
		switch {
		case errors.As(err, &known) && known.Hint != "":
			return fmt.Errorf("%s; %s", known.Message, known.Hint)
		case known != nil:
			return errors.New(known.Message)
		case err != nil:
			return err
		}
	}
	return nil
}

// scalar returns a JSON value as a person would type it.
func scalar(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case bool:
		return strconv.FormatBool(v), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", errors.New("must be a value or a list of values")
}

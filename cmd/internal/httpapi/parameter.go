package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"

	"lens/internal/cleantext"
)

// openAPIParameter is a parameter in the OpenAPI document.
type openAPIParameter struct {
	Name        string             `json:"name"`
	In          string             `json:"in"` // "query" or "path"
	Required    bool               `json:"required,omitempty"`
	Description string             `json:"description"`
	Schema      *jsonschema.Schema `json:"schema"`
}

// parameter is a query parameter that is read into a T.
type parameter[T any] struct {
	openAPIParameter
	many bool                             // may be repeated
	read func(into *T, text string) error // its error follows the parameter's name in a sentence
}

// openAPIParameters returns the documentation of a table of parameters.
func openAPIParameters[T any](table []parameter[T]) []openAPIParameter {
	all := make([]openAPIParameter, len(table))
	for i, p := range table {
		all[i] = p.openAPIParameter
	}
	return all
}

// requireParameter makes a parameter required.
func requireParameter[T any](p parameter[T]) parameter[T] {
	p.Required = true
	return p
}

// maxParameters is more than any route has.
const maxParameters = 64

// readQuery reads the query of a URL. It refuses unknown parameters, and repeated ones that take one value. Others are
// named by a refusal among the valid ones: the caller has read them.
func readQuery[T any](r *http.Request, table []parameter[T], others ...string) (into T, err error) {
	given := make([][]string, len(table))
	raw := r.URL.RawQuery
	if strings.Count(raw, "&") >= maxParameters {
		return into, invalid("Too many parameters.")
	}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		name, text, err := unescapePair(pair)
		if err != nil {
			return into, err
		}
		i := slices.IndexFunc(table, func(p parameter[T]) bool { return p.Name == name })
		switch {
		case i < 0:
			return into, invalid("Unknown parameter " + shownName(name) + ". Valid parameters: " + names(table, others) + ".")
		case len(given[i]) > 0 && !table[i].many:
			return into, invalid(name + " is repeated.")
		}
		given[i] = append(given[i], text)
	}
	for i, p := range table {
		if p.Required && len(given[i]) == 0 {
			return into, invalid(p.Name + " is missing.")
		}
		if most := p.Schema.MaxItems; p.Required && most != nil && len(given[i]) > *most {
			return into, invalid(fmt.Sprintf("%s may be repeated up to %d times.", p.Name, *most))
		}
		for _, text := range given[i] {
			if err := p.read(&into, text); err != nil {
				return into, invalidParameter(p.Name, err)
			}
		}
	}
	return into, nil
}

// unescapePair decodes the name and value of a pair.
func unescapePair(pair string) (name, value string, err error) {
	escapedName, escapedValue, _ := strings.Cut(pair, "=")
	name, errName := url.QueryUnescape(escapedName)
	value, errValue := url.QueryUnescape(escapedValue)
	if errName != nil || errValue != nil || !utf8.ValidString(name) || !utf8.ValidString(value) {
		return "", "", invalid("Parameters must be percent-encoded UTF-8.")
	}
	return name, value, nil
}

// shownName quotes a name that a client made up, or its beginning.
func shownName(name string) string {
	const longest = 40 // characters: more than any parameter has
	line := []rune(cleantext.Line(name))
	if len(line) > longest {
		line = append(line[:longest], '…')
	}
	return `"` + string(line) + `"`
}

func names[T any](table []parameter[T], others []string) string {
	var all []string
	for _, p := range table {
		all = append(all, p.Name)
	}
	if all = append(all, others...); len(all) == 0 {
		return "none"
	}
	return strings.Join(all, ", ")
}

// newParameter returns a parameter that is neither required nor repeatable.
func newParameter[T any](
	name, doc string, schema *jsonschema.Schema, read func(into *T, text string) error,
) parameter[T] {
	return parameter[T]{openAPIParameter: openAPIParameter{name, "query", false, doc, schema}, read: read}
}

// errEmpty refuses a value that a client may have wanted to fill: a search without it would answer another question.
var errEmpty = errors.New("is empty")

// text is a parameter with a text that is not blank.
func text[T any](name, doc string, at func(*T) *string) parameter[T] {
	schema := &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1)}
	return newParameter(name, doc, schema, func(into *T, text string) error {
		if strings.TrimSpace(text) == "" {
			return errEmpty
		}
		*at(into) = text
		return nil
	})
}

// texts is a repeatable parameter with a text that is not blank.
func texts[T any](name, doc string, at func(*T) *[]string) parameter[T] {
	schema := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string", MinLength: jsonschema.Ptr(1)}}
	p := newParameter(name, doc, schema, func(into *T, text string) error {
		if strings.TrimSpace(text) == "" {
			return errEmpty
		}
		*at(into) = append(*at(into), text)
		return nil
	})
	p.many = true
	return p
}

// atMost limits the number of values of a repeatable parameter.
func atMost[T any](most int, p parameter[T]) parameter[T] {
	p.Schema.MinItems, p.Schema.MaxItems = jsonschema.Ptr(1), &most
	return p
}

// integer is a parameter with a whole number from lowest to highest.
func integer[T any](name, doc string, lowest, highest, fallback int, set func(*T, int)) parameter[T] {
	schema := &jsonschema.Schema{
		Type: "integer", Minimum: jsonschema.Ptr(float64(lowest)), Maximum: jsonschema.Ptr(float64(highest)),
		Default: fmt.Appendf(nil, "%d", fallback),
	}
	return newParameter(name, doc, schema, func(into *T, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < lowest || n > highest || strconv.Itoa(n) != text {
			return fmt.Errorf("must be a whole number from %d to %d", lowest, highest)
		}
		set(into, n)
		return nil
	})
}

// flag is a parameter that is true or false.
func flag[T any](name, doc string, at func(*T) *bool) parameter[T] {
	schema := &jsonschema.Schema{Type: "boolean", Default: []byte("false")}
	return newParameter(name, doc, schema, func(into *T, text string) error {
		if text != "true" && text != "false" {
			return fmt.Errorf("must be true or false")
		}
		*at(into) = text == "true"
		return nil
	})
}

// choice is a parameter with a few values, the first of which is the default.
func choice[T any, V ~string](name, doc string, values []V, at func(*T) *V) parameter[T] {
	schema := &jsonschema.Schema{Type: "string", Default: fmt.Appendf(nil, "%q", values[0])}
	words := make([]string, len(values))
	for i, v := range values {
		schema.Enum, words[i] = append(schema.Enum, string(v)), string(v)
	}
	return newParameter(name, doc, schema, func(into *T, text string) error {
		if !slices.Contains(values, V(text)) {
			return fmt.Errorf("must be one of %s", strings.Join(words, ", "))
		}
		*at(into) = V(text)
		return nil
	})
}

// readUUID parses a UUID in its usual form only.
func readUUID(text string) (uuid.UUID, bool) {
	id, err := uuid.Parse(text)
	return id, err == nil && len(text) == 36
}

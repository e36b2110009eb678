package httpapi

import (
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"lens/internal/errs"
	"lens/internal/lazyregexp"
	"lens/retrieval/query"
)

// excludePrefix begins the name of a parameter that leaves out what the filter of that name finds.
const excludePrefix = "not."

// filters returns the parameters of filters, and then of those that can also leave out.
func filters[T any](fields []query.Field, at func(*T) *query.Filter) []parameter[T] {
	var all, excluding []parameter[T]
	for _, d := range fields {
		all = append(all, filter(d.Param, d, false, at))
		if d.Excludable() {
			excluding = append(excluding, filter(excludePrefix+d.Param, d, true, at))
		}
	}
	return append(all, excluding...)
}

// filterOf returns the filter of a query.
func filterOf(q *query.Query) *query.Filter { return &q.Filter }

// filter is a parameter with a value of a filter, or several; with not, a turn must have none of them.
func filter[T any](name string, d query.Field, not bool, at func(*T) *query.Filter) parameter[T] {
	doc, schema, isList := d.Sentence(), d.Schema(), d.Many && d.Kind == query.Choice
	if not {
		doc = "Leaves out " + d.Doc + "."
	}
	if isList {
		doc += " Separate several by commas, or repeat the parameter."
	}
	if d.Many {
		schema.MaxItems = jsonschema.Ptr(query.MaxValues)
	}
	if d.Kind == query.Time {
		schema.Examples = []any{d.Example, "2024-05-03T14:00:00Z", "last 90d"}
	}
	p := newParameter(name, doc, schema, func(into *T, text string) error {
		values := []string{text}
		if isList {
			values = strings.Split(text, ",")
		}
		for _, value := range values {
			err := d.Set(at(into), value, not, time.Now())
			switch {
			case err != nil && d.Kind == query.Time && lostPlus().MatchString(value):
				return errLostPlus
			case err != nil:
				return err
			}
		}
		return nil
	})
	p.many = d.Many
	return p
}

// lostPlus matches a time whose offset began with a plus sign that was not encoded.
var lostPlus = lazyregexp.New(`\d[Tt]\d\d:\d\d\S* \d\d:?\d\d$`)

var errLostPlus = &errs.Error{
	Code: errs.Invalid, Op: "query", Message: "has a + that was not encoded, and means a space",
	Hint: "send %2B, or the time in UTC with Z",
}

// isFilter reports whether a parameter restricts a search in the archive.
func isFilter(name string) bool {
	name = strings.TrimPrefix(name, excludePrefix)
	return name == "phrase" || name == "without" ||
		slices.ContainsFunc(query.Filters, func(d query.Field) bool { return d.Param == name })
}

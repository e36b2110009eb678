package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema returns the JSON Schema of what a program gives for the filter: a value, or a list of them if Many.
func (d Field) Schema() *jsonschema.Schema {
	value := &jsonschema.Schema{Type: "string"}
	switch d.Kind {
	case Choice:
		for _, v := range d.Values {
			value.Enum = append(value.Enum, v)
		}
	case ID:
		value.Format = "uuid"
	case Switch:
		value.Type = "boolean"
	case Number:
		value.Type, value.Minimum, value.Maximum = "number", jsonschema.Ptr(0.0), jsonschema.Ptr(1.0)
	case Count:
		value.Type, value.Minimum, value.Maximum = "integer", jsonschema.Ptr(1.0), jsonschema.Ptr(float64(maxCount))
	case Text, Time, KeyValue:
	}
	if d.Many {
		return &jsonschema.Schema{Type: "array", Items: value}
	}
	return value
}

// Sentence is Doc as a sentence.
func (d Field) Sentence() string {
	first, size := utf8.DecodeRuneInString(d.Doc)
	return string(unicode.ToUpper(first)) + d.Doc[size:] + "."
}

// Excludable reports whether a program can name what the filter leaves out. It says no to a switch the other way.
func (d Field) Excludable() bool { return d.Negatable && d.Kind != Switch }

// ActivityFilters returns the filters that also restrict a count of all turns, where nothing is searched.
func ActivityFilters() []Field {
	return slices.DeleteFunc(slices.Clone(Filters), func(d Field) bool { return d.SearchOnly })
}

// WindowFilters returns the filters by time alone: those of topics, and of a retrieval of chunks, which takes any key
// of their metadata, too.
func WindowFilters() []Field {
	return slices.DeleteFunc(slices.Clone(Filters), func(d Field) bool { return d.Kind != Time })
}

// RetrieveParameters returns WindowFilters as GET /retrieve reads them, and nothing else does: both ends belong to
// the window. A day, a month or a year as its end lies inside as a whole, a time of day as the last microsecond.
func RetrieveParameters() []Field {
	fields := WindowFilters()
	for i := range fields {
		switch d := &fields[i]; d.Key {
		case "since":
			d.set = setSinceClosed
			d.Doc = "chunks modified at this time or later: 2024-05, 2024-05-03, 2024-05-03T14:00:00Z, yesterday, last 90d, " +
				"or a range such as 2024-05..2024-06, whose end is included"
		case "until":
			d.set = setUntilClosed
			d.Doc = "chunks modified at this time or earlier: it is included, and a day, a month or a year as a whole"
		}
	}
	return fields
}

// Params lists the names of filters in programs.
func Params(fields []Field) string {
	names := make([]string, len(fields))
	for i, d := range fields {
		names[i] = d.Param
	}
	return strings.Join(names, ", ")
}

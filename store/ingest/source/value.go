package source

import "slices"

// Value is a JSON value of a sample. The zero Value is a value that is not there.
type Value struct {
	kind   byte     // its first character, as in jsontext.Kind; 0: not there
	text   string   // of a string or number
	names  []string // of the members of an object
	values []Value  // members or elements
}

// Get returns the member of an object, the member of that and so on; the zero Value where there is none.
func (v Value) Get(path ...string) Value {
	for _, name := range path {
		i := slices.Index(v.names, name)
		if i < 0 || i >= len(v.values) {
			return Value{}
		}
		v = v.values[i]
	}
	return v
}

// Has reports whether an object has all these members, of whatever kind, also null.
func (v Value) Has(names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(v.names, name) })
}

// Names returns the names of the first members of an object.
func (v Value) Names() []string { return v.names }

// IsObject reports whether v is an object.
func (v Value) IsObject() bool { return v.kind == '{' }

// IsArray reports whether v is an array.
func (v Value) IsArray() bool { return v.kind == '[' }

// IsString reports whether v is a string.
func (v Value) IsString() bool { return v.kind == '"' }

// IsNumber reports whether v is a number.
func (v Value) IsNumber() bool { return v.kind == '0' }

// Text returns the beginning of a string, or a number as written; "" for anything else.
func (v Value) Text() string { return v.text }

// Elements returns the first elements of an array, or the values of the first members of an object.
func (v Value) Elements() []Value { return v.values }

// Any reports whether is holds for any of Elements.
func (v Value) Any(is func(Value) bool) bool { return slices.ContainsFunc(v.values, is) }

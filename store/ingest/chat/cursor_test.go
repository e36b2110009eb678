package chat

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestCursor_Lenient(t *testing.T) {
	c := NewCursor([]byte(` { "a" : "x\ty" , "b":12.5, "c":{"deep":["]","}"]}, "\u0064":true, "e":0.0, "f":null, "g":["p",1,null,"q"], "h":["left"] } `))
	got := map[string]any{}
	if !c.Object(func(name []byte) {
		switch string(name) {
		case "a", "b", "f":
			got[string(name)] = c.String()
		case "c":
			got["c"] = c.Time().IsZero()
		case "d":
			got["d"] = c.Bool()
		case "e":
			got["e"] = c.IsZero()
		case "g":
			got["g"] = c.Strings()
		}
	}) {
		t.Fatal("not an object")
	}
	want := map[string]any{"a": "x\ty", "b": "12.5", "c": true, "d": true, "e": true, "f": "", "g": []string{"p", "1", "", "q"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCursor_Span(t *testing.T) {
	c := NewCursor([]byte(`{"a": {"b" : [1, "}"]} , "z":2}`))
	c.Object(func(name []byte) {
		if string(name) != "a" {
			return
		}
		if got := string(c.Span(c.Skip)); got != `{"b" : [1, "}"]}` {
			t.Errorf("got %s", got)
		}
	})
}

// value reads any JSON value with a cursor, with the result of encoding/json.
func value(c *Cursor) any {
	switch {
	case c.Is('{'):
		object := map[string]any{}
		c.Object(func(name []byte) { object[Clean(string(name))] = value(c) })
		return object
	case c.Is('['):
		array := []any{}
		c.Array(func() { array = append(array, value(c)) })
		return array
	case c.Is('"'):
		return Clean(c.String())
	case c.Is('0'):
		return json.Number(c.String())
	case c.Is('n'):
		c.Skip()
		return nil
	}
	return c.Bool()
}

func FuzzCursor(f *testing.F) {
	for _, s := range []string{`{"a":[1,"x\n\u00e9\ud83e\udd86",{"b":null}],"c":-1e9}`, `[[],{},"\\\"","\/"]`, `"\ud800"`, `{"a`, `["x`, `{"a":}`, `]`, `{]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !jsontext.Value(data).IsValid(jsontext.AllowDuplicateNames(true)) {
			value(NewCursor(data)) // malformed input may give anything, but must end
			return
		}
		var want any
		dec := json.NewDecoder(bytesReader(data))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Skip()
		}
		if got := value(NewCursor(data)); !reflect.DeepEqual(got, scrubbed(want)) {
			t.Errorf("%q: got %v, want %v", data, got, want)
		}
	})
}

// scrubbed replaces NUL in a value from encoding/json, as Clean does.
func scrubbed(v any) any {
	switch v := v.(type) {
	case string:
		return Clean(v)
	case []any:
		for i := range v {
			v[i] = scrubbed(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, member := range v {
			clean[Clean(name)] = scrubbed(member)
		}
		return clean
	}
	return v
}

func TestCursor_Repeated(t *testing.T) {
	for json, want := range map[string]string{
		`"a\\b"`: `a\b`, `"known"`: "known", `"kn\u006fwn"`: "known", `"other"`: "other", `12`: "12", `null`: "", `{"known":1}`: "",
	} {
		for _, known := range []string{"known", "", `a\\b`, want} {
			c := NewCursor([]byte(json + `,"next"`))
			if got, next := c.Repeated(known), c.String(); got != want || next != "next" {
				t.Errorf("%s, %q is known: got %q and %q", json, known, got, next)
			}
		}
	}
}

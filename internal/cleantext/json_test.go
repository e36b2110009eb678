package cleantext_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"lens/internal/cleantext"
)

func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		"{\n\t\"a\": \"b\"\n}":       "{\n\t\"a\": \"b\"\n}",
		"\"\U000e0041\"":             `"\udb40\udc41"`,
		"\"\x7f\u009b\u202e\u2028\"": `"\u007f\u009b\u202e\u2028"`,
		"[1,\r\n2]":                  "[1, \n2]",
		"\"\xff\"":                   "\"\uFFFD\"",
	} {
		if got := cleantext.JSON(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// nasty draws strings in which runes that need sanitizing are frequent.
var nasty = rapid.StringOf(rapid.OneOf(
	rapid.Rune(),
	rapid.SampledFrom([]rune{0, 0x1b, '\r', '\n', 0x7f, 0x9b, 0x061c, 0x202e, 0x2028, 0x2069, 0xfff9, '\uFFFD', 0xe0001, 0xe0041, 0x1f600, '"', '\\'}),
))

func TestJSON_KeepsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		document := map[string]any{"list": []any{nasty.Draw(t, "item"), 1.5, nil}, nasty.Draw(t, "key"): nasty.Draw(t, "value")}
		var raw bytes.Buffer
		e := json.NewEncoder(&raw)
		e.SetEscapeHTML(false)
		e.SetIndent("", "\t")
		if err := e.Encode(document); err != nil {
			t.Fatal(err)
		}
		clean := cleantext.JSON(raw.String())
		var before, after any
		if err := json.Unmarshal(raw.Bytes(), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(clean), &after); err != nil {
			t.Fatalf("%q is not JSON: %v", clean, err)
		}
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("%q means %q, not %q", clean, after, before)
		}
		if again := cleantext.Text(clean); again != clean {
			t.Fatalf("%q is not clean", clean)
		}
	})
}

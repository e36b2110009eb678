package chat

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestAddBeside: added texts are found again, and the JSON stays an object within the limit.
func TestAddBeside(t *testing.T) {
	long := strings.Repeat("\n", MaxRaw/2) // a byte takes two in JSON
	for name, c := range map[string]struct {
		raw         string
		texts, want []Beside
	}{
		"an empty object":    {`{ }`, []Beside{{ID: "a", Text: "one"}}, []Beside{{ID: "a", Text: "one"}}},
		"an object":          {`{"text":"x"}`, []Beside{{ID: "a", Text: "\"1\""}, {ID: "b", Text: "two\n"}}, []Beside{{ID: "a", Text: "\"1\""}, {ID: "b", Text: "two\n"}}},
		"with a title":       {`{}`, []Beside{{"a", "one", "A", "document"}}, []Beside{{"a", "one", "A", "document"}}},
		"damaged text":       {`{"text":"x"}`, []Beside{{ID: "a", Text: "\xff\x00"}}, []Beside{{ID: "a", Text: "\uFFFD\uFFFD"}}},
		"one over the limit": {`{"text":"x"}`, []Beside{{ID: "a", Text: long}, {ID: "b", Text: "two"}}, []Beside{{ID: "b", Text: "two"}}},
		"all over the limit": {`{"text":"x"}`, []Beside{{ID: "a", Text: long}}, nil},
		"no texts":           {`{"text":"x"}`, nil, nil},
		"not an object":      {`[]`, []Beside{{ID: "a", Text: "one"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			raw, left := AddBeside([]byte(c.raw), c.texts)
			if !json.Valid(raw) || len(raw) > MaxRaw || left != len(c.texts)-len(c.want) {
				t.Errorf("%d bytes, %d left out: %.60s", len(raw), left, raw)
			}
			if got := BesideIn(raw); !slices.Equal(got, c.want) {
				t.Errorf("got %.60q, want %.60q", got, c.want)
			}
		})
	}
}

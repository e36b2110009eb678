package chat

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestAddBeside: what was added is found again, and the JSON stays an object within the limit.
func TestAddBeside(t *testing.T) {
	long := strings.Repeat("\n", MaxRaw/2) // a byte takes two in JSON
	for name, c := range map[string]struct {
		raw         string
		texts, want []Beside
	}{
		"an empty object":    {`{ }`, []Beside{{"a", "one"}}, []Beside{{"a", "one"}}},
		"an object":          {`{"text":"x"}`, []Beside{{"a", "\"1\""}, {"b", "two\n"}}, []Beside{{"a", "\"1\""}, {"b", "two\n"}}},
		"damaged text":       {`{"text":"x"}`, []Beside{{"a", "\xff\x00"}}, []Beside{{"a", "\uFFFD\uFFFD"}}},
		"one over the limit": {`{"text":"x"}`, []Beside{{"a", long}, {"b", "two"}}, []Beside{{"b", "two"}}},
		"all over the limit": {`{"text":"x"}`, []Beside{{"a", long}}, nil},
		"no texts":           {`{"text":"x"}`, nil, nil},
		"not an object":      {`[]`, []Beside{{"a", "one"}}, nil},
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

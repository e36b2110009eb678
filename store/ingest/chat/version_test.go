package chat

import (
	"encoding/json"
	"testing"

	"lens/store"
)

// An older text stays, whatever the JSON of either message is.
func TestFold_KeepsOlderTexts(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":1}`: `{"a":1,"lens_older":[%]}`,
		` {} `:    `{"lens_older":[%]}`,
		`"text"`:  `{"lens_raw":"text","lens_older":[%]}`,
		`[1]`:     `{"lens_raw":[1],"lens_older":[%]}`,
		`{"a":`:   `{"lens_raw":"{\"a\":","lens_older":[%]}`,
		``:        `{"lens_raw":"","lens_older":[%]}`,
	} {
		for oldRaw, kept := range map[string]string{`{"b":2}`: `{"b":2}`, `["tern"]`: `["tern"]`, `tern`: `"old tern"`} {
			older := []*store.Message{{Text: "old tern", Raw: []byte(oldRaw)}}
			wanted := want[:len(want)-len(`%]}`)] + kept + `]}`
			if got := string(withOlder([]byte(raw), older)); got != wanted || !json.Valid([]byte(got)) {
				t.Errorf("%s with %s: got %s", raw, oldRaw, got)
			}
		}
	}
}

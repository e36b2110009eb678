package mcpapi

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/agent/tools"
	"lens/retrieval"
)

// FuzzArguments holds that whatever a client sends as arguments, a tool gives a result that fits its schema, or a typed error with a next
// step; and that both are clean.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[]`, `{"query":"x"}`, `{"query":"x","top_k":1e400}`, `{"turn_id":"00000000"}`, `{"bin":"3d","start_time":"last 90d"}`,
		`{"start_time":"2024","end_time":"0001-01-01T00:00:00Z"}`, `{"bin":{"bin":{}}}`, `{"query":"\ud800"}`, "{\"query\":\"\xff\"}", `{"bin":"day","BIN":"week"}`,
		`{"turn_ids":["00000000","ff"]}`, `{"queries":["a","b"],"top_k":3,"not":{"title":"x"}}`, `{"queries":"a"}`,
		`{"phrases":["to be"],"without":"x","not":{"title":["a"]},"has_code":false}`, `{"sources":["claude"],"meta":"a=b","not":{}}`,
	} {
		f.Add([]byte(seed))
	}
	archive := newArchive()
	archive.turn.User = hostile
	s, _ := served(archive)
	entries := []toolEntry{
		{Tool: tools.NewActivity(archive), name: "activity", output: schemaOf[retrieval.ActivityBody]()},
		namedEntry(turnsEntry(archive)), namedEntry(compareEntry(archive)),
		namedEntry(topicsEntry(archive)), namedEntry(aboutEntry(archive)),
		{Tool: newSearch(finder{}), name: "search", output: schemaOf[searchOutput]()},
	}
	for _, t := range tools.New(archive, tools.Options{}) {
		entries = append(entries, entryFor(t))
	}
	f.Fuzz(func(t *testing.T, arguments []byte) {
		for _, entry := range entries {
			result, wrong := s.call(t.Context(), entry, arguments)
			text := textOf(t, result)
			if !utf8.ValidString(text) || result.IsError != (wrong != nil) || wrong != nil && wrong.Code == "internal" {
				t.Fatalf("%v: %q", wrong, text)
			}
			if result.IsError {
				if failure, ok := result.Meta[errorKey].(Failure); !ok || failure != *wrong || failure.Hint == "" {
					t.Fatalf("%v is typed as %v", wrong, result.Meta)
				}
				continue
			}
			mustFit(t, entry, result)
		}
	})
}

func namedEntry(e toolEntry) toolEntry {
	e.name = e.Spec().Name
	return e
}

func mustFit(t *testing.T, f toolEntry, result *mcp.CallToolResult) {
	t.Helper()
	var value any
	if err := json.Unmarshal(result.StructuredContent.(json.RawMessage), &value); err != nil {
		t.Fatal(err)
	}
	schema, err := f.output.CloneSchemas().Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Fatal(err)
	}
}

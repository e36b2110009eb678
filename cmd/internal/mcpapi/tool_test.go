package mcpapi

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/internal/errs"
	"lens/retrieval/offline"
	"lens/retrieval/query"
)

func TestTools_Descriptions(t *testing.T) {
	s, _ := served(newArchive())
	listed, err := connected(t, s).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		if schemaIn(t, tool.InputSchema).Schema().Properties == nil || tool.OutputSchema == nil || tool.Title == "" || tool.Description == "" {
			t.Errorf("%s says too little of itself", tool.Name)
		}
	}
	if got := strings.Join(names, " "); got != "about activity compare peek topics turn turns" {
		t.Errorf("tools %s", got)
	}
}

// schemaIn reads a schema as a client got it.
func schemaIn(t *testing.T, got any) *jsonschema.Resolved {
	t.Helper()
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

func TestTools_StructuredOutput(t *testing.T) {
	archive := newArchive()
	s, _ := served(archive)
	session := connected(t, s)
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]struct{ arguments, says, holds string }{
		"peek":     {`{"query":"flour","start_time":"2024-05","end_time":"2024-06","top_k":7}`, "Found 2 turns", `"total":2`},
		"turn":     {`{"turn_id":"00000000"}`, "Assistant: Rye.", `"assistant":"Rye."`},
		"turns":    {`{"turn_ids":["00000000","ffffffff"]}`, "Assistant: Rye.\n\nNo turn ID starts with ffffffff.\n</archive-", `"missing":["ffffffff"]`},
		"compare":  {`{"queries":["flour","yeast"],"bin":"month","title":"Bread"}`, "flour: 2 turns", `"query":"yeast"`},
		"topics":   {`{"bin":"month"}`, "7. flour · oven", `"label":"flour · oven"`},
		"about":    {`{"when":"2024"}`, "0 turns in 0 chats", `"titles":[]`},
		"activity": {`{"start_time":"2024","bin":"month"}`, "Some were left out.\n2 turns, 1 of them undated, by month; bins not listed are empty:\n2024-05: 1", `"notice":"Some were left out."`},
	}
	for _, tool := range listed.Tools {
		c := calls[tool.Name]
		result := call(t, session, tool.Name, c.arguments)
		if text := textOf(t, result); result.IsError || !strings.Contains(text, c.says) {
			t.Errorf("%s says %s", tool.Name, text)
		}
		if err := schemaIn(t, tool.OutputSchema).Validate(result.StructuredContent); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		if text, err := json.Marshal(result.StructuredContent); err != nil || !strings.Contains(string(text), c.holds) {
			t.Errorf("%s gives %s", tool.Name, text)
		}
	}
	want := query.Filter{Since: may.AddDate(0, 0, -2).Truncate(24 * time.Hour), Until: time.Date(2024, time.June, 1, 0, 0, 0, 0, time.UTC)}
	if q := archive.peeked; q.Text != "flour" || q.Limit() != 7 || !reflect.DeepEqual(q.Filter, want) {
		t.Errorf("peeked for %+v", q)
	}
	if q := archive.activity; q.Filter.Since.Year() != 2024 || !q.Filter.Until.IsZero() || q.Bin != "month" {
		t.Errorf("activity of %+v", q)
	}
}

func TestTools_Errors(t *testing.T) {
	unavailable := &errs.Error{Code: errs.Unavailable, Message: "the archive is locked by another program", Hint: "close it"}
	for name, c := range map[string]struct {
		tool, arguments string
		err             error
		code, says      string
	}{
		"no query":                     {"peek", `{}`, nil, "invalid", "query"},
		"no arguments":                 {"turn", `null`, nil, "invalid", "turn_id"},
		"an unknown argument":          {"activity", `{"since":"2024"}`, nil, "invalid", `no argument "since"; use start_time, end_time, sources,`},
		"a wrong type":                 {"activity", `{"bin":3}`, nil, "invalid", "bin"},
		"another case":                 {"activity", `{"BIN":"day"}`, nil, "invalid", `no argument "BIN"`},
		"no IDs":                       {"turns", `{"turn_ids":[]}`, nil, "invalid", "turn_ids"},
		"no list of IDs":               {"turns", `{}`, nil, "invalid", "turn_ids"},
		"too many IDs":                 {"turns", `{"turn_ids":["0` + strings.Repeat(`","0`, 50) + `"]}`, nil, "invalid", "turn_ids"},
		"no queries":                   {"compare", `{"bin":"month"}`, nil, "invalid", "queries is missing"},
		"an empty query":               {"compare", `{"queries":["x"," "]}`, nil, "invalid", "the query is empty"},
		"a list":                       {"activity", `[]`, nil, "invalid", "not a JSON object"},
		"no time":                      {"activity", `{"end_time":"soon"}`, nil, "invalid", "end_time is not a date or time"},
		"a huge number":                {"peek", `{"query":"x","top_k":1e400}`, nil, "invalid", "arguments"},
		"too much":                     {"peek", `{"query":"` + strings.Repeat("x", maxArguments) + `"}`, nil, "too_large", "shorten"},
		"an archive that is not there": {"activity", `{}`, unavailable, "unavailable", "Next step: close it."},
		"an unexpected error":          {"turn", `{"turn_id":"00000000"}`, errors.New("canary"), "internal", "internal error"},
	} {
		t.Run(name, func(t *testing.T) {
			archive := newArchive()
			archive.err = c.err
			s, _ := served(archive)
			result := call(t, connected(t, s), c.tool, c.arguments)
			text := textOf(t, result)
			if !result.IsError || result.StructuredContent != nil || !strings.HasPrefix(text, c.code+": ") || !strings.Contains(text, c.says) || !strings.Contains(text, "Next step: ") {
				t.Errorf("got %q", text)
			}
			if f, _ := result.Meta[errorKey].(map[string]any); f["code"] != c.code || f["next_step"] == "" {
				t.Errorf("typed as %v", result.Meta)
			}
			if strings.Contains(text, "canary") {
				t.Errorf("the cause is disclosed: %s", text)
			}
		})
	}
}

func TestLog_HoldsNoContent(t *testing.T) {
	for name, archive := range map[string]*fakeArchive{
		"found": newArchive(), "failed": {err: errors.New("canary")}, "panicked": {panic: true},
	} {
		archive.turn.User = "canary"
		s, log := served(archive)
		session := connected(t, s)
		call(t, session, "peek", `{"query":"canary"}`)
		call(t, session, "peek", `{"query":"x","canary":"canary"}`)
		call(t, session, "turn", `{"turn_id":"canary-canary"}`)
		_, _ = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "lens://turn/canary"})
		_, _ = session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "investigate", Arguments: map[string]string{"question": "canary"}})
		if strings.Contains(log.String(), "canary") || strings.Count(log.String(), "msg=mcp ") != 4 {
			t.Errorf("%s: logged %s", name, log)
		}
	}
}

func TestTools_Panic(t *testing.T) {
	archive := newArchive()
	archive.panic = true
	s, _ := served(archive)
	session := connected(t, s)
	if text := textOf(t, call(t, session, "activity", `{}`)); !strings.HasPrefix(text, "internal: internal error.") {
		t.Errorf("got %q", text)
	}
	if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "lens://turn/00000000"}); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("read with %v", err)
	}
	archive.panic = false
	if result := call(t, session, "activity", `{}`); result.IsError {
		t.Errorf("got %q", textOf(t, result))
	}
}

func TestTools_CanceledCall(t *testing.T) {
	archive := newArchive()
	archive.block, archive.ended = make(chan struct{}), make(chan struct{})
	s, _ := served(archive)
	session := connected(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-archive.block
		cancel()
	}()
	_, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "activity"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	<-archive.ended
}

// finder is an offline retriever that finds one file.
type finder struct{ err error }

func (f finder) Search(_ context.Context, query string, o offline.SearchOptions) (*offline.Found, error) {
	hit := offline.Hit{ChunkID: breadID, Filename: "bread.md", Modified: &may, Snippet: "Rye for " + query, ANN: 0.5, Keyword: 1, Parts: &offline.Parts{}}
	return &offline.Found{Decision: offline.Decision{QID: "q", Level: o.Level, Seq: 7}, Hits: []offline.Hit{hit}}, f.err
}

func TestSearchTool(t *testing.T) {
	s := New(Options{Engine: newArchive(), Offline: finder{}, Explain: explainAgent})
	session := connected(t, s)
	result := call(t, session, "search", `{"query":"bread","security":"strict"}`)
	if text := textOf(t, result); !strings.Contains(text, "\n1. chunk "+breadID.String()+", bread.md (modified 2024-05-03)\n   Rye for bread\n</archive-") {
		t.Errorf("says %s", text)
	}
	if err := schemaIn(t, schemaOf[searchOutput]()).Validate(result.StructuredContent); err != nil {
		t.Error(err)
	}
	if got := result.StructuredContent.(map[string]any); got["audit_seq"] != 7.0 || got["security"] != "strict" || got["note"] != dataNotice {
		t.Errorf("gives %v", got)
	}
	for _, wrong := range []string{`{}`, `{"query":1}`, `{"query":"x","top_k":3}`, `[]`} {
		if text := textOf(t, call(t, session, "search", wrong)); !strings.HasPrefix(text, "invalid: ") || !strings.Contains(text, "Next step: use query, k") {
			t.Errorf("%s: got %s", wrong, text)
		}
	}
}

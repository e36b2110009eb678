package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"lens/agent/tools"
	"lens/cmd/internal/mcpapi"
	"lens/internal/demo"
	"lens/internal/testenv"
	"lens/retrieval"
	"lens/retrieval/embed/embedtest"
	"lens/retrieval/embed/openai"
	"lens/retrieval/query"
	"lens/store/archivetest"
)

// variedArchive has turns of several sources, titles, models, tags and keys, some with code and branches, and vectors.
func variedArchive(t *testing.T) *retrieval.Engine {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"notes/acme/bread.md": "# Bread\n\nOur bread rises over night.",
		"notes/pond.md":       "# Pond\n\nBread for the ducks.",
		"breads.jsonl": `{"id":"1","text":"Bread number one.","meta":{"entity":"roll"},"modified":"2024-01-01"}` + "\n" +
			`{"id":"2","text":"Bread number two.","meta":{"entity":"loaf"},"modified":"2024-02-01"}` + "\n",
	} {
		path := filepath.Join(dir, name)
		testenv.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		testenv.Must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	st := archivetest.New(t, testenv.Demo(t, demo.Options{Turns: 300}), filepath.Join(dir, "notes"), filepath.Join(dir, "breads.jsonl"))
	server := embedtest.New(t, embedtest.Options{Dim: 64})
	model := openai.New(server.Client(), openai.Options{BaseURL: server.URL, Key: "key", Model: "scripted"})
	archivetest.Embed(t, st, model)
	engine := retrieval.New(st, model)
	testenv.Must(t, engine.MakeTopics(t.Context(), nil))
	return engine
}

// answered is what a front end says about a query.
type answered struct {
	Histogram struct{ Total int }
	Matches   []struct {
		TurnID uuid.UUID `json:"turn_id"`
		Score  *float64
	}
	Titles []retrieval.TitleMatch
}

// fronts asks the same of HTTP, MCP and the agent's tool.
type fronts struct {
	*service
	engine *retrieval.Engine
}

func startFronts(t *testing.T) fronts {
	t.Helper()
	engine := variedArchive(t)
	assistants := mcpapi.New(mcpapi.Options{Engine: engine})
	t.Cleanup(assistants.Close)
	return fronts{start(t, func(o *Options) {
		o.Engine, o.MCP = engineFunc(func() (*retrieval.Engine, error) { return engine, nil }), assistants.HTTP()
	}), engine}
}

// overMCP calls a tool.
func (f fronts) overMCP(tool string, arguments map[string]any) (a answered) {
	f.t.Helper()
	call, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	})
	testenv.Must(f.t, err)
	got := f.ask("POST", "/mcp", string(call), "Accept", kindJSON+", "+kindStream)
	var reply struct {
		Result struct {
			IsError    bool
			Structured answered `json:"structuredContent"`
		}
	}
	if err := json.Unmarshal(got.body, &reply); err != nil || got.status != http.StatusOK || reply.Result.IsError {
		f.t.Fatalf("%s with %v: %v, %d %s", tool, arguments, err, got.status, got.body)
	}
	return reply.Result.Structured
}

func (f fronts) overHTTP(path string, parameters url.Values) (a answered) {
	f.t.Helper()
	got := f.ask("GET", path+"?"+parameters.Encode(), "")
	if err := json.Unmarshal(got.body, &a); err != nil || got.status != http.StatusOK {
		f.t.Fatalf("%s with %s: %v, %d %s", path, parameters.Encode(), err, got.status, got.body)
	}
	return a
}

// peek returns the answer of all front ends, which are equal.
func (f fronts) peek(parameters url.Values, arguments map[string]any) answered {
	f.t.Helper()
	parameters.Set("top_k", "1000")
	parameters.Set("top_n_snippets", "100")
	arguments["top_k"], arguments["top_n_snippets"] = 1000, 100
	a, b := f.overHTTP("/retrieval/peek", parameters), f.overMCP("peek", arguments)
	if !reflect.DeepEqual(a, b) {
		f.t.Errorf("%v\nHTTP %+v\nMCP  %+v", arguments, a, b)
	}
	text, err := json.Marshal(arguments)
	testenv.Must(f.t, err)
	outcome, err := tools.New(f.engine, tools.Options{})[0].Call(f.t.Context(), text)
	testenv.Must(f.t, err)
	if p := outcome.Detail.(*retrieval.Peek); p.Histogram.Total != a.Histogram.Total || len(p.Matches) != len(a.Matches) || !reflect.DeepEqual(p.Titles, a.Titles) {
		f.t.Errorf("%v\nHTTP %+v\nthe agent's tool %+v", arguments, a, p)
	}
	return a
}

// inJSON returns the JSON value of what a filter takes.
func inJSON(d query.Field, value string) any {
	switch d.Kind {
	case query.Switch:
		return value == "true"
	case query.Number, query.Count:
		x, _ := strconv.ParseFloat(value, 64)
		return x
	}
	if d.Many {
		return []any{value}
	}
	return value
}

// TestFronts_EveryFilterNarrows asks each front end with each row of the table, by its parameter alone.
func TestFronts_EveryFilterNarrows(t *testing.T) {
	f := startFronts(t)
	const words = "bread sourdough docker server test"
	all := f.peek(url.Values{"query": {words}}, map[string]any{"query": words}).Histogram.Total
	everything := f.overHTTP("/retrieval/activity", url.Values{}).Histogram.Total
	values := map[string]string{
		"since": "2024", "until": "2024", "source": "documents", "kind": "document", "title": "bread", "topic": "1", "model": "gpt-4o", "role": "user",
		"has-code": "true", "branches": "true", "similarity": "0.3", "min-words": "20", "tag": "acme", "meta": "entity=roll",
		"conversation": f.conversationOf("sourdough").String(),
	}
	for _, d := range query.Filters {
		value, ok := values[d.Key]
		if !ok {
			t.Errorf("%s: add a value to this test that restricts its archive", d.Key)
			continue
		}
		for _, not := range []bool{false, true} {
			if not && !d.Excludable() {
				continue
			}
			name, arguments := d.Param, map[string]any{d.Param: inJSON(d, value)}
			if not {
				name, arguments = excludePrefix+d.Param, map[string]any{"not": map[string]any{d.Param: inJSON(d, value)}}
			}
			what := fmt.Sprintf("%s=%s", name, value)
			if !d.SearchOnly {
				turns := f.overHTTP("/retrieval/activity", url.Values{name: {value}}).Histogram.Total
				if other := f.overMCP("activity", arguments).Histogram.Total; turns != other || turns == everything || turns == 0 {
					t.Errorf("activity with %s: HTTP %d, MCP %d of %d", what, turns, other, everything)
				}
				alone := f.peek(url.Values{name: {value}}, arguments)
				if alone.Histogram.Total != turns || len(alone.Matches) == 0 || alone.Matches[0].Score != nil {
					t.Errorf("%s alone: %d of %d, %v", what, alone.Histogram.Total, turns, alone.Matches)
				}
			}
			arguments["query"] = words
			found := f.peek(url.Values{"query": {words}, name: {value}}, arguments)
			if found.Histogram.Total == all || found.Histogram.Total == 0 {
				t.Errorf("%s with a query: %d of %d", what, found.Histogram.Total, all)
			}
		}
	}
}

// conversationOf returns the conversation of the first match.
func (f fronts) conversationOf(text string) uuid.UUID {
	f.t.Helper()
	p, err := f.engine.Peek(f.t.Context(), query.Literal(text))
	if err != nil || len(p.Matches) == 0 {
		f.t.Fatalf("nothing found for %s: %v", text, err)
	}
	return p.Matches[0].Conversation
}

// TestFronts_PhrasesExclusionsAndTitles asks for everything that the table does not hold. A query is always literal.
func TestFronts_PhrasesExclusionsAndTitles(t *testing.T) {
	f := startFronts(t)
	bread := f.peek(url.Values{"query": {"bread"}}, map[string]any{"query": "bread"})
	if len(bread.Titles) == 0 || len(bread.Titles) > 5 {
		t.Errorf("titles %v", bread.Titles)
	}
	phrase := f.peek(url.Values{"phrase": {"bread rises"}}, map[string]any{"phrases": []any{"bread rises"}})
	if phrase.Histogram.Total != 1 {
		t.Errorf("the phrase is in %d turns", phrase.Histogram.Total)
	}
	without := f.peek(url.Values{"query": {"bread"}, "without": {"ducks", "over night"}},
		map[string]any{"query": "bread", "without": []any{"ducks", "over night"}})
	if without.Histogram.Total != bread.Histogram.Total-2 {
		t.Errorf("%d turns without two of %d", without.Histogram.Total, bread.Histogram.Total)
	}
	id := bread.Matches[0].TurnID.String()
	like := f.peek(url.Values{"like": {id}}, map[string]any{"like": id})
	if like.Histogram.Total == 0 || strings.Contains(fmt.Sprint(like.Matches), id) {
		t.Errorf("like %s: %v", id, like.Matches)
	}
	typed := `"bread rises" -ducks title:pond`
	literal := f.peek(url.Values{"query": {typed}}, map[string]any{"query": typed})
	if literal.Histogram.Total <= 1 {
		t.Errorf("%s is read as a person types it: %v", typed, literal)
	}
}

package tools

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

var update = flag.Bool("update", false, "rewrite golden files")

// fakeEngine returns fixed results and records its arguments.
type fakeEngine struct {
	peek  *retrieval.Peek
	err   error
	asked query.Query
}

func (a *fakeEngine) Peek(_ context.Context, q query.Query) (*retrieval.Peek, error) {
	a.asked = q
	return a.peek, a.err
}

func (a *fakeEngine) Turn(context.Context, string) (*retrieval.Turn, error) {
	return &retrieval.Turn{Title: "T", User: "u", Assistant: "a", Summary: "s"}, a.err
}

func month(year int, m time.Month) time.Time { return time.Date(year, m, 1, 0, 0, 0, 0, time.UTC) }

func somePeek() *retrieval.Peek {
	first := time.Date(2023, 11, 3, 10, 0, 0, 0, time.UTC)
	p := &retrieval.Peek{
		Mode: query.Hybrid,
		Histogram: retrieval.Histogram{Bin: "month", Total: 9, Undated: 1, Bins: []retrieval.HistogramBin{
			{Start: month(2023, 11), End: month(2023, 12), Count: 2, Baseline: 100, Share: .02},
			{Start: month(2023, 12), End: month(2024, 1), Baseline: 80},
			{Start: month(2024, 1), End: month(2024, 2), Count: 6, Baseline: 90, Share: 6. / 90},
		}},
		Peaks: []retrieval.Peak{{Start: month(2024, 1), End: month(2024, 2), Count: 6, Baseline: 90, Expected: 2.3}},
		Mentions: retrieval.Mentions{
			Count: 12, First: &retrieval.Mention{Time: first}, Last: &retrieval.Mention{Time: first.AddDate(0, 3, 0)},
			Silence: &retrieval.Silence{Since: first, Until: first.AddDate(0, 2, 0), Turns: 80},
		},
		Coverage: retrieval.Coverage{Candidates: 270, Embedded: .26, Truncated: true},
		Matches: []retrieval.Match{
			{Score: new(.91), Title: "Bread", Time: &first, UserSnippet: "why\ndoes it", AssistantSnippet: "because"},
			{Score: new(.9), Title: "Undated", AssistantSnippet: "gist", SnippetIsSummary: true},
		},
	}
	return p
}

func TestDescribe(t *testing.T) {
	const golden = "testdata/peek.golden"
	got := describe(somePeek()) + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestPeek_Arguments(t *testing.T) {
	a := &fakeEngine{peek: somePeek()}
	now := time.Date(2024, 6, 2, 12, 0, 0, 0, time.UTC)
	conversation := uuid.MustParse("3f2ab81c-0000-5000-8000-000000000001")
	outcome, err := New(a, Options{Now: now})[0].Call(t.Context(), json.RawMessage(
		`{"query":"bread","top_k":7,"start_time":"2024-05","end_time":"2024-06-01T00:00:00Z","bin":"week","conversation_id":"`+conversation.String()+`","top_n_snippets":0}`))
	if err != nil {
		t.Fatal(err)
	}
	want := query.Query{Text: "bread", TopK: new(7), Bin: "week", Snippets: new(0), Filter: query.Filter{Since: month(2024, 5), Until: month(2024, 6), Conversations: query.Values[uuid.UUID]{In: []uuid.UUID{conversation}}}}
	if !reflect.DeepEqual(a.asked, want) {
		t.Errorf("got %+v", a.asked)
	}
	if outcome.Gist != "9 turns, most (6) in 2024-01" || len(outcome.Found) != 2 || outcome.Detail != any(a.peek) {
		t.Errorf("got %+v", outcome)
	}
	if _, err := New(a, Options{Now: now, Conversation: conversation})[0].Call(t.Context(), json.RawMessage(`{"query":"bread","start_time":"yesterday"}`)); err != nil {
		t.Fatal(err)
	}
	want = query.Query{Text: "bread", Filter: query.Filter{Since: time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC), Conversations: want.Filter.Conversations}}
	if !reflect.DeepEqual(a.asked, want) {
		t.Errorf("got %+v", a.asked)
	}
}

func TestTools_InvalidArguments(t *testing.T) {
	tools := New(&fakeEngine{peek: somePeek()}, Options{Conversation: uuid.New()})
	for _, c := range []struct {
		tool            int
		arguments, says string
	}{
		{0, `{`, "not a JSON"},
		{0, `[]`, "not a JSON"},
		{0, `null`, "not a JSON"},
		{0, `"{\"query\": \"x\""`, "not a JSON"},
		{0, `{}`, "query"},
		{0, `{"query":""}`, "minLength"},
		{0, `{"query":1}`, "type"},
		{0, `{"query":"x","top_k":5000}`, "maximum"},
		{0, `{"query":"x","top_k":1.5}`, "type"},
		{0, `{"query":"x","top_n_snippets":-1}`, "minimum"},
		{0, `{"query":"x","url":"https://evil.example"}`, "url"},
		{0, `{"query":"x","start_time":"the day before"}`, "start_time is not a date or time; use 2024"},
		{0, `{"query":"x","conversation_id":"abc"}`, "conversation_id is not an ID"},
		{0, `{"query":"x","conversation_id":"3f2ab81c-0000-5000-8000-000000000001"}`, "only conversation"},
		{1, `{}`, "turn_id"},
		{1, `{"turn_id":"abc"}`, "minLength"},
		{1, `{"turn_id":7}`, "type"},
		{1, `{"turn_id":"9b1dc0de"}`, "only turns of conversation"},
	} {
		_, err := tools[c.tool].Call(t.Context(), json.RawMessage(c.arguments))
		var failure *errs.Error
		if !errors.As(err, &failure) || failure.Code != "invalid" || !strings.Contains(failure.Message, c.says) {
			t.Errorf("%s: got %v, want %q", c.arguments, err, c.says)
		}
	}
}

func TestPeek_SchemaMatchesEngine(t *testing.T) {
	var s struct {
		Properties map[string]struct{ Minimum, Maximum int }
	}
	if err := json.Unmarshal(peekJSON, &s); err != nil {
		t.Fatal(err)
	}
	if k := s.Properties["top_k"]; k.Minimum != 1 || k.Maximum != query.MaxTopK {
		t.Errorf("top_k is %+v", k)
	}
	if n := s.Properties["top_n_snippets"]; n.Minimum != 0 || n.Maximum != query.MaxSnippets {
		t.Errorf("top_n_snippets is %+v", n)
	}
	if len(s.Properties) != 7 {
		t.Errorf("%d arguments", len(s.Properties))
	}
}

func FuzzTools_Arguments(f *testing.F) {
	f.Add([]byte(`{"query":"x","top_k":3,"start_time":"2024-05","bin":"3d","top_n_snippets":0}`))
	f.Add([]byte(`{"turn_id":"3f2ab81c"}`))
	tools := New(&fakeEngine{peek: somePeek()}, Options{})
	f.Fuzz(func(t *testing.T, arguments []byte) {
		for _, tool := range tools {
			var failure *errs.Error
			if _, err := tool.Call(t.Context(), arguments); err != nil && !errors.As(err, &failure) {
				t.Fatalf("%s: %v", tool.Spec().Name, err)
			}
		}
	})
}

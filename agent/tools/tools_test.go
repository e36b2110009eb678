package tools

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/internal/bpe"
	"lens/internal/errs"
	"lens/retrieval"
	"lens/retrieval/query"
)

var update = flag.Bool("update", false, "rewrite golden files")

// fakeEngine returns fixed results and records its arguments.
type fakeEngine struct {
	peek  *retrieval.Peek
	turn  retrieval.Turn
	err   error
	asked query.Query
}

func (a *fakeEngine) Peek(_ context.Context, q query.Query) (*retrieval.Peek, error) {
	a.asked = q
	return a.peek, a.err
}

func (a *fakeEngine) Activity(_ context.Context, q query.Query) (*retrieval.Activity, error) {
	a.asked = q
	return &retrieval.Activity{}, a.err
}

func (a *fakeEngine) Turn(context.Context, string) (*retrieval.Turn, error) {
	return &a.turn, a.err
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
		Peaks:       []retrieval.Peak{{Start: month(2024, 1), End: month(2024, 2), Count: 6, Baseline: 90, Expected: 2.3}},
		Occurrences: &retrieval.Occurrences{Histogram: retrieval.Histogram{Bin: "month", Total: 31}},
		Mentions: retrieval.Mentions{
			Count: 12, First: &retrieval.Mention{Time: first}, Last: &retrieval.Mention{Time: first.AddDate(0, 3, 0)},
			Silence: &retrieval.Silence{Since: first, Until: first.AddDate(0, 2, 0), Turns: 80},
		},
		Coverage: retrieval.Coverage{Candidates: 270, Embedded: .26, Truncated: true},
		Matches: []retrieval.Match{
			{Score: new(.91), Title: "Bread", Time: &first, UserSnippet: "why\ndoes it", AssistantSnippet: "because"},
			{Score: new(.9), Title: "Undated", AssistantSnippet: "gist", SnippetIsSummary: true},
			{Title: "By time", UserSnippet: "without a score"},
		},
		Titles: []retrieval.TitleMatch{{Title: "Bread\nand butter"}, {Title: "Rye bread"}},
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

func TestDescribe_TitlesWithAWord(t *testing.T) {
	p := somePeek()
	p.TitleWord = "bread"
	if got, want := describe(p), "Conversations with “bread” in the title: Bread and butter"; !strings.Contains(got, want) {
		t.Errorf("got:\n%s\nwant: %s", got, want)
	}
}

func TestReport(t *testing.T) {
	const golden = "testdata/report.golden"
	p := somePeek()
	p.Peaks = append(p.Peaks, retrieval.Peak{Start: month(2023, 11), End: month(2023, 12), Count: 2, Expected: .5, P: .04},
		retrieval.Peak{Start: month(2024, 3), End: month(2024, 4), Count: 3, P: .01}, retrieval.Peak{Start: month(2024, 5), End: month(2024, 6), P: .05})
	p.Matches = append(p.Matches, retrieval.Match{Title: "![x](https://e.example) [1]", UserSnippet: "<b>"}, retrieval.Match{UserSnippet: strings.Repeat("long ", 99)}, retrieval.Match{Title: "sixth"})
	got := report(query.Query{Text: "rye [bread]", Phrases: []string{"in anger"}}, p) + "\n"
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("%v; got\n%s\nwant\n%s", err, got, want)
	}
	if got := report(query.Query{Like: "3f2a"}, &retrieval.Peek{}); got != "turns like 3f2a: nothing found." {
		t.Errorf("got %q", got)
	}
}

func TestPeek_Arguments(t *testing.T) {
	a := &fakeEngine{peek: somePeek()}
	now := time.Date(2024, 6, 2, 12, 0, 0, 0, time.UTC)
	conversation := uuid.MustParse("3f2ab81c-0000-5000-8000-000000000001")
	outcome, err := New(a, Options{Now: now})[0].Call(t.Context(), json.RawMessage(
		`{"query":"bread","top_k":7,"start_time":"2024-05","end_time":"2024-06-01T00:00:00Z","bin":"week","conversation_id":"`+conversation.String()+`","top_n_snippets":0,"dates":"soft"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := query.Query{Text: "bread", TopK: new(7), Bin: "week", Snippets: new(0), Dates: query.DatesSoft, Filter: query.Filter{Since: month(2024, 5), Until: month(2024, 6), Conversations: query.Values[uuid.UUID]{In: []uuid.UUID{conversation}}}}
	if !reflect.DeepEqual(a.asked, want) {
		t.Errorf("got %+v", a.asked)
	}
	if !reflect.DeepEqual(outcome.Asked, any(want)) {
		t.Errorf("front ends get %+v", outcome.Asked)
	}
	if outcome.Gist != "9 turns, most (6) in 2024-01" || len(outcome.Found) != 3 || outcome.Detail != any(a.peek) {
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

// Both the model and the user read that the archive hardly speaks of something.
func TestPeek_HardlySpokenOf(t *testing.T) {
	tool := peek{engine: demoEngine(t)}
	for text, want := range map[string]string{
		"sourdough starter": "", "sourdough elephants orchestra bicycle trumpet": "Your archive hardly speaks of this.",
	} {
		o, err := tool.Call(t.Context(), json.RawMessage(`{"query":"`+text+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		if o.Doubt != want || o.Confidence == nil || !strings.Contains(o.Text, want) || strings.Contains(o.Text, "hardly") != (want != "") {
			t.Errorf("%s: %q, %v, %s", text, o.Doubt, *o.Confidence, o.Text)
		}
	}
}

func TestTurn_ChunkHasTheIDOfRetrieve(t *testing.T) {
	id := uuid.MustParse("00000000-0000-4000-8000-000000000001")
	for want, chunk := range map[string]*retrieval.Chunk{"": nil, "record-7": {ID: "record-7"}, id.String(): {Filename: "notes.md"}} {
		engine := &fakeEngine{turn: retrieval.Turn{TurnID: id, Chunk: chunk}}
		o, err := (&turn{engine: engine}).Call(t.Context(), json.RawMessage(`{"turn_id":"`+id.String()+`"}`))
		if err != nil || o.Turn.Chunk != want {
			t.Errorf("%+v is chunk %q, want %q, %v", chunk, o.Turn.Chunk, want, err)
		}
	}
}

func TestTurn_SaysWhichAnswerItHas(t *testing.T) {
	answer := uuid.MustParse("00000000-0000-5000-8000-000000000002")
	for want, id := range map[string]*uuid.UUID{"": nil, answer.String(): &answer} {
		engine := &fakeEngine{turn: retrieval.Turn{AnswerID: id}}
		o, err := (&turn{engine: engine}).Call(t.Context(), json.RawMessage(`{"turn_id":"00000000"}`))
		if err != nil || o.Turn.Answer != want {
			t.Errorf("got %q, want %q, %v", o.Turn.Answer, want, err)
		}
	}
}

func TestPeek_AskedHasTheWholeID(t *testing.T) {
	found := somePeek()
	found.Like = uuid.MustParse("3f2ab81c-0000-5000-8000-000000000001")
	outcome, err := New(&fakeEngine{peek: found}, Options{})[0].Call(t.Context(), json.RawMessage(`{"like":"3f2ab"}`))
	if asked, ok := outcome.Asked.(query.Query); err != nil || !ok || asked.Like != found.Like.String() {
		t.Errorf("front ends get %+v, %v", outcome.Asked, err)
	}
}

func TestPeek_FilterArguments(t *testing.T) {
	id := uuid.MustParse("3f2ab81c-0000-5000-8000-000000000001")
	for _, c := range []struct {
		arguments string
		want      query.Query
	}{
		{`{"query":"-django title:x","top_k":null,"bin":"","conversation_id":"","title":[],"without":[""],"like":""}`, query.Literal("-django title:x")},
		{`{"phrases":["docker compose"],"without":["django","rest api"]}`, query.Query{Phrases: []string{"docker compose"}, Without: []string{"django", "rest api"}}},
		{`{"phrases":"docker compose","title":"invoice"}`, query.Query{Phrases: []string{"docker compose"}, Filter: query.Filter{Titles: query.Values[string]{In: []string{"invoice"}}}}},
		{`{"like":"3f2ab81c"}`, query.Query{Like: "3f2ab81c"}},
		{`{"has_code":false,"all_branches":true}`, query.Query{Filter: query.Filter{HasCode: new(false), Branches: true}}},
		{`{"query":"x","min_similarity":0.25,"role":"user"}`, query.Query{Text: "x", Filter: query.Filter{MinSimilarity: new(.25), Role: query.User}}},
		{`{"min_words":200}`, query.Query{Filter: query.Filter{MinWords: 200}}},
		{`{"meta":["entity=acme"],"not":{"sources":["claude","gemini"],"meta":"shelf=4","conversation_id":"` + id.String() + `"}}`, query.Query{Filter: query.Filter{
			Sources:       query.Values[string]{Not: []string{"claude", "gemini"}},
			Conversations: query.Values[uuid.UUID]{Not: []uuid.UUID{id}},
			Meta:          query.Values[query.Pair]{In: []query.Pair{{Key: "entity", Value: "acme"}}, Not: []query.Pair{{Key: "shelf", Value: "4"}}},
		}}},
	} {
		a := &fakeEngine{peek: somePeek()}
		if _, err := New(a, Options{})[0].Call(t.Context(), json.RawMessage(c.arguments)); err != nil || !reflect.DeepEqual(a.asked, c.want) {
			t.Errorf("%s: %v, asked %+v, want %+v", c.arguments, err, a.asked, c.want)
		}
	}
}

// TestTools_EveryFilterIsAnArgument adds nothing for a new row of the table: it is an argument by itself.
func TestTools_EveryFilterIsAnArgument(t *testing.T) {
	for _, d := range query.Filters {
		value := map[query.Kind]string{query.Switch: "true", query.Number: "0.5", query.Count: "200", query.ID: `"3f2ab81c-0000-5000-8000-000000000001"`}[d.Kind]
		if value == "" {
			value = strconv.Quote(d.Example)
		}
		for _, not := range []bool{false, true} {
			if not && !d.Excludable() {
				continue
			}
			arguments := fmt.Sprintf(`{"query":"x",%q:%s}`, d.Param, value)
			if not {
				arguments = fmt.Sprintf(`{"query":"x","not":{%q:%s}}`, d.Param, value)
			}
			a := &fakeEngine{peek: somePeek()}
			if _, err := New(a, Options{})[0].Call(t.Context(), json.RawMessage(arguments)); err != nil || len(d.Strings(a.asked.Filter)) != 1 {
				t.Errorf("peek %s: %v, asked %+v", arguments, err, a.asked)
			}
			a.asked = query.Query{}
			_, err := NewActivity(a).Call(t.Context(), json.RawMessage(strings.Replace(arguments, `"query":"x",`, "", 1)))
			if d.SearchOnly != (err != nil) || d.SearchOnly != (len(d.Strings(a.asked.Filter)) == 0) {
				t.Errorf("activity %s: %v, asked %+v", arguments, err, a.asked)
			}
		}
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
		{0, `{}`, "the query is empty"},
		{0, `{"top_k":5,"bin":"week"}`, "the query is empty"},
		{0, `{"query":""}`, "minLength"},
		{0, `{"query":1}`, "type"},
		{0, `{"query":"x","top_k":5000}`, "maximum"},
		{0, `{"query":"x","top_k":1.5}`, "type"},
		{0, `{"query":"x","top_n_snippets":-1}`, "minimum"},
		{0, `{"query":"x","url":"https://evil.example"}`, `no argument "url"; use query, phrases,`},
		{0, `{"QUERY":"x"}`, `no argument "QUERY"`},
		{0, `{"query":"x","sources":["web"]}`, "enum"},
		{0, `{"query":"x","sources":7}`, "type"},
		{0, `{"query":"x","has_code":"maybe"}`, "type"},
		{0, `{"query":"x","min_similarity":1.1}`, "maximum"},
		{0, `{"query":"x","min_words":0}`, "minimum"},
		{0, `{"query":"x","min_words":1000001}`, "maximum"},
		{0, `{"query":"x","min_words":2.5}`, "type"},
		{0, `{"query":"x","not":{"min_words":2}}`, `not has no filter "min_words"; use sources,`},
		{0, `{"query":"x","meta":["acme"]}`, "meta must be a key and a value; use a value such as entity=acme"},
		{0, `{"query":"x","end_time":"2023..2024"}`, "end_time takes one time"},
		{0, `{"query":"x","phrases":["!?"]}`, "a phrase has no word in it"},
		{0, `{"query":"x","not":{"sources":["web"]}}`, "not sources is unknown; use one of chatgpt"},
		{0, `{"query":"x","not":{"title":[{}]}}`, "not title must be a value"},
		{0, `{"query":"x","not":{"has_code":true}}`, `not has no filter "has_code"; use sources, kind, conversation_id,`},
		{0, `{"query":"x","like":"3f2ab81c"}`, "not both"},
		{0, `{"title":["bread"],"role":"user"}`, "a role says"},
		{0, `{"query":"x","start_time":"the day before"}`, "start_time is not a date or time; use 2024"},
		{0, `{"query":"x","conversation_id":"abc"}`, "conversation_id is not a complete ID; copy"},
		{0, `{"query":"x","conversation_id":"00000000-0000-0000-0000-000000000000"}`, "conversation_id is not a complete ID"},
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
	if err := json.Unmarshal(peekArguments().raw, &s); err != nil {
		t.Fatal(err)
	}
	if k := s.Properties["top_k"]; k.Minimum != 1 || k.Maximum != query.MaxTopK {
		t.Errorf("top_k is %+v", k)
	}
	if n := s.Properties["top_n_snippets"]; n.Minimum != 0 || n.Maximum != query.MaxSnippets {
		t.Errorf("top_n_snippets is %+v", n)
	}
	for _, raw := range []json.RawMessage{peekArguments().raw, activityArguments().raw} {
		if n := bpe.O200k().Count(string(raw)); n > 816 {
			t.Errorf("%d tokens are sent with every request: %s", n, raw)
		}
	}
}

func FuzzTools_Arguments(f *testing.F) {
	f.Add([]byte(`{"query":"x","top_k":3,"start_time":"2024-05","bin":"3d","top_n_snippets":0}`))
	f.Add([]byte(`{"turn_id":"3f2ab81c"}`))
	f.Add([]byte(`{"phrases":"to be","without":["x"],"title":["a","",null],"has_code":false,"min_similarity":1e-7,"not":{"sources":"claude"}}`))
	f.Add([]byte(`{"like":"3f2ab81c","sources":["claude"],"meta":["a=b"],"not":{"meta":["c=d"],"conversation_id":null},"role":"","end_time":null}`))
	tools := append(New(&fakeEngine{peek: somePeek()}, Options{}), NewActivity(&fakeEngine{}))
	f.Fuzz(func(t *testing.T, arguments []byte) {
		for _, tool := range tools {
			var failure *errs.Error
			if _, err := tool.Call(t.Context(), arguments); err != nil && !errors.As(err, &failure) {
				t.Fatalf("%s: %v", tool.Spec().Name, err)
			}
		}
	})
}

// A model reads what the command line prints: more or less than usual is said where the engine says so.
func TestAbout_MoreAndLessThanUsual(t *testing.T) {
	got := describeAbout(&retrieval.About{Turns: 100, Conversations: 20, Others: 500, Topics: []retrieval.AboutTopic{
		{ID: 1, Label: "Rust", Title: "Borrowing", Turns: 40, Share: .4, Usual: .1, Z: 3, Unusual: true},
		{ID: 2, Label: "Oven", Title: "Bread", Turns: 10, Share: .1, Usual: .2, Z: 3},
		{ID: 3, Label: "Letters", Title: "To the city", Turns: 2, Share: .02, Usual: .3, Z: -2.5, Less: true},
	}})
	want := `100 turns in 20 chats
1. Rust ("Borrowing"): 40 turns, 40%; usually 10%; more than usual
2. Oven ("Bread"): 10 turns, 10%; usually 20%
3. Letters ("To the city"): 2 turns, 2%; usually 30%; less than usual`
	if got != want {
		t.Errorf("it says\n%s", got)
	}
}

package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lens/internal/errs"
)

var errDown = &errs.Error{Code: errs.Unavailable, Op: "test", Message: "the model is down"}

// reportingPeek is a fakePeek whose outcomes have a report and a histogram of their own.
type reportingPeek struct{ fakePeek }

func (p reportingPeek) Call(ctx context.Context, arguments json.RawMessage) (Outcome, error) {
	o, err := p.fakePeek.Call(ctx, arguments)
	if err == nil {
		o.Report, o.Histogram = "report of "+string(arguments), "histogram of "+string(arguments)
	}
	return o, err
}

// reportingTools are tools for n turns with a reportingPeek.
func reportingTools(n int) []Tool {
	tools := fakeTools(n)
	tools[0] = reportingPeek{tools[0].(fakePeek)}
	return tools
}

// partial returns the only Partial of a run, which must come last and before an error.
func (h recorded) partial(t *testing.T) Partial {
	t.Helper()
	if len(h.events) > 0 && h.err != nil {
		if p, ok := h.events[len(h.events)-1].(Partial); ok && len(all[Partial](h)) == 1 && p.Truncated {
			return p
		}
	}
	t.Fatalf("ended with %v after %v", h.err, h.kinds())
	return Partial{}
}

func TestPartial_KeepsEverythingFound(t *testing.T) {
	m := &fakeModel{messages: []fakeMessage{
		{text: "I look.", calls: []Call{call("a", ToolPeek, `{"query":"x"}`), call("b", "shell", `{}`)}},
		{calls: []Call{call("c", ToolPeek, `{"query":"y"}`), hydrate(7), hydrate(2)}},
		{text: "Half [2] an ans", err: errDown},
	}}
	h := record(context.Background(), Request{Model: m, Tools: reportingTools(7), Messages: question("?")})
	p := h.partial(t)
	if !errors.Is(h.err, errDown) || p.Text != "Half [2] an ans" || p.Report || len(p.Citations) != 1 || p.Citations[0].TurnID != "t2" {
		t.Errorf("%v: got %q, cites %+v", h.err, p.Text, p.Citations)
	}
	if got := fmt.Sprint(p.Histograms); got != `[histogram of {"query":"x"} histogram of {"query":"y"}]` {
		t.Errorf("histograms %s", got)
	}
	if len(p.Turns) != 2 || p.Turns[0].TurnID != "t7" || p.Turns[1].N != 2 || p.Turns[1].Title != "Title t2" {
		t.Errorf("read %+v", p.Turns)
	}
	if fmt.Sprint(p.Best) != "[t1 t2 t3 t4 t5]" || len(p.Trace) != 5 || p.Trace[1].Error == nil || p.Usage.Rounds != 3 || p.Model != "fake" {
		t.Errorf("found %v, traced %+v, used %+v", p.Best, p.Trace, p.Usage)
	}
}

func TestPartial_ReportWhereTheModelSaidNothing(t *testing.T) {
	const head = "The model gave no answer. This is what Lens found in the archive.\n\n"
	const read = "Turns that the model read:\n\n- [1] undated, Title t2"
	for name, c := range map[string]struct {
		messages []fakeMessage
		want     string
		steps    int
	}{
		"before any call":    {[]fakeMessage{{err: errDown}}, head + `report of {"dates":"soft","query":"bread?"}`, 1},
		"only a thought":     {[]fakeMessage{{thought: "hm", err: errDown}}, head + `report of {"dates":"soft","query":"bread?"}`, 1},
		"an empty answer":    {[]fakeMessage{{finish: Filtered}}, head + `report of {"dates":"soft","query":"bread?"}`, 1},
		"after a peek":       {[]fakeMessage{{calls: []Call{call("a", ToolPeek, `{"query":"x"}`)}}, {err: errDown}}, head + `report of {"query":"x"}`, 1},
		"after reading":      {[]fakeMessage{{calls: []Call{call("a", ToolPeek, `{"query":"x"}`), hydrate(2)}}, {err: errDown}}, head + "report of {\"query\":\"x\"}\n\n" + read, 2},
		"same peek twice":    {append(peeks(1)[:1], append(peeks(1)[:1], fakeMessage{err: errDown})...), head + `report of {"query":"0"}`, 2},
		"more than it shows": {append(peeks(6)[:6], fakeMessage{err: errDown}), head + reportsOf("2", "3", "4", "5"), 6},
	} {
		t.Run(name, func(t *testing.T) {
			h := record(context.Background(), Request{Model: &fakeModel{messages: c.messages}, Tools: reportingTools(2), Messages: question("bread?")})
			p := h.partial(t)
			if !p.Report || p.Text != c.want || len(p.Trace) != c.steps || len(p.Citations) != len(p.Turns) {
				t.Errorf("got %q after %d steps, cites %+v\nwant %q", p.Text, len(p.Trace), p.Citations, c.want)
			}
			if calls, results := all[ToolCall](h), all[ToolResult](h); len(calls) != c.steps || len(results) != c.steps || h.shownText() != "" {
				t.Errorf("%d calls, %d results, shown %q", len(calls), len(results), h.shownText())
			}
		})
	}
}

func reportsOf(queries ...string) string {
	all := make([]string, len(queries))
	for i, q := range queries {
		all[i] = fmt.Sprintf(`report of {"query":%q}`, q)
	}
	return strings.Join(all, "\n\n")
}

func TestPartial_NoReport(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	down := &fakeModel{messages: []fakeMessage{{err: errDown}}}
	for name, c := range map[string]struct {
		ctx   context.Context
		tools []Tool
	}{
		"without tools":   {context.Background(), nil},
		"canceled":        {canceled, reportingTools(1)},
		"a failing store": {context.Background(), []Tool{brokenPeek{}}},
	} {
		t.Run(name, func(t *testing.T) {
			h := record(c.ctx, Request{Model: down, Tools: c.tools, Messages: question("bread?")})
			if p := h.partial(t); p.Report || p.Text != "" || len(p.Trace) > 0 || h.err == errStore {
				t.Errorf("%v, got %+v", h.err, p)
			}
		})
	}
}

var errStore = errors.New("the store is gone")

type brokenPeek struct{ fakePeek }

func (brokenPeek) Call(context.Context, json.RawMessage) (Outcome, error) { return Outcome{}, errStore }

func TestPartial_QuestionTooLong(t *testing.T) {
	m := &fakeModel{messages: []fakeMessage{{text: "?"}}}
	h := record(context.Background(), Request{Model: m, Tools: reportingTools(1), Messages: question(strings.Repeat("größer ", 100_000))})
	p := h.partial(t)
	var searched struct{ Query string }
	if err := json.Unmarshal(p.Trace[0].Arguments, &searched); err != nil || errs.CodeOf(h.err) != "too_large" || !p.Report || len(m.prompts) > 0 {
		t.Errorf("%v, %v, %d requests, %q", err, h.err, len(m.prompts), p.Text)
	}
	if n := len(searched.Query); n > maxSearchBytes || n < maxSearchBytes-4 || strings.ContainsRune(searched.Query, '�') {
		t.Errorf("searched %d bytes", n)
	}
}

func TestPartial_TimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := record(context.Background(), Request{Model: &silentModel{}, Tools: reportingTools(1), Messages: question("bread?"), Budget: Budget{Time: time.Minute}})
		if p := h.partial(t); !p.Report || !strings.Contains(h.err.Error(), "took too long") {
			t.Errorf("%v, %+v", h.err, p)
		}
		began := time.Now()
		h = record(context.Background(), Request{Model: &fakeModel{messages: []fakeMessage{{err: errDown}}}, Tools: []Tool{stuckPeek{}}, Messages: question("bread?")})
		if p := h.partial(t); p.Report || time.Since(began) != reportTime {
			t.Errorf("%+v after %v", p, time.Since(began))
		}
	})
}

type stuckPeek struct{ fakePeek }

func (stuckPeek) Call(ctx context.Context, _ json.RawMessage) (Outcome, error) {
	<-ctx.Done()
	return Outcome{}, ctx.Err()
}

func TestInline(t *testing.T) {
	for text, want := range map[string]string{
		"a\n b\tc":                          "a b c",
		"See [1], 【2】 and &#91;3]":          "See (1), (2) and +#91;3)",
		"![x](https://e.example) <img> `y`": "!(x)(https://e.example) ‹img› 'y'",
		"größere Wörter":                    "größere W…",
	} {
		limit := 80
		if strings.HasSuffix(want, "…") {
			limit = 10
		}
		if got := Inline(text, limit); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestExchange_HearsHowTheAnswerEnded(t *testing.T) {
	found := Findings{Turns: []Citation{{N: 1, TurnID: "read"}}, Best: []string{"best"}}
	var partial, done Exchange
	partial.Hear(Text{"no"})
	partial.Hear(Partial{Text: "Found.", Report: true, Truncated: true, Citations: []Citation{{TurnID: "cited"}}, Findings: found, Model: "m"})
	done.Hear(Done{Answer: "So.", Truncated: true, Finish: Length, Model: "m", Read: []string{"a"}})
	if partial.Answer != "Found." || !partial.Truncated || !partial.Report || partial.Model != "m" || fmt.Sprint(partial.Turns()) != "[cited best read]" {
		t.Errorf("partial %+v has turns %v", partial, partial.Turns())
	}
	if done.Answer != "So." || !done.Truncated || done.Finish != Length || done.Findings != nil || fmt.Sprint(done.Turns()) != "[a]" {
		t.Errorf("done %+v", done)
	}
	history := Session{Exchanges: []Exchange{partial, done}}.Messages()
	if len(history) != 2 || history[1].Text != "So." {
		t.Errorf("the model is sent %+v", history)
	}
}

package chat

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"lens/agent"
	"lens/retrieval"
	"lens/retrieval/query"
	"lens/tui/theme"
	"lens/tui/ui/uitest"
)

var (
	mono = theme.New(theme.Mono, 0)
	noon = uitest.Noon
)

// asWritten renders Markdown as its own lines.
func asWritten(text string, width int, _ theme.Theme) []string {
	return strings.Split(strings.TrimRight(ansi.Hardwrap(text, width, true), "\n"), "\n")
}

// shown draws everything and returns the text of the pane.
func shown(p *Transcript, width, height int) string {
	if d, ok := p.Undrawn(width, mono); ok {
		d.Draw(asWritten).Put()
	}
	p.Lay(width, height, noon, mono)
	return uitest.Text(p.View(width, height, mono))
}

func peekCall(id, arguments string) agent.ToolCall {
	return agent.ToolCall{ID: id, Tool: agent.ToolPeek, Arguments: json.RawMessage(arguments)}
}

func citation(n int) agent.Citation {
	day := time.Date(2024, 4, n, 9, 0, 0, 0, time.UTC)
	return agent.Citation{N: n, TurnID: fmt.Sprint("turn ", n), Title: "Notes", Time: &day}
}

func month(year int, m time.Month) time.Time { return time.Date(year, m, 1, 0, 0, 0, 0, time.UTC) }

// investigated returns an exchange with every kind of event.
func investigated() *Exchange {
	e := &Exchange{Question: "When did I first hit it?", Asked: noon}
	for _, event := range []agent.Event{
		agent.RoundStarted{Round: 1},
		agent.Text{Text: "Let me look."},
		agent.Withdrawn{Reason: "aside"},
		peekCall("1", `{"query": "select drop bug"}`),
		agent.ToolResult{ID: "1", Tool: agent.ToolPeek, Gist: "400 turns", Took: 41},
		peekCall("2", `{"query": "select drop bug", "start_time": "2024-04", "end_time": "2024-06"}`),
		agent.ToolResult{ID: "2", Tool: agent.ToolPeek, Gist: "37 turns", Took: 2.2, Asked: query.Query{
			Text: "select drop bug", Filter: query.Filter{Since: month(2024, 4), Until: month(2024, 6)},
		}},
		peekCall("3", `{"query"`),
		agent.ToolResult{ID: "3", Tool: agent.ToolPeek, Error: &agent.ToolError{Code: "invalid", Message: "no JSON"}},
		agent.ToolCall{ID: "4", Tool: agent.ToolTurn, Arguments: json.RawMessage(`{"turn_id": "x"}`)},
		agent.ToolResult{ID: "4", Tool: agent.ToolTurn, Gist: "2024-04-01 Notes", N: 1, Took: 0.2},
		agent.Text{Text: "First on 2024-04-01 [1]"},
		agent.Cited{Citation: citation(1)},
		agent.Text{Text: ", and a[1] is no source."},
	} {
		e.Hear(event, noon)
	}
	return e
}

func TestTranscript_SaysWhyItWaits(t *testing.T) {
	e := &Exchange{Question: "When?", Asked: noon.Add(-7 * time.Second)}
	p := &Transcript{exchanges: []*Exchange{e}}
	for _, wait := range []string{"Retrying in 20 s (2 of 10).", "Waiting for the first token, 5 s."} {
		e.Hear(agent.Notice{Code: agent.NoticeWaiting, Message: wait}, noon)
		if got := shown(p, 40, 8); strings.Count(got, wait) != 1 || !strings.Contains(got, "thinking, 7 s") {
			t.Errorf("shows %q, want %q", got, wait)
		}
	}
	if got := shown(p, 40, 8); strings.Contains(got, "Retrying") {
		t.Errorf("shows %q, want only the latest", got)
	}
	if got := shown(p, 20, 8); !strings.Contains(strings.Join(strings.Fields(got), " "), "Waiting for the first token, 5 s.") {
		t.Errorf("cuts the notice: %q", got)
	}
	e.Hear(agent.RoundStarted{Round: 1}, noon)
	if got := shown(p, 40, 8); strings.Contains(got, "Waiting") || !strings.Contains(got, "thinking") {
		t.Errorf("shows %q after the wait", got)
	}
	e.Hear(agent.Notice{Code: agent.NoticeWaiting, Message: "Waiting."}, noon)
	e.Hear(agent.Notice{Code: "one_pass", Message: "A single search."}, noon)
	e.Stop()
	if got := shown(p, 40, 8); !strings.Contains(got, "A single search.") || strings.Contains(got, "Waiting") {
		t.Errorf("shows %q, want the notice that is no wait", got)
	}
}

func TestTranscript_ShowsEventsLineByLine(t *testing.T) {
	e := investigated()
	p := &Transcript{exchanges: []*Exchange{e}}
	want := `When did I first hit it?
  ✓ searched  “select drop bug” · 400 turns                              41 ms
  ✓ zoomed    “select drop bug” Apr 2024 – May 2024 · 37 turns            2 ms
  ✗ searched  refused: no JSON
  ✓ read      [1] 2024-04-01 Notes                                        1 ms

First on 2024-04-01 [1], and a[1] is no source.`
	if got := shown(p, 78, 20); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	e.Hear(agent.Done{Answer: "On 2024-04-01 [1].", Citations: []agent.Citation{citation(1)}, Model: "gpt-4o", Removed: []string{"[9]"}, Usage: agent.Usage{Rounds: 3, Turns: 1, Took: 2100}}, noon)
	want = `When did I first hit it?
✓ 4 steps · 1 turn read · 1 refused · 2.1 s

On 2024-04-01 [1].
Removed 1 citation to a turn it hadn't read

Sources ──────────────────────────────────────────────────────────────────────
[1]  1 Apr 2024  Notes`
	if got := shown(p, 78, 20); got != want {
		t.Errorf("folded, got\n%s\nwant\n%s", got, want)
	}
	p.ToggleFold()
	if got := strings.Split(shown(p, 78, 20), "\n"); got[1] != "✓ 4 steps · 1 turn read · 1 refused · 2.1 s" || !strings.HasPrefix(got[2], "  ✓ searched") {
		t.Errorf("unfolded, got\n%s", strings.Join(got, "\n"))
	}
}

// Of 500 calls in a round eight run. The others need one line, as long as they are in progress, too.
func TestTranscript_ManyCallsInARound(t *testing.T) {
	e := &Exchange{Question: "When?", Asked: noon}
	p := &Transcript{exchanges: []*Exchange{e}}
	for i := range 500 {
		e.Hear(peekCall(fmt.Sprint(i), fmt.Sprintf(`{"query": "word %d"}`, i)), noon)
	}
	lines := func(want string) {
		t.Helper()
		got := strings.Split(shown(p, 78, 40), "\n")
		if len(got) != 10 || !strings.Contains(got[8], "word 7") || got[9] != want {
			t.Errorf("got\n%s\nwant at the end\n%s", strings.Join(got, "\n"), want)
		}
	}
	lines("  … 492 more")
	e.Stop()
	if got := shown(p, 78, 40); !strings.Contains(got, "\n✗ 500 steps\n") {
		t.Errorf("stopped, got\n%s", got)
	}
	p.ToggleFold()
	if got := shown(p, 78, 40); !strings.Contains(got, "\n  ✗ 492 more were interrupted\nstopped") {
		t.Errorf("stopped and unfolded, got\n%s", got)
	}
	e.State = Running
	for i := range 500 {
		result := agent.ToolResult{ID: fmt.Sprint(i), Tool: agent.ToolPeek, Gist: "no turns"}
		if i >= 8 {
			result.Error = &agent.ToolError{Code: "budget", Message: "at most 8 calls run in one round"}
		}
		e.Hear(result, noon)
	}
	e.Hear(agent.Text{Text: "\n"}, noon)
	lines("  ✗ 492 more were refused: at most 8 calls run in one round")
	for i := range 500 {
		e.Steps[i].state, e.Steps[i].Refused = refused, "no JSON"
	}
	if got := shown(p, 78, 40); !strings.Contains(got, "\n  ✗ 500 calls were refused: no JSON") {
		t.Errorf("all refused, got\n%s", got)
	}
	e.Hear(agent.Done{}, noon)
	p.ToggleFold()
	if got := shown(p, 78, 40); !strings.Contains(got, "✗ 500 steps · 500 refused") {
		t.Errorf("folded, got\n%s", got)
	}
}

func TestExchange_Endings(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*Exchange)
		want []string
		kept string
	}{
		"stopped":   {(*Exchange).Stop, []string{"First on", "stopped (r asks again)"}, agent.BrokenByPerson},
		"failed":    {func(e *Exchange) { e.Fail("it broke off", "") }, []string{"First on", "error: it broke off", "r asks again"}, agent.BrokenByError},
		"with hint": {func(e *Exchange) { e.Fail("no key", "set one") }, []string{"error: no key", "set one"}, agent.BrokenByError},
		"partial":   {func(e *Exchange) { e.Hear(agent.Partial{Text: "First, whole"}, noon); e.Fail("cut", "") }, []string{"First, whole"}, agent.BrokenByError},
		"cut":       {func(e *Exchange) { e.Hear(agent.Done{Answer: "Half.", Truncated: true, Finish: agent.Length}, noon) }, []string{"Half.", "The answer was cut at the model's output limit."}, ""},
		"withheld":  {func(e *Exchange) { e.Hear(agent.Done{Answer: "Half.", Truncated: true, Finish: agent.Filtered}, noon) }, []string{"Half.", "withheld the rest"}, ""},
		"done":      {func(e *Exchange) { e.Hear(agent.Done{Answer: "Done."}, noon); e.Stop(); e.Fail("late", "") }, []string{"Done."}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := investigated()
			c.end(e)
			got := shown(&Transcript{exchanges: []*Exchange{e}, Retry: "r"}, 60, 30)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			if k := e.Keep(); k.Broken != c.kept || k.Question != e.Question || k.Answer != e.Answer() {
				t.Errorf("kept is %+v", k)
			}
			if k := e.Keep(); k.Truncated != (name != "done") || k.Finish.Cuts() != (name == "cut" || name == "withheld") {
				t.Errorf("kept as truncated %t, finished by %q", k.Truncated, k.Finish)
			}
			if again := shown(&Transcript{exchanges: []*Exchange{Kept(e.Keep())}}, 60, 30); !strings.Contains(again, e.Finish.Explain()) {
				t.Errorf("what was kept does not say that it was cut:\n%s", again)
			}
			if k := Kept(e.Keep()); k.Failure != e.Failure {
				t.Errorf("failed because %q, kept because %q", e.Failure, k.Failure)
			}
			if again := shown(&Transcript{exchanges: []*Exchange{Kept(e.Keep())}}, 60, 30); !strings.Contains(again, strings.TrimSpace(strings.SplitN(e.Answer(), "[", 2)[0])) {
				t.Errorf("what was kept shows as\n%s", again)
			}
		})
	}
}

func TestExchange_KeepsFindings(t *testing.T) {
	e := investigated()
	const hostile = "\x1b[2JBread"
	found := agent.Findings{
		Histograms: []any{"a histogram"}, Turns: []agent.Citation{{N: 1, TurnID: "a", Title: hostile}}, Best: []string{"b"},
		Trace: []agent.Step{{Tool: "peek", Gist: hostile, Arguments: json.RawMessage(`{"query":"\u001b[2J"}`), Error: &agent.ToolError{Message: hostile}}},
	}
	e.Hear(cleanEvent(agent.Partial{Text: "Found bread.", Report: true, Model: hostile, Findings: found}), noon)
	e.Fail("it broke off", "")
	kept := e.Keep()
	session := cleanSession(agent.Session{Exchanges: []agent.Exchange{{Report: true, Answer: "Found bread.", Findings: &found}}})
	for name, k := range map[string]agent.Exchange{"kept": kept, "kept again": Kept(kept).Keep(), "loaded": Kept(session.Exchanges[0]).Keep()} {
		if !k.Report || k.Answer != "Found bread." || k.Findings == nil || len(k.Findings.Histograms) != 1 || len(k.Turns()) != 2 {
			t.Fatalf("%s: %+v", name, k)
		}
		text, err := json.Marshal(k)
		if err != nil || strings.Contains(string(text), `\u001b`) {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
}

// The report of a failed answer lists the turns that were read. They can be opened, but are not listed again.
func TestExchange_ReportListsTurnsOnce(t *testing.T) {
	e := investigated()
	cited := []agent.Citation{{N: 1, TurnID: "a", Title: "Bread"}}
	e.Hear(agent.Partial{
		Text: "Turns that the model read:\n\n- [1] 2024-05-03, Bread", Report: true, Model: "gemma",
		Citations: cited, Findings: agent.Findings{Turns: cited},
	}, noon)
	e.Fail("it broke off", "")
	for name, one := range map[string]*Exchange{"heard": e, "kept": Kept(e.Keep())} {
		p := &Transcript{exchanges: []*Exchange{one}}
		if got := shown(p, 60, 30); strings.Count(got, "Bread") != 1 || !strings.Contains(got, "[1] 2024-05-03, Bread") {
			t.Errorf("%s:\n%s", name, got)
		}
		if _, ok := one.cited(1); !ok {
			t.Errorf("%s: [1] cannot be opened", name)
		}
	}
}

func TestStep_InterruptedIsNotDone(t *testing.T) {
	e := &Exchange{Question: "?", Asked: noon}
	e.Hear(peekCall("1", `{"query": "bread"}`), noon.Add(-1200*time.Millisecond))
	p := &Transcript{exchanges: []*Exchange{e}}
	if got := shown(p, 60, 9); !strings.Contains(got, "… searched  “bread”") || !strings.Contains(got, "1.2 s") {
		t.Errorf("while it runs:\n%s", got)
	}
	e.Stop()
	p.ToggleFold()
	if got := shown(p, 60, 9); !strings.Contains(got, "✗ searched  interrupted") {
		t.Errorf("after it was stopped:\n%s", got)
	}
}

func TestStep_DatesAreThoseOfTheChart(t *testing.T) {
	for want, c := range map[string]Step{
		"May 2024":            {since: month(2024, 5), until: month(2024, 6)},
		"May 2024 – Jul 2024": {since: month(2024, 5), until: month(2024, 8)},
		"– Jul 2024":          {until: month(2024, 8)}, "May 2024 –": {since: month(2024, 5)},
		"14 May 2024":                  {since: month(2024, 5).AddDate(0, 0, 13), until: month(2024, 5).AddDate(0, 0, 14)},
		"3 May 2024 – 31 May 2024":     {since: month(2024, 5).AddDate(0, 0, 2), until: month(2024, 6)},
		"May 2024 – 1 May 2024, 08:00": {since: month(2024, 5), until: month(2024, 5).Add(8 * time.Hour)},
	} {
		if got := strings.TrimSpace(c.words(mono)); got != want {
			t.Errorf("says %q, want %q", got, want)
		}
	}
}

// A list of as many turns as the query asks for may lack some.
func TestStep_SaysThatMoreMayMatch(t *testing.T) {
	bins := []retrieval.HistogramBin{
		{Start: month(2024, 4), End: month(2024, 5), Count: 3}, {Start: month(2024, 5), End: month(2024, 6), Count: 9},
	}
	for want, peek := range map[string]*retrieval.Peek{
		"1 turn":                         {Histogram: retrieval.Histogram{Total: 1}},
		"99 turns, most (9) in May 2024": {Histogram: retrieval.Histogram{Total: 99, Bins: bins}},
		"the 100 best turns":             {Histogram: retrieval.Histogram{Total: 100}},
		"the 100 best turns; 258 have all the words": {
			Histogram:   retrieval.Histogram{Total: 100},
			Occurrences: &retrieval.Occurrences{Histogram: retrieval.Histogram{Total: 258}},
		},
	} {
		s := newStep(peekCall("1", `{}`), noon)
		s.finish(agent.ToolResult{Gist: "9 turns", Asked: query.Query{}, Detail: peek})
		if got := s.words(mono); got != want {
			t.Errorf("says %q, want %q", got, want)
		}
	}
}

// The side of a turn that has more words of the queries is quoted, where that is known.
func TestSources_SayWhoIsQuoted(t *testing.T) {
	ids := []uuid.UUID{{1}, {2}, {3}, {4}}
	e := &Exchange{Question: "?", Asked: noon}
	for _, searched := range []string{"bread", "soup"} { // before the model reads what the first found
		e.Hear(peekCall(searched, `{}`), noon)
		found := &retrieval.Peek{Words: retrieval.NewWords(searched)}
		e.Hear(agent.ToolResult{ID: searched, Tool: agent.ToolPeek, Detail: found}, noon)
	}
	for i, turn := range []retrieval.Turn{{User: "My bread", Assistant: "Fine"}, {User: "And then?", Assistant: "Bake bread", Source: "claude"}, {User: "a"}, {User: "a", Assistant: "b"}} {
		turn.TurnID = ids[i]
		e.Hear(agent.ToolCall{ID: ids[i].String(), Tool: agent.ToolTurn}, noon)
		e.Hear(agent.ToolResult{ID: ids[i].String(), Tool: agent.ToolTurn, N: i + 1, Detail: &turn}, noon)
		e.Hear(agent.Cited{Citation: agent.Citation{N: i + 1, TurnID: ids[i].String(), Title: "Title"}}, noon)
	}
	e.Stop()
	got := shown(&Transcript{exchanges: []*Exchange{e}}, 40, 30)
	for i, want := range []string{"You", "Claude", "You", "Title"} {
		if line := regexp.MustCompile(fmt.Sprintf(`(?m)^\[%d\] .*$`, i+1)).FindString(got); !strings.HasSuffix(line, want) {
			t.Errorf("%q does not end with %q", line, want)
		}
	}
}

func TestCitations_NeedATurn(t *testing.T) {
	e := &Exchange{Citations: []agent.Citation{citation(1), citation(2)}}
	for line, want := range map[string]string{
		"[1] and [2]": "[{1 0 3} {2 8 11}]", "“so” [1][2].": "[{1 5 8} {2 8 11}]", "東京 [2]": "[{2 5 8}]", "[3], a[1], [1": "[]", "\x1b[1mx [1]\x1b[m": "[{1 2 5}]", "[12]": "[]",
	} {
		if got := fmt.Sprint(e.marks(line)); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
}

func TestTranscript_AtFindsTheCitation(t *testing.T) {
	p := &Transcript{exchanges: []*Exchange{investigated()}}
	for y, line := range strings.Split(shown(p, 78, 12), "\n") {
		x := strings.Index(line, "[1]")
		c, ok := p.At(len([]rune(line[:max(0, x)]))+1, y)
		if want := x >= 0; ok != want || ok && c.TurnID != "turn 1" {
			t.Errorf("line %d, %q: %v, %v", y, line, c, ok)
		}
		if _, ok := p.At(70, y); ok {
			t.Errorf("line %d cites beside its citation", y)
		}
	}
	if _, ok := p.At(0, 99); ok {
		t.Error("there is a citation below the pane")
	}
}

func TestTranscript_CitedPrefersTheLatestAnswer(t *testing.T) {
	p := &Transcript{}
	for i, n := range []int{1, 2} {
		e := p.Add("?", noon)
		for at := 1; at <= n; at++ {
			c := citation(at)
			c.TurnID = fmt.Sprint(i, "/", at)
			e.Hear(agent.Cited{Citation: c}, noon)
		}
	}
	p.Add("still asked", noon)
	for n, want := range map[int]string{1: "1/1", 2: "1/2", 3: ""} {
		if c, _ := p.Cited(n); c.TurnID != want {
			t.Errorf("[%d] is %q, want %q", n, c.TurnID, want)
		}
	}
}

func TestTranscript_FollowsTheEnd(t *testing.T) {
	p := &Transcript{}
	e := p.Add("question", noon)
	grow := func(n int) {
		for i := range n {
			e.Hear(agent.Text{Text: fmt.Sprintf("line %d\n\n", i)}, noon)
		}
	}
	grow(20)
	if got := shown(p, 40, 5); !strings.HasSuffix(got, "line 19") {
		t.Errorf("the end is not in view:\n%s", got)
	}
	p.Scroll(-10)
	before := shown(p, 40, 5)
	grow(5)
	if got := shown(p, 40, 5); got != before {
		t.Errorf("what is read moved from\n%s\nto\n%s", before, got)
	}
	p.End()
	if got := shown(p, 40, 5); !strings.HasSuffix(got, "line 4") {
		t.Errorf("not at the end:\n%s", got)
	}
	p.Home()
	if got := shown(p, 40, 5); !strings.HasPrefix(got, "question") {
		t.Errorf("not at the beginning:\n%s", got)
	}
}

// Where lines are few, the sources are one of them, and stay in view while the answer is cut.
func TestTranscript_DenseSources(t *testing.T) {
	e := investigated()
	e.Hear(agent.Done{Answer: "On [1].\n\n" + strings.Repeat("line\n\n", 9), Citations: []agent.Citation{citation(1), citation(2)}}, noon)
	p := &Transcript{exchanges: []*Exchange{e}, Dense: true}
	const sources = "\nSources  [1] 1 Apr 2024  [2] 2 Apr 2024"
	if got := shown(p, 78, 40); !strings.HasSuffix(got, "line\n"+sources) {
		t.Errorf("got\n%s", got)
	}
	shown(p, 78, 8)
	p.Home()
	got := shown(p, 78, 8)
	if !strings.HasPrefix(got, "When did I") || !strings.HasSuffix(got, sources) || p.Below() == 0 {
		t.Errorf("cut, got\n%s", got)
	}
	if c, ok := p.At(len("Sources  [1] 1 Apr 2024  ["), 7); !ok || c.N != 2 {
		t.Errorf("the second source is at %v (%v)", c, ok)
	}
	for width, want := range map[int]string{
		38: "Sources  [1] 1 Apr 2024  [2] 2 Apr 2024", 37: "Sources  [1] 1 Apr 2024  +1", 25: "Sources  +2",
	} {
		if got := shown(p, width+1, 60); !strings.HasSuffix(got, "\n"+want) {
			t.Errorf("in %d cells, got\n%s", width, got)
		}
	}
}

// A complete answer is read from its start: from the question, where a line of it fits below.
func TestTranscript_CompleteAnswerFromItsStart(t *testing.T) {
	answer := strings.Repeat("line\n\n", 9) + "last"
	ask := func(p *Transcript, height int) {
		e := p.Add("question", noon)
		e.Hear(agent.Text{Text: "first\n\n" + answer}, noon)
		if got := shown(p, 40, height); !strings.HasSuffix(got, "last") {
			t.Errorf("while it grows the end is not in view:\n%s", got)
		}
		e.Hear(agent.Done{Answer: "first\n\n" + answer}, noon)
	}
	p := &Transcript{}
	ask(p, 5)
	if got := shown(p, 40, 1); !strings.HasPrefix(got, "first") {
		t.Errorf("the answer does not begin a pane in which it has no line:\n%s", got)
	}
	if got := shown(p, 40, 5); !strings.HasPrefix(got, "question\n\nfirst") || p.Below() != 18 {
		t.Errorf("the question does not begin the pane, with %d lines below:\n%s", p.Below(), got)
	}
	if got := shown(p, 40, 4); !strings.HasPrefix(got, "question\nfirst") {
		t.Errorf("a low pane has an empty line where it could have one of the answer:\n%s", got)
	}
	long := &Transcript{}
	ask(long, 5)
	long.Last().Question = strings.Repeat("question ", 9)
	long.Last().revision++
	for height, want := range map[int]string{
		3: "question question question question que…\nfirst", 2: "first\n", // which has no room for both
	} {
		if got := shown(long, 40, height); !strings.HasPrefix(got+"\n", want) {
			t.Errorf("below a long question, a pane of %d lines is\n%s", height, got)
		}
	}
	if got := shown(p, 40, 26); !strings.HasPrefix(got, "question") || !strings.Contains(got, "last") {
		t.Errorf("higher, the question does not begin the pane:\n%s", got)
	}
	ask(p, 24)
	if got := shown(p, 40, 24); !strings.HasPrefix(got, "question") {
		t.Errorf("the second question does not begin the pane:\n%s", got)
	}
	p.Scroll(-3)
	if got := shown(p, 40, 24); strings.HasPrefix(got, "question") {
		t.Errorf("it cannot be scrolled:\n%s", got)
	}
	e := p.Add("third", noon)
	e.Hear(agent.Text{Text: answer}, noon)
	shown(p, 40, 5)
	p.Scroll(-2)
	before := shown(p, 40, 5)
	e.Hear(agent.Done{Answer: answer}, noon)
	if got := shown(p, 40, 5); got != before {
		t.Errorf("what is read moved from\n%s\nto\n%s", before, got)
	}
}

func TestTranscript_SeekScrollsToTheExchange(t *testing.T) {
	p := &Transcript{}
	var all []*Exchange
	for i := range 9 {
		all = append(all, Kept(agent.Exchange{Question: fmt.Sprint("question ", i), Answer: strings.Repeat("word\n\n", 9)}))
	}
	p.Show(all)
	p.Seek(4)
	p.Lay(40, 6, noon, mono) // before its answers are drawn
	if got := shown(p, 40, 6); !strings.HasPrefix(got, "question 4") {
		t.Errorf("shown is\n%s", got)
	}
}

func TestBlocks_Boundaries(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                nil,
		"one":                             {"one"},
		"one\n\ntwo\n":                    {"one\n\n", "two\n"},
		"- a\n\n- b\n\n  c\n\nd":          {"- a\n\n- b\n\n  c\n\n", "d"},
		"1. a\n\n2. b":                    {"1. a\n\n2. b"},
		"```\na\n\nb\n```\n\nc":           {"```\na\n\nb\n```\n\n", "c"},
		"~~~~\n\n~~~\n\n~~~~\n\n":         {"~~~~\n\n~~~\n\n~~~~\n\n"},
		"> a\n\nb":                        {"> a\n\n", "b"},
		"| a |\n|---|\n| b |\n\n# c\n\nd": {"| a |\n|---|\n| b |\n\n", "# c\n\n", "d"},
	} {
		if got := blocksOf(text); !slices.Equal(got, want) {
			t.Errorf("%q is cut into %q, want %q", text, got, want)
		}
	}
}

// For any chunking, the blocks add up to the text, and the result equals rendering the whole at once.
func TestBody_GrownEqualsWhole(t *testing.T) {
	pieces := []string{"word ", "\n", "\n\n", "- item\n", "1. one\n", "```go\n", "```\n", "> q\n", "東京 ", "  deep\n", "[1]", "# head\n", "~~~\n"}
	rapid.Check(t, func(t *rapid.T) {
		var b Body
		text := ""
		rendered := 0
		render := func(source string, width int, th theme.Theme) []string {
			rendered++
			return asWritten(source, width, th)
		}
		for range rapid.IntRange(1, 30).Draw(t, "deltas") {
			text += rapid.SampledFrom(pieces).Draw(t, "delta")
			b = b.next(text, 30, mono, render)
		}
		if got := strings.Join(blocksOf(text), ""); strings.TrimSpace(got) != strings.TrimSpace(text) {
			t.Fatalf("%q is cut into %q", text, got)
		}
		if whole := (Body{}).next(text, 30, mono, asWritten); !slices.Equal(whole.Lines(), b.Lines()) {
			t.Fatalf("%q grew into %q, is %q", text, b.Lines(), whole.Lines())
		}
		before := rendered
		if b.next(text, 30, mono, render); rendered != before {
			t.Fatal("an unchanged body is rendered again")
		}
	})
}

func TestBody_OnlyChangedBlocksAreRendered(t *testing.T) {
	text := strings.Repeat("A paragraph.\n\n", 200)
	b := Body{}.next(text, 40, mono, asWritten)
	n := 0
	b.next(text+"More", 40, mono, func(s string, w int, th theme.Theme) []string { n++; return asWritten(s, w, th) })
	if n != 1 {
		t.Errorf("%d blocks are rendered for one that is new", n)
	}
}

func FuzzBlocks(f *testing.F) {
	for _, seed := range []string{"a\n\nb", "```\n\n", "- a\n\n- b", "\n\n\n", "> \n\n```~~~\n\n`"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := strings.Join(blocksOf(text), ""); strings.TrimSpace(got) != strings.TrimSpace(text) {
			t.Errorf("%q is cut into %q", text, got)
		}
	})
}

// For any events the pane fills its rectangle exactly.
func TestTranscript_FillsItsRectangle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &Transcript{}
		for range rapid.IntRange(0, 4).Draw(t, "exchanges") {
			e := p.Add(rapid.SampledFrom([]string{"?", "long " + strings.Repeat("question ", 30), "東京の天気は？"}).Draw(t, "question"), noon)
			e.Hear(peekCall("1", `{"query": "`+strings.Repeat("long ", 40)+`"}`), noon)
			e.Hear(agent.Text{Text: strings.Repeat("word ", rapid.IntRange(0, 200).Draw(t, "words"))}, noon)
			e.Hear(agent.Cited{Citation: citation(1)}, noon)
			if rapid.Bool().Draw(t, "failed") {
				e.Fail(strings.Repeat("reason ", 20), "hint")
			}
		}
		q := newQuestion()
		q.Insert(rapid.StringN(0, 80, 300).Draw(t, "typed"))
		width, height := rapid.IntRange(1, 90).Draw(t, "width"), rapid.IntRange(1, 30).Draw(t, "height")
		if d, ok := p.Undrawn(width, mono); ok {
			d.Draw(asWritten).Put()
		}
		p.Scroll(rapid.IntRange(-50, 50).Draw(t, "scroll"))
		q.SetWidth(width)
		rows := q.Rows(4)
		typed := q.View(width, rows, true, "ask", mono)
		x, y := q.Cursor(rows)
		p.Lay(width, height, noon, mono)
		for _, lines := range [][]string{p.View(width, height, mono), typed} {
			for _, line := range lines {
				if n := ansi.StringWidth(line); n != width {
					t.Fatalf("a line of %d has %d: %q", width, n, line)
				}
			}
		}
		if y < 0 || y >= rows || len(typed) != rows || x < promptWidth {
			t.Fatalf("the cursor is at %d,%d of %d rows", x, y, rows)
		}
	})
}

func BenchmarkTranscript_GrowingAnswer(b *testing.B) {
	e := &Exchange{Question: "?", Asked: noon}
	p := &Transcript{exchanges: []*Exchange{e}}
	e.Hear(agent.Text{Text: strings.Repeat("A paragraph of an answer that goes on for a while.\n\n", 200)}, noon)
	for b.Loop() {
		e.Hear(agent.Text{Text: "."}, noon)
		_ = shown(p, 63, 12)
	}
}

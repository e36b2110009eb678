package tools

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/agent/openai"
	"lens/internal/bpe"
	"lens/internal/demo"
	"lens/retrieval"
	"lens/retrieval/query"
)

func sourdough(t *testing.T) agenttest.Script {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "agenttest", "testdata", "sourdough.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	script, err := agenttest.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

// requestTo returns a request that asks a scripted server about an archive.
func requestTo(server *agenttest.Server, archive Engine, question string) agent.Request {
	return agent.Request{
		Model:    openai.New(server.Client(), openai.Options{BaseURL: server.URL, Key: "sk-canary", Model: "gpt-4o", Backoff: time.Millisecond}),
		Tools:    New(archive, Options{}),
		Messages: []agent.Message{{Role: agent.User, Text: question}},
	}
}

func collect(events iter.Seq2[agent.Event, error]) (all []agent.Event, err error) {
	for e, failed := range events {
		if failed != nil {
			err = failed
		} else {
			all = append(all, e)
		}
	}
	return all, err
}

func kindsOf(events []agent.Event) string {
	var kinds []string
	for _, e := range events {
		if k := e.Kind(); len(kinds) == 0 || kinds[len(kinds)-1] != k {
			kinds = append(kinds, k)
		}
	}
	return strings.Join(kinds, " ")
}

const wholeKinds = "round tool_call tool_result " +
	"round tool_call tool_result " +
	"round tool_call tool_result " +
	"round delta citation delta citation delta usage done"

func TestInvestigation_Demo(t *testing.T) {
	server := agenttest.New(t, sourdough(t))
	req := requestTo(server, demoEngine(t), "When did I bake sourdough?")
	var log bytes.Buffer
	req.Log = slog.New(slog.NewTextHandler(&log, nil))
	events, err := collect(agent.Run(t.Context(), req))
	if err != nil || kindsOf(events) != wholeKinds {
		t.Fatalf("%v\ngot  %s\nwant %s", err, kindsOf(events), wholeKinds)
	}
	done := events[len(events)-1].(agent.Done)
	checkAnswer(t, done)
	if trace := done.Trace; len(trace) != 5 || trace[2].Error == nil || trace[2].Error.Code != "invalid" || trace[0].Gist == "" {
		t.Errorf("trace %+v", done.Trace)
	}
	if h, ok := done.Histogram.(retrieval.Histogram); !ok || h.Bin != "week" || h.Total == 0 {
		t.Errorf("histogram %+v", done.Histogram)
	}
	for _, id := range done.Turns {
		if !strings.Contains(log.String(), id) {
			t.Errorf("%s is not logged in %s", id, &log)
		}
	}
	if logged := log.String(); strings.Contains(logged, "sourdough") || strings.Contains(logged, "bubbles") || strings.Contains(logged, "sk-canary") {
		t.Errorf("logged %s", logged)
	}
}

func checkAnswer(t *testing.T, done agent.Done) {
	t.Helper()
	for _, want := range []string{
		"winter of 2021 [1].", `in that order" [1][2].`, `in anger" [2] (not verbatim)`, "it seems.", "! [chart](", "see (unread).",
	} {
		if !strings.Contains(done.Answer, want) {
			t.Errorf("missing %q in %s", want, done.Answer)
		}
	}
	if fmt.Sprint(done.Removed) != "[[7] 3f2ab81c-0000-5000-8000-000000000001]" || len(done.Citations) != 2 || len(done.Turns) != 2 || !done.Evidence {
		t.Errorf("removed %v, cites %+v", done.Removed, done.Citations)
	}
	var verbatim []bool
	for _, q := range done.Quotes {
		verbatim = append(verbatim, q.Verbatim)
	}
	if fmt.Sprint(verbatim) != "[true true false]" {
		t.Errorf("quotes %+v", done.Quotes)
	}
	if done.Citations[0].Time == nil || done.Citations[0].Time.Year() < 2021 || done.Usage.Turns != 2 || done.Usage.Rounds != 4 || done.Usage.Prompt != 4000 {
		t.Errorf("cites %+v, used %+v", done.Citations, done.Usage)
	}
}

// serveSSE serves a run as server-sent events.
func serveSSE(t *testing.T, req agent.Request) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_ = agent.WriteHeartbeat(w)
		for e, err := range agent.Run(r.Context(), req) {
			if err != nil {
				_ = agent.WriteFailure(w, agent.Failure{Code: "UNAVAILABLE", Message: "connection lost mid-answer"})
				return
			}
			if agent.WriteEvent(w, e) != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	}))
	t.Cleanup(func() {
		s.Client().CloseIdleConnections()
		s.Close()
	})
	return s
}

func TestInvestigation_EmbedsEachQueryOnce(t *testing.T) {
	model := &wordModel{}
	engine, err := newDemo(demo.Options{Turns: 400}, model)
	if err != nil {
		t.Fatal(err)
	}
	server := agenttest.New(t, sourdough(t))
	events, err := collect(agent.Run(t.Context(), requestTo(server, engine, "When did I bake sourdough?")))
	if err != nil {
		t.Fatal(err)
	}
	peeks := 0
	for _, e := range events {
		if result, ok := e.(agent.ToolResult); ok && result.Tool == agent.ToolPeek && result.Error == nil {
			if p := result.Detail.(*retrieval.Peek); p.Mode != query.Hybrid {
				t.Errorf("got mode %s", p.Mode)
			}
			peeks++
		}
	}
	if peeks != 2 || !maps.Equal(model.queries, map[string]int{"sourdough starter": 1}) {
		t.Errorf("%d peeks embedded %v", peeks, model.queries)
	}
}

func TestInvestigation_SSE(t *testing.T) {
	server := agenttest.New(t, sourdough(t))
	s := serveSSE(t, requestTo(server, demoEngine(t), "When did I bake sourdough?"))
	res, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var kinds []string
	var last string
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if kind, ok := strings.CutPrefix(lines.Text(), "event: "); ok && (len(kinds) == 0 || kinds[len(kinds)-1] != kind) {
			kinds = append(kinds, kind)
		}
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			last = data
		}
	}
	if got := strings.Join(kinds, " "); got != wholeKinds {
		t.Errorf("got  %s\nwant %s", got, wholeKinds)
	}
	var done agent.Done
	if err := json.Unmarshal([]byte(last), &done); err != nil {
		t.Fatal(err)
	}
	checkAnswer(t, done)
}

func TestInvestigation_ClientLeaves(t *testing.T) {
	server := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: strings.Repeat("word ", 2000), Delay: time.Millisecond}}})
	s := serveSSE(t, requestTo(server, demoEngine(t), "?"))
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(res.Body, make([]byte, 200)); err != nil {
		t.Fatal(err)
	}
	leave()
	_ = res.Body.Close()
	<-server.ClientGone() // otherwise the test times out
}

func TestInvestigation_CutAtAnyByte(t *testing.T) {
	engine := demoEngine(t)
	read := agenttest.Reply{Calls: []agenttest.Call{{Name: agent.ToolTurn, Arguments: `{"turn_id":"e8967968-45eb-5424-87a1-0e5572387133"}`}}}
	answer := agenttest.Reply{Text: "It wants “warmth and food” [1], not [9]. 始", Deltas: 9}
	var cut int
	var mu sync.Mutex
	server := agenttest.NewFunc(t, func(ask agenttest.Request) agenttest.Reply {
		mu.Lock()
		defer mu.Unlock()
		if len(ask.Messages) == 2 {
			return read
		}
		r := answer
		if r.Fault.Cut = cut; cut == 0 {
			r.Fault.Cut = -1
		}
		return r
	})
	const whole = "It wants “warmth and food” [1], not. 始"
	for at := range answer.SSE() {
		if testing.Short() && at%7 > 0 { // agent/openai cuts everywhere
			continue
		}
		mu.Lock()
		cut = at
		mu.Unlock()
		events, err := collect(agent.Run(t.Context(), requestTo(server, engine, "?")))
		last := events[len(events)-1]
		var shown string
		for _, e := range events {
			if text, ok := e.(agent.Text); ok {
				shown += text.Text
			}
		}
		switch e := last.(type) {
		case agent.Done:
			if err != nil || e.Answer != whole || shown != whole {
				t.Errorf("cut at %d: done with %q, %v", at, e.Answer, err)
			}
		case agent.Partial:
			said := e.Text == shown && !e.Report
			if e.Report {
				said = shown == "" && strings.Contains(e.Text, "- [1] 2021-12-11, Oven spring and scoring")
			}
			if !errors.Is(err, agent.ErrBroken) || !said || strings.Contains(e.Text, "[9]") || len(e.Turns) != 1 || len(e.Trace) == 0 {
				t.Errorf("cut at %d: partial %+v, shown %q, %v", at, e, shown, err)
			}
		default:
			t.Errorf("cut at %d: %s, shown %q, %v", at, kindsOf(events), shown, err)
		}
	}
}

func TestInvestigation_ModelFailsAtOnce(t *testing.T) {
	server := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Fault: agenttest.Fault{Status: 401, Message: "sk-canary"}}}})
	events, err := collect(agent.Run(t.Context(), requestTo(server, demoEngine(t), "sourdough starter")))
	p, ok := events[len(events)-1].(agent.Partial)
	if err == nil || !ok || kindsOf(events) != "tool_call tool_result partial" || !p.Report || len(p.Histograms) != 1 || len(p.Best) != 5 {
		t.Fatalf("%v after %s: %+v", err, kindsOf(events), p)
	}
	for _, want := range []string{"sourdough starter: 100 turns", "\n- First on 20", "\n- Peak from 20", "(turn "} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("no %q in %s", want, p.Text)
		}
	}
}

// In the smallest context in which a model is offered the tools, the latest results fit beside them, and its message.
func TestInvestigation_SmallestContext(t *testing.T) {
	const context = 8_000
	server := agenttest.New(t, sourdough(t))
	req := requestTo(server, demoEngine(t), "When did I start baking sourdough?")
	req.Tools = append(req.Tools, NewTopics(nil), NewAbout(nil))
	req.Limits, req.Ratio = agent.Limits{Context: context}, new(agent.TokenRatio)
	d := doneOf(t, req)
	if !d.Evidence || len(server.Requests()) != 4 {
		t.Errorf("%d requests, %+v", len(server.Requests()), d)
	}
	for i, r := range server.Requests() {
		tokens, latest := bpe.O200k().Count(string(r.Body)), r.Messages[len(r.Messages)-1].Content
		if len(r.Tools) != 4 || tokens > context*3/4 || strings.Contains(latest, "left out to make room") {
			t.Errorf("request %d has %d tools, %d tokens and at last %q", i, len(r.Tools), tokens, latest)
		}
	}
}

// TestInvestigation_RequestsFitBothVocabularies counts the requests as they arrive.
func TestInvestigation_RequestsFitBothVocabularies(t *testing.T) {
	for name, text := range map[string]string{
		"code":    strings.Repeat("if err != nil {\n\treturn fmt.Errorf(\"x: %w\", err)\n}\n", 400),
		"chinese": strings.Repeat("面团需要时间和温度，不要着急。", 900),
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			server := agenttest.NewFunc(t, func(agenttest.Request) agenttest.Reply {
				var r agenttest.Reply
				for range 5 {
					n++
					r.Calls = append(r.Calls, agenttest.Call{Name: agent.ToolTurn, Arguments: fmt.Sprintf(`{"turn_id":"%08x"}`, n)})
				}
				if n > 20 {
					return agenttest.Reply{Text: "So [1]."}
				}
				return r
			})
			engine := &fakeEngine{turn: retrieval.Turn{Title: "T", User: "u", Assistant: text}}
			if _, err := collect(agent.Run(t.Context(), requestTo(server, engine, "?"))); err != nil {
				t.Fatal(err)
			}
			largest := 0
			for _, r := range server.Requests() {
				older, newer := bpe.Cl100k().Count(string(r.Body)), bpe.O200k().Count(string(r.Body))
				if largest = max(largest, older, newer); older > 50_000 || newer > 50_000 {
					t.Errorf("%d tokens by cl100k, %d by o200k", older, newer)
				}
			}
			if largest < 40_000 {
				t.Errorf("at most %d tokens are sent", largest)
			}
		})
	}
}

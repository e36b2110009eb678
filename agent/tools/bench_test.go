package tools

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/agent/openai"
	"lens/internal/demo"
	"lens/retrieval"
)

// largeTurns is the number of turns in the benchmark archive: 10,000, or 100,000 with LENS_BENCH=full.
var largeTurns = map[bool]int{true: 100_000, false: 10_000}[os.Getenv("LENS_BENCH") == "full"]

// largeEngines opens engines over SQLite archives, each created once: keyword has no vectors, hybrid has.
var largeEngines = map[string]func() (*retrieval.Engine, error){
	"keyword": sync.OnceValues(func() (*retrieval.Engine, error) { return newDemo(demo.Options{Turns: largeTurns}, nil) }),
	"hybrid":  sync.OnceValues(func() (*retrieval.Engine, error) { return newDemo(demo.Options{Turns: largeTurns}, &wordModel{}) }),
}

// BenchmarkRound measures a round without waiting for the model: a peek, a zoom and three hydrated turns, with
// budgets, prompts, filter and events. Embedding the query is not included.
func BenchmarkRound(b *testing.B) {
	for mode, open := range largeEngines {
		b.Run(mode, func(b *testing.B) {
			engine, err := open()
			if err != nil {
				b.Fatal(err)
			}
			benchmarkRounds(b, engine)
		})
	}
}

func benchmarkRounds(b *testing.B, engine *retrieval.Engine) {
	topics := []string{"sourdough starter", "marathon training", "rust async", "kitchen", "garden tomatoes", "sql index", "guitar", "visa"}
	requests := 0
	server := agenttest.NewFunc(b, func(r agenttest.Request) agenttest.Reply {
		var reply agenttest.Reply
		if requests++; requests%7 == 0 {
			return agenttest.Reply{Text: "So it was [1], [2] and “nothing that was said there” [3]."}
		}
		topic := topics[requests%len(topics)]
		reply.Calls = []agenttest.Call{
			{Name: agent.ToolPeek, Arguments: map[string]any{"query": fmt.Sprint(topic, " ", requests), "top_k": 100}},
			{Name: agent.ToolPeek, Arguments: map[string]any{"query": topic, "start_time": fmt.Sprint(2022 + requests%4)}},
		}
		for _, id := range agenttest.FoundTurns(r) {
			if len(reply.Calls) < 5 {
				reply.Calls = append(reply.Calls, agenttest.Call{Name: agent.ToolTurn, Arguments: map[string]any{"turn_id": id}})
			}
		}
		return reply
	})
	req := requestTo(server, engine, "When was that?")
	var rounds []float64
	for b.Loop() {
		for e, err := range agent.Run(b.Context(), req) {
			if err != nil {
				b.Fatal(err)
			}
			if done, ok := e.(agent.Done); ok {
				rounds = append(rounds, done.Usage.Overhead/float64(done.Usage.Rounds))
			}
		}
	}
	slices.Sort(rounds)
	b.ReportMetric(float64(largeTurns), "turns")
	b.ReportMetric(rounds[len(rounds)/2], "p50-ms/round")
	b.ReportMetric(rounds[len(rounds)*95/100], "p95-ms/round")
}

// timedReader records when its first byte is read.
type timedReader struct {
	io.Reader
	first *time.Time
}

func (c timedReader) Read(p []byte) (int, error) {
	if c.first.IsZero() {
		*c.first = time.Now()
	}
	return c.Reader.Read(p)
}

type roundTripFunc func(*http.Request) *http.Response

func (a roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// BenchmarkFirstEvent measures the time from the model's first byte to the first event.
func BenchmarkFirstEvent(b *testing.B) {
	recorded := string(agenttest.Reply{Text: "An answer."}.SSE())
	var first time.Time
	client := &http.Client{Transport: roundTripFunc(func(r *http.Request) *http.Response {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(timedReader{strings.NewReader(recorded), &first}), Header: http.Header{}, Request: r}
	})}
	req := agent.Request{Model: openai.New(client, openai.Options{Model: "gpt-4o"}), Messages: []agent.Message{{Role: agent.User, Text: "?"}}}
	var total time.Duration
	runs := 0
	for b.Loop() {
		first = time.Time{}
		for range agent.Run(b.Context(), req) {
			total += time.Since(first)
			break
		}
		runs++
	}
	b.ReportMetric(float64(total.Microseconds())/float64(runs), "µs-to-first-event")
}

// BenchmarkStop measures the time from canceling a run mid-answer to its end, over HTTP.
func BenchmarkStop(b *testing.B) {
	var long strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&long, "word%d ", i)
	}
	server := agenttest.NewFunc(b, func(r agenttest.Request) agenttest.Reply {
		if len(r.Messages) == 2 { // an answer streams only once a call has worked
			return agenttest.Reply{Calls: []agenttest.Call{searching("that")}}
		}
		return agenttest.Reply{Text: long.String(), Delay: time.Millisecond}
	})
	req := requestTo(server, &fakeEngine{peek: somePeek()}, "When was that?")
	var longest time.Duration
	for b.Loop() {
		ctx, cancel := context.WithCancel(b.Context())
		var canceledAt time.Time
		for e, err := range agent.Run(ctx, req) {
			if _, ok := e.(agent.Text); err == nil && ok && canceledAt.IsZero() {
				canceledAt = time.Now()
				cancel()
			}
		}
		longest = max(longest, time.Since(canceledAt))
		cancel()
	}
	b.ReportMetric(float64(longest.Microseconds())/1000, "max-ms-to-stop")
}

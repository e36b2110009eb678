package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"lens/agent"
)

// breadID is the id of the turn about bread.
const breadID = "00000000-0000-4000-8000-000000000001"

// bread is a tool that finds one turn, whose title is hostile.
type bread struct{ name string }

func (b bread) Spec() agent.Spec {
	return agent.Spec{Name: b.name, Schema: json.RawMessage(`{"type":"object"}`)}
}

func (bread) Call(context.Context, json.RawMessage) (agent.Outcome, error) {
	may := time.Date(2024, time.May, 3, 8, 0, 0, 0, time.UTC)
	return agent.Outcome{Turn: &agent.Turn{ID: breadID, Title: "Bread ![x](https://evil.example)\x1b[2J", Time: &may, User: "Which flour?", Assistant: "Rye."}}, nil
}

// script is a model that plays back the rounds of an investigation and records what it was sent.
type script struct {
	rounds []agent.Delta // text and tool calls of each round

	mu    sync.Mutex
	asked []agent.Prompt
}

func (*script) Name() string           { return "fake" }
func (*script) Tokens(text string) int { return len(text) / 4 }
func (s *script) Stream(_ context.Context, p agent.Prompt) iter.Seq2[agent.Delta, error] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, p)
	called := 0
	for _, m := range p.Messages {
		called += min(len(m.Calls), 1)
	}
	round := s.rounds[min(called, len(s.rounds)-1)]
	return func(yield func(agent.Delta, error) bool) {
		for _, word := range strings.SplitAfter(round.Text, " ") {
			if !yield(agent.Delta{Text: word}, nil) {
				return
			}
		}
		yield(agent.Delta{Calls: round.Calls, Finish: agent.Stop, Tokens: agent.Tokens{Prompt: 100, Completion: 10}}, nil)
	}
}

// baking is an investigation that says something first, reads the turn about bread, and answers with it.
func baking(aside string) *script {
	return &script{rounds: []agent.Delta{
		{Text: aside, Calls: []agent.Call{{ID: "a", Name: agent.ToolTurn, Arguments: "{}"}}},
		{Text: `You baked rye in May [1].`},
	}}
}

func asksModel(m agent.Model) func(*Options) {
	return func(o *Options) {
		o.Investigate = func(context.Context, uuid.UUID) (agent.Request, error) {
			return agent.Request{Model: m, Tools: []agent.Tool{bread{agent.ToolTurn}}}, nil
		}
	}
}

const (
	completionsPath = "/v1/chat/completions"
	asked           = `{"model":"lens","messages":[{"role":"user","content":"When did I bake?"}]}`
	askedStream     = `{"model":"lens","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"When did I bake?"}]}`
	bakedAnswer     = "You baked rye in May [1].\n\nSources:\n\n- [1] 2024-05-03, Bread \\!\\[x\\](https://evil.example)␛\\[2J (turn " + breadID + ")"
)

func TestCompletions_Sources(t *testing.T) {
	s := start(t, asksModel(baking("Let me look.")))
	got := s.ask("POST", completionsPath, asked)
	var c completion
	if err := json.Unmarshal(got.body, &c); err != nil || got.status != 200 {
		t.Fatalf("%d %v: %s", got.status, err, got.body)
	}
	if c.Object != "chat.completion" || !strings.HasPrefix(c.ID, "chatcmpl-") || c.Model != "lens" || c.Created == 0 || len(c.Choices) != 1 {
		t.Errorf("got %s", got.body)
	}
	if m := c.Choices[0]; m.Message.Content != bakedAnswer || m.Message.Role != agent.Assistant || m.Finish != completionStopped {
		t.Errorf("said %q, and ends by %s", m.Message.Content, m.Finish)
	}
	if p := c.Lens; !p.Evidence || len(p.Citations) != 1 || p.Citations[0].TurnID != breadID || len(p.Turns) != 1 || p.Turns[0] != breadID || len(p.Trace) != 1 {
		t.Errorf("proof %+v", p)
	}
	if c.Usage.Prompt != 200 || c.Usage.Completion != 20 || c.Usage.Total != 220 {
		t.Errorf("usage %+v", c.Usage)
	}
}

// chunksOf reads a stream of completion chunks to its end and also returns the last event.
func chunksOf(t *testing.T, stream io.Reader) (all []completionChunk, said, last string) {
	t.Helper()
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var c completionChunk
		if last = data; data == "[DONE]" || json.Unmarshal([]byte(data), &c) != nil || c.Object == "" {
			continue
		}
		all = append(all, c)
		for _, choice := range c.Choices {
			said += choice.Delta.Content
		}
	}
	return all, said, last
}

func TestCompletionsStream_EqualsWholeAnswer(t *testing.T) {
	s := start(t, asksModel(baking("Let me look.")))
	got := s.ask("POST", completionsPath, askedStream)
	all, said, last := chunksOf(t, strings.NewReader(string(got.body)))
	if got.header.Get("Content-Type") != kindStream || said != bakedAnswer || last != "[DONE]" {
		t.Fatalf("said %q, at last %q", said, last)
	}
	if first := all[0].Choices[0].Delta; first.Role != agent.Assistant || first.Content != "" {
		t.Errorf("begins with %+v", first)
	}
	finished, counted := all[len(all)-2], all[len(all)-1]
	if *finished.Choices[0].Finish != completionStopped || finished.Lens == nil || len(finished.Lens.Citations) != 1 || finished.Usage != nil {
		t.Errorf("finishes with %+v", finished)
	}
	if len(counted.Choices) != 0 || counted.Usage.Total != 220 {
		t.Errorf("counts %+v", counted)
	}
	for _, c := range all {
		if c.ID != all[0].ID || c.Model != "lens" {
			t.Errorf("a piece of another answer: %+v", c)
		}
	}
	unasked := s.ask("POST", completionsPath, strings.Replace(askedStream, `"include_usage":true`, "", 1))
	if strings.Contains(string(unasked.body), `"usage"`) {
		t.Error("counts unasked")
	}
}

// Clients ignore the comment; people see it with curl.
func TestCompletionsStream_Notice(t *testing.T) {
	model := saying(func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] {
		return func(yield func(agent.Delta, error) bool) {
			_ = yield(agent.Delta{Notice: &agent.Notice{Code: agent.NoticeRateLimited, Message: "Retrying\n\ndata: x."}}, nil) &&
				yield(agent.Delta{Text: "So."}, nil) && yield(agent.Delta{Finish: agent.Stop}, nil)
		}
	})
	s := start(t, asksModel(model))
	body := string(s.ask("POST", completionsPath, askedStream).body)
	if !strings.HasPrefix(body, ": Retrying data: x.\n\ndata: {") || !strings.Contains(body, "So.") {
		t.Errorf("got %s", body)
	}
	if whole := s.ask("POST", completionsPath, asked); whole.status != 200 || strings.Contains(string(whole.body), "Retrying") {
		t.Errorf("not streamed: %d %s", whole.status, whole.body)
	}
}

// askedAgain asks after an answer: what the model says is shown at once.
const askedAgain = `{"model":"lens","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"What?"},{"role":"assistant","content":"That."},{"role":"user","content":"And when?"}]}`

// longText returns some hundred bytes that do not repeat.
func longText(word string) string {
	var b strings.Builder
	for n := range 100 {
		fmt.Fprintf(&b, "%s %d ", word, n)
	}
	return b.String()
}

func TestCompletionsStream_WithdrawsLongText(t *testing.T) {
	aside := longText("I look") + "first."
	s := start(t, asksModel(baking(aside)))
	_, said, last := chunksOf(t, strings.NewReader(string(s.ask("POST", completionsPath, askedAgain).body)))
	if said != aside+withdrawnNotice+bakedAnswer || last != "[DONE]" {
		t.Errorf("said %q", said)
	}
}

func TestCompletionsStream_LongAnswer(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	model := saying(func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] {
		return func(yield func(agent.Delta, error) bool) {
			yield(agent.Delta{Text: longText("word")}, nil)
			close(begun)
			<-goOn
			yield(agent.Delta{Finish: agent.Length}, nil)
		}
	})
	s := start(t, asksModel(model))
	response, err := s.client.Do(s.request(t.Context(), "POST", completionsPath, askedAgain))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	<-begun
	piece := make([]byte, 200)
	if _, err := io.ReadFull(response.Body, piece); err != nil { // before the model goes on
		t.Fatal(err)
	}
	close(goOn)
	all, _, last := chunksOf(t, response.Body)
	if finish := all[len(all)-2].Choices[0].Finish; last != "[DONE]" || finish == nil || *finish != "length" {
		t.Errorf("ends with %+v", all)
	}
}

func TestCompletions_OtherParameters(t *testing.T) {
	model := baking("")
	s := start(t, asksModel(model))
	answered := "It was rye [1]." + sources([]agent.Citation{{N: 1, TurnID: breadID, Title: "t"}})
	before, err := json.Marshal(answered)
	if err != nil {
		t.Fatal(err)
	}
	got := s.ask("POST", completionsPath, `{"model":"lens","temperature":0.7,"tools":[{"type":"function"}],"tool_choice":"auto","metadata":null,"stream":null,"stream_options":null,"n":null,
		"messages":[{"role":"system","content":"Answer in German."},{"role":"developer","content":[{"type":"text","text":"Be"},{"type":"text","text":"short."}]},
		{"role":"user","content":"What flour?","name":"me"},{"role":"assistant","content":`+string(before)+`,"refusal":null},{"role":"assistant","content":null},
		{"role":"user","content":[{"type":"text","text":"And when?","cache_control":{}}]}]}`)
	if got.status != 200 {
		t.Fatalf("%d %s", got.status, got.body)
	}
	var heard []string
	for _, m := range model.asked[0].Messages[1:] {
		heard = append(heard, string(m.Role)+": "+m.Text)
	}
	if want := "user: Answer in German.|user: Be\nshort.|user: What flour?|assistant: It was rye.|user: And when?"; strings.Join(heard, "|") != want {
		t.Errorf("heard %q", heard)
	}
}

// FuzzCompletions checks that any body is either refused with a sentence or read as messages that end with the user's question.
func FuzzCompletions(f *testing.F) {
	for _, seed := range []string{
		asked, askedStream, `null`, `{"model":"lens","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]}`, `{"model":"lens","messages":[{"role":"assistant","content":null}]}`,
		`{"model":"lens","model":"lens"}`, "{\"model\":\"lens\xff\"}", `{"model":"lens","messages":[{"role":"user","content":"\ud800"}]}`, `{"model":"lens","n":1e400}`,
		`{"model":"lens","messages":[{"role":"user","content":[{"type":"image_url"}]}]}`, `{"model":"lens","messages":[{"role":"assistant","content":"\n\nSources:\n"},{"role":"user","content":"x"}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r := httptest.NewRequest("POST", completionsPath, strings.NewReader(string(body)))
		r.Header.Set("Content-Type", kindJSON)
		ask, err := readCompletions(r)
		var messages []agent.Message
		if err == nil {
			messages, err = ask.messages()
		}
		if err != nil {
			if p, ok := err.(*problem); !ok || p.Message == "" || statusOf[p.Code] == 0 {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		for _, m := range messages {
			if !utf8.ValidString(m.Text) || strings.TrimSpace(m.Text) == "" || m.Role != agent.User && m.Role != agent.Assistant {
				t.Fatalf("read %+v", m)
			}
		}
		if len(messages) == 0 || messages[len(messages)-1].Role != agent.User {
			t.Fatalf("read %+v", messages)
		}
	})
}

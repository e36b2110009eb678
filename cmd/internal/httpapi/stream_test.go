package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/agent"
	"lens/internal/errs"
)

// event is a server-sent event as a client reads it.
type event struct{ name, data string }

// open sends a question and returns the response stream.
func (s *service) open(ctx context.Context, body string) *http.Response {
	s.t.Helper()
	response, err := s.client.Do(s.request(ctx, "POST", "/chat", body))
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { response.Body.Close() })
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != kindStream {
		s.t.Fatalf("status %d, %s", response.StatusCode, response.Header.Get("Content-Type"))
	}
	return response
}

// readEvents reads a stream to its end, without comments.
func readEvents(stream io.Reader) (all []event, err error) {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 16<<20)
	var e event
	for lines.Scan() {
		switch field, value, _ := strings.Cut(lines.Text(), ": "); field {
		case "event":
			e.name = value
		case "data":
			e.data = value
		case "":
			if e.name != "" {
				all = append(all, e)
			}
			e = event{}
		}
	}
	return all, lines.Err()
}

func namesOf(events []event) (all []string) {
	for _, e := range events {
		if len(all) == 0 || all[len(all)-1] != e.name {
			all = append(all, e.name)
		}
	}
	return all
}

func failureIn(t *testing.T, e event) (f agent.Failure) {
	t.Helper()
	if err := json.Unmarshal([]byte(e.data), &f); err != nil || e.name != "error" {
		t.Fatalf("%v is no error: %v", e, err)
	}
	return f
}

func TestChat_StreamsAndSaves(t *testing.T) {
	chats := &memory{}
	s := start(t, func(o *Options) { o.Sessions, o.Investigate = chats, asking(words("It was ", "in May.")) })
	events, err := readEvents(s.open(t.Context(), `{"messages":[{"role":"user","content":"When did\nit begin?"}]}`).Body)
	if err != nil {
		t.Fatal(err)
	}
	if got := namesOf(events); !slices.Equal(got, []string{"session", "round", "delta", "usage", "done"}) {
		t.Errorf("events %v", got)
	}
	var begun sessionStarted
	if err := json.Unmarshal([]byte(events[0].data), &begun); err != nil {
		t.Fatal(err)
	}
	kept, ok := chats.get(begun.ID)
	if !ok || kept.Name != "When did it begin?" || len(kept.Exchanges) != 1 || !strings.HasPrefix(kept.Exchanges[0].Answer, "It was in May.") || kept.Exchanges[0].Broken != "" {
		t.Fatalf("kept: %+v", kept)
	}
	again := s.open(t.Context(), `{"session_id":"`+begun.ID+`","messages":[{"role":"user","content":"And then?"}]}`)
	if _, err := readEvents(again.Body); err != nil {
		t.Fatal(err)
	}
	if kept, _ = chats.get(begun.ID); len(kept.Exchanges) != 2 || kept.Exchanges[1].Question != "And then?" {
		t.Errorf("kept: %+v", kept)
	}
}

func TestChat_CutAnswer(t *testing.T) {
	for _, finish := range agent.Finishes {
		cut := saying(func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] {
			return func(yield func(agent.Delta, error) bool) { yield(agent.Delta{Text: "Half", Finish: finish}, nil) }
		})
		chats := &memory{}
		s := start(t, func(o *Options) { o.Sessions, o.Investigate = chats, asking(cut) })
		events, err := readEvents(s.open(t.Context(), emptyQuestion).Body)
		if err != nil {
			t.Fatal(err)
		}
		var d agent.Done
		if err := json.Unmarshal([]byte(events[len(events)-1].data), &d); err != nil || d.Finish != finish || d.Truncated != finish.Cuts() {
			t.Errorf("%s: done %+v, %v", finish, d, err)
		}
		for _, one := range chats.all {
			if e := one.Exchanges[0]; e.Finish != finish || e.Truncated != finish.Cuts() || e.Broken != "" {
				t.Errorf("%s: kept %+v", finish, e)
			}
		}
		var whole completion
		if err := json.Unmarshal(s.ask("POST", completionsPath, asked).body, &whole); err != nil {
			t.Fatal(err)
		}
		openAI := map[agent.Finish]completionFinish{ // whose clients know no other reasons
			agent.Stop: "stop", agent.Length: "length", agent.Filtered: "content_filter", agent.Unknown: "length",
			agent.Repetition: "length", agent.Template: "length",
		}[finish]
		if whole.Choices[0].Finish != openAI || whole.Lens.Finish != finish || whole.Lens.Truncated != finish.Cuts() {
			t.Errorf("%s: completion %+v", finish, whole)
		}
		all, _, last := chunksOf(t, strings.NewReader(string(s.ask("POST", completionsPath, askedStream).body)))
		end := all[len(all)-2]
		if last != "[DONE]" || *end.Choices[0].Finish != openAI || end.Lens.Finish != finish || end.Lens.Truncated != finish.Cuts() {
			t.Errorf("%s: ends with %+v", finish, end)
		}
	}
}

func TestChat_SendsHistory(t *testing.T) {
	var sent []agent.Message
	chats := knownChats()
	model := saying(func(ctx context.Context, p agent.Prompt) iter.Seq2[agent.Delta, error] {
		sent = p.Messages
		return words("Yes.")(ctx, p)
	})
	s := start(t, func(o *Options) { o.Sessions, o.Investigate = chats, asking(model) })
	stream := s.open(t.Context(), `{"session_id":"`+knownSession+`","messages":[{"role":"user","content":"go on"}]}`)
	if _, err := readEvents(stream.Body); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range sent[1:] { // without the system message
		texts = append(texts, string(m.Role)+" "+m.Text)
	}
	if !slices.Equal(texts, []string{"user q", "assistant a", "user go on"}) {
		t.Errorf("got %q", texts)
	}
}

const half = "Half an answer"

// failingWith is a model that sends something and then fails.
func failingWith(err error) saying {
	return func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] {
		return func(yield func(agent.Delta, error) bool) {
			if yield(agent.Delta{Text: half}, nil) {
				yield(agent.Delta{}, err)
			}
		}
	}
}

func TestChat_StreamFailure(t *testing.T) {
	for _, c := range []struct {
		model  saying
		code   string
		answer string
	}{
		{failingWith(&errs.Error{Code: errs.Unavailable, Op: "agent: run", Message: "secret"}), codeProvider, half},
		{failingWith(&errs.Error{Code: errs.RateLimited, Op: "agent: run", Message: "secret"}), codeRateLimited, half},
		{failingWith(errors.New("secret")), codeInternal, half},
		{func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] { panic("secret") }, codeInternal, ""},
	} {
		chats := &memory{}
		s := start(t, func(o *Options) { o.Sessions, o.Investigate = chats, asking(c.model) })
		response := s.open(t.Context(), emptyQuestion)
		events, err := readEvents(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		f := failureIn(t, events[len(events)-1])
		if names := namesOf(events); f.Code != codeInternal || names[len(names)-2] == "partial" {
			var p agent.Partial
			if err := json.Unmarshal([]byte(events[len(events)-2].data), &p); err != nil || p.Text != "Half an answer" || p.Error == nil || *p.Error != f {
				t.Errorf("%v before %+v: %v", names, f, events[len(events)-2])
			}
		}
		if f.Code != c.code || strings.Contains(f.Message, "secret") || f.TraceID != response.Header.Get("X-Request-Id") {
			t.Errorf("%+v, want %s", f, c.code)
		}
		for _, one := range chats.all {
			if e := one.Exchanges[0]; e.Broken != agent.BrokenByError || e.Answer != c.answer || e.Answering {
				t.Errorf("kept: %+v", e)
			}
		}
		if len(chats.all) != 1 {
			t.Errorf("kept %d sessions", len(chats.all))
		}
	}
}

// breadPeek is a tool peek that finds something.
type breadPeek struct{ bread }

func (breadPeek) Call(context.Context, json.RawMessage) (agent.Outcome, error) {
	return agent.Outcome{Text: "1 turn", Report: "bread: 1 turn.", Found: []string{breadID}, Histogram: "a histogram"}, nil
}

// failsAfterReading is an investigation that reads the turn about bread, and then fails before or within its answer.
func failsAfterReading(said string) func(*Options) {
	reads := baking("")
	model := saying(func(ctx context.Context, p agent.Prompt) iter.Seq2[agent.Delta, error] {
		if len(p.Messages) == 2 {
			return reads.Stream(ctx, p)
		}
		return func(yield func(agent.Delta, error) bool) {
			if said == "" || yield(agent.Delta{Text: said}, nil) {
				yield(agent.Delta{}, &errs.Error{Code: errs.Unavailable, Op: "agent: run", Message: "it broke off", Err: agent.ErrBroken})
			}
		}
	})
	return func(o *Options) {
		o.Investigate = func(context.Context, uuid.UUID) (agent.Request, error) {
			return agent.Request{Model: model, Tools: []agent.Tool{bread{agent.ToolTurn}, breadPeek{bread{agent.ToolPeek}}}}, nil
		}
	}
}

func TestChat_FailureKeepsEvidence(t *testing.T) {
	for said, report := range map[string]bool{"You baked [1] and": false, "": true} {
		chats := &memory{}
		s := start(t, func(o *Options) { failsAfterReading(said)(o); o.Sessions = chats })
		check := func(place string, p agent.Partial) {
			t.Helper()
			text := said
			if report {
				text = "The model gave no answer. This is what Lens found in the archive.\n\nbread: 1 turn.\n\n" +
					"Turns that the model read:\n\n- [1] 2024-05-03, Bread !(x)(https://evil.example)\x1b(2J"
			}
			if p.Text != text || p.Report != report || !p.Truncated || len(p.Turns) != 1 || p.Turns[0].TurnID != breadID || len(p.Citations) != 1 {
				t.Errorf("%s, said %q: %+v", place, said, p)
			}
			if steps := 1 + len(p.Histograms); len(p.Trace) != steps || len(p.Best) != len(p.Histograms) || report && steps != 2 {
				t.Errorf("%s, said %q: found %+v", place, said, p.Findings)
			}
		}
		events, err := readEvents(s.open(t.Context(), emptyQuestion).Body)
		if err != nil {
			t.Fatal(err)
		}
		var p agent.Partial
		if err := json.Unmarshal([]byte(events[len(events)-2].data), &p); err != nil {
			t.Fatalf("%v: %v", err, namesOf(events))
		}
		check("chat", p)
		for _, one := range chats.all {
			e := one.Exchanges[0]
			if e.Broken != agent.BrokenByError || e.Reason != "It broke off." || e.Findings == nil {
				t.Fatalf("kept %+v", e)
			}
			check("session", agent.Partial{Text: e.Answer, Report: e.Report, Truncated: e.Truncated, Citations: e.Citations, Findings: *e.Findings})
		}
		var failed openAIError
		if got := s.ask("POST", completionsPath, asked); json.Unmarshal(got.body, &failed) != nil || got.status != 502 || failed.Error.Message == "" || failed.Lens == nil {
			t.Fatalf("%d %s", got.status, got.body)
		}
		check("completion", *failed.Lens)
		stream := string(s.ask("POST", completionsPath, askedStream).body)
		all, shown, last := chunksOf(t, strings.NewReader(stream))
		var end partialChunk
		chunks := strings.Split(strings.TrimSpace(stream), "\n\n")
		if err := json.Unmarshal([]byte(strings.TrimPrefix(chunks[len(chunks)-2], "data: ")), &end); err != nil {
			t.Fatal(err)
		}
		check("stream", end.Lens)
		if len(all) == 0 || shown != end.Lens.Text+sources(end.Lens.Citations) || json.Unmarshal([]byte(last), &failed) != nil || failed.Error.Type != "api_error" {
			t.Errorf("showed %q, ended with %s", shown, last)
		}
	}
}

func TestChat_AnswerCannotBeSaved(t *testing.T) {
	s := start(t, func(o *Options) { o.Sessions, o.Investigate = &memory{fail: errors.New("full")}, asking(words("Yes.")) })
	events, err := readEvents(s.open(t.Context(), emptyQuestion).Body)
	if err != nil {
		t.Fatal(err)
	}
	if names := namesOf(events); names[len(names)-1] != "done" || !slices.Contains(names, "notice") ||
		slices.Contains(names, "session") {
		t.Errorf("events %v", names)
	}
}

// waiting is a model that sends something and then waits until it is released or its context ends; then it closes gone.
func waiting(release, gone chan struct{}) saying {
	return func(ctx context.Context, _ agent.Prompt) iter.Seq2[agent.Delta, error] {
		return func(yield func(agent.Delta, error) bool) {
			if !yield(agent.Delta{Text: "Wait"}, nil) {
				return
			}
			select {
			case <-ctx.Done():
				close(gone)
				yield(agent.Delta{}, ctx.Err())
			case <-release:
				yield(agent.Delta{Text: ".", Finish: agent.Stop}, nil)
			}
		}
	}
}

// A client sees why the model does not answer yet, and what came instead of an answer, in the server's own words.
func TestChat_WaitAndServerWords(t *testing.T) {
	model := saying(func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] {
		return func(yield func(agent.Delta, error) bool) {
			_ = yield(agent.Delta{Notice: &agent.Notice{Code: agent.NoticeWaiting, Message: "Waiting."}}, nil) &&
				yield(agent.Delta{}, &errs.Error{
					Code: errs.Unavailable, Op: "agent/openai: chat", Message: "it broke", Hint: "wait", Said: "canary",
				})
		}
	})
	s := start(t, func(o *Options) { o.Investigate, o.Explain = asking(model), errs.ForClient })
	events, err := readEvents(s.open(t.Context(), emptyQuestion).Body)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(namesOf(events), "notice")
	if at < 0 || events[at].data != `{"code":"waiting","message":"Waiting."}` {
		t.Errorf("got %+v", events)
	}
	if f := failureIn(t, events[len(events)-1]); f.Message != `It broke: "canary".` || f.Hint != "Wait." {
		t.Errorf("got %+v", f)
	}
	if log := s.log.String(); strings.Contains(log, "canary") {
		t.Errorf("logged %s", log)
	}
}

func TestChat_Heartbeats(t *testing.T) {
	release := make(chan struct{})
	s := start(t, func(o *Options) {
		o.Investigate, o.Timeouts.Heartbeat = asking(waiting(release, nil)), time.Millisecond
	})
	body := bufio.NewReader(s.open(t.Context(), emptyQuestion).Body)
	for beats := 0; beats < 3; {
		line, err := body.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(line, ":") {
			beats++
		}
	}
	close(release)
	if events, err := readEvents(body); err != nil || events[len(events)-1].name != "done" {
		t.Errorf("%v, %v", events, err)
	}
}

func TestChat_ClientDisconnects(t *testing.T) {
	gone, chats := make(chan struct{}), &memory{}
	s := start(t, func(o *Options) {
		o.Investigate, o.Sessions, o.Timeouts.Heartbeat = asking(waiting(nil, gone)), chats, time.Hour
	})
	ctx, leave := context.WithCancel(t.Context())
	body := bufio.NewReader(s.open(ctx, emptyQuestion).Body)
	for line := ""; !strings.Contains(line, "Wait"); { // nothing is written after that
		var err error
		if line, err = body.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	leave()
	soon(t, gone, "the model goes on")
	if err := s.end(); err != nil { // waits for the request
		t.Fatal(err)
	}
	for _, one := range chats.all {
		if e := one.Exchanges[0]; e.Broken != agent.BrokenByPerson || e.Answer != "Wait" {
			t.Errorf("kept: %+v", e)
		}
	}
}

// soon waits for something that must happen at once, and fails with a message if it does not.
func soon(t *testing.T, happened <-chan struct{}, otherwise string) {
	t.Helper()
	select {
	case <-happened:
	case <-time.After(time.Minute):
		t.Fatal(otherwise)
	}
}

func TestChat_OutlastsRequestTimeouts(t *testing.T) {
	const short = 250 * time.Millisecond
	late := func(end agent.Delta, err error) saying {
		return func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] {
			return func(yield func(agent.Delta, error) bool) {
				time.Sleep(2 * short) // a slow model
				yield(end, err)
			}
		}
	}
	for _, c := range []struct {
		path, body string
		model      saying
		status     int
		says       string
	}{
		{"/chat", emptyQuestion, late(agent.Delta{Text: "Late.", Finish: agent.Stop}, nil), 200, "event: done"},
		{completionsPath, asked, late(agent.Delta{Text: "Late.", Finish: agent.Stop}, nil), 200, "Late."},
		{completionsPath, asked, late(agent.Delta{}, &errs.Error{Code: errs.Unavailable, Op: "agent: run"}), 502, codeProvider},
	} {
		s := start(t, func(o *Options) {
			o.Investigate = asking(c.model)
			o.Timeouts.Read, o.Timeouts.Write, o.Timeouts.Request = short, short, short
		})
		if got := s.ask("POST", c.path, c.body); got.status != c.status || !strings.Contains(string(got.body), c.says) {
			t.Errorf("%s: %d %s", c.path, got.status, got.body)
		}
	}
}

func TestChat_ServerShutdown(t *testing.T) {
	chats := &memory{}
	s := start(t, func(o *Options) {
		o.Sessions, o.Investigate, o.Timeouts.Drain = chats, asking(waiting(nil, make(chan struct{}))), time.Millisecond
	})
	body := bufio.NewReader(s.open(t.Context(), emptyQuestion).Body)
	for line := ""; !strings.Contains(line, "Wait"); {
		var err error
		if line, err = body.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	begun := time.Now()
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took >= s.opts.Timeouts.Grace {
		t.Errorf("it took %v: the stream was cut off", took)
	}
	events, err := readEvents(body)
	if err != nil {
		t.Fatal(err)
	}
	if f := failureIn(t, events[len(events)-1]); f.Code != codeUnavailable || !strings.Contains(f.Message, "shutting down") {
		t.Errorf("%+v", f)
	}
	if names := namesOf(events); !slices.Contains(names, "partial") {
		t.Errorf("what there was of the answer is lost: %v", names)
	}
	for _, one := range chats.all {
		if e := one.Exchanges[0]; e.Broken != agent.BrokenByExit || e.Reason != "" || e.Answer != "Wait" {
			t.Errorf("kept: %+v", e)
		}
	}
	if len(chats.all) != 1 {
		t.Errorf("%d conversations are kept", len(chats.all))
	}
}

// At shutdown, an answer that is under way is waited for.
func TestChat_EndsDuringShutdown(t *testing.T) {
	chats, begun, release := &memory{}, make(chan struct{}), make(chan struct{})
	model := saying(func(ctx context.Context, _ agent.Prompt) iter.Seq2[agent.Delta, error] {
		return func(yield func(agent.Delta, error) bool) {
			begun <- struct{}{}
			select {
			case <-ctx.Done():
				yield(agent.Delta{}, ctx.Err())
			case <-release:
				yield(agent.Delta{Text: "Whole.", Finish: agent.Stop}, nil)
			}
		}
	})
	s := start(t, func(o *Options) { o.Sessions, o.Investigate, o.Timeouts.Drain = chats, asking(model), time.Hour })
	chat := s.open(t.Context(), emptyQuestion)
	completed := make(chan answer)
	go func() { completed <- s.ask("POST", completionsPath, asked) }()
	<-begun
	<-begun
	ended := make(chan error)
	go func() { ended <- s.end() }()
	for { // until the shutdown has begun
		c, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			break
		}
		_ = c.Close()
	}
	close(release)
	events, err := readEvents(chat.Body)
	if err != nil || events[len(events)-1].name != "done" {
		t.Errorf("the stream ends with %v, %v", namesOf(events), err)
	}
	if got := <-completed; got.status != http.StatusOK || !strings.Contains(string(got.body), "Whole.") {
		t.Errorf("%d %s", got.status, got.body)
	}
	for _, one := range chats.all {
		if e := one.Exchanges[0]; e.Broken != "" || e.Finish != agent.Stop {
			t.Errorf("kept: %+v", e)
		}
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestChat_StreamLimit(t *testing.T) {
	release := make(chan struct{})
	s := start(t, func(o *Options) { o.Streams, o.Investigate = 1, asking(waiting(release, nil)) })
	first := s.open(t.Context(), emptyQuestion)
	if got := s.ask("POST", "/chat", emptyQuestion); got.status != 429 || got.header.Get("Retry-After") == "" {
		t.Errorf("the second: %d %s", got.status, got.body)
	}
	close(release)
	if _, err := readEvents(first.Body); err != nil {
		t.Fatal(err)
	}
	for s.ask("POST", "/chat", emptyQuestion).status != 200 { // the slot is free shortly after the last byte
		continue
	}
}

func TestChat_NoFinalEvent(t *testing.T) {
	s := newStreams(t.Context(), Options{}.withDefaults(), failures{log: slog.New(slog.DiscardHandler)})
	w := httptest.NewRecorder()
	err := s.relay(w, httptest.NewRequestWithContext(t.Context(), "POST", "/", nil), sse{}, func(context.Context) iter.Seq2[agent.Event, error] {
		return func(func(agent.Event, error) bool) {}
	})
	events, _ := readEvents(w.Body)
	if err != nil || len(events) != 1 || failureIn(t, events[0]).Code != codeInternal {
		t.Errorf("%v, %v", events, err)
	}
}

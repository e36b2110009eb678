package httpapi

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"strings"
	"testing"
	"time"

	"lens/agent"
	"lens/internal/errs"
)

func TestCompletions_ErrorShape(t *testing.T) {
	s := start(t, asksModel(words("x")))
	messages := func(of string) string { return `{"model":"lens","messages":[` + of + `]}` }
	part := func(of string) string { return messages(`{"role":"user","content":[` + of + `]}`) }
	for name, c := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"another model": {strings.Replace(asked, `"lens"`, `"gpt-5"`, 1), 404, "Unknown model"},
		"no model":      {strings.Replace(asked, `"lens"`, `""`, 1), 400, "model is missing"},
		"null":          {"null", 400, "wrong type"},
		"no object":     {"[]", 400, "wrong type"},
		"two answers":   {strings.Replace(asked, "{", `{"n":2,`, 1), 400, "n must be 1"},
		"an image":      {part(`{"type":"text","text":"what is it?"},{"type":"image_url","image_url":{"url":"data:,"}}`), 400, "lens reads text only"},
		"a sound":       {part(`{"type":"input_audio","input_audio":{}}`), 400, "lens reads text only"},
		"a number":      {messages(`{"role":"user","content":1}`), 400, "content must be text"},
		"a tool":        {messages(`{"role":"tool","content":"x","tool_call_id":"a"}`), 400, "Client tools are not supported"},
		"no messages":   {`{"model":"lens"}`, 400, "The last message must"},
		"a last word":   {messages(`{"role":"user","content":"x"},{"role":"assistant","content":"y"}`), 400, "The last message must"},
		"silence":       {messages(`{"role":"user","content":" "}`), 400, "The last message must"},
		"no content":    {messages(`{"role":"user"}`), 400, "The last message must"},
		"another type":  {`{"model":"lens","messages":"x"}`, 400, "/messages has the wrong type"},
		"too much":      {asked + strings.Repeat(" ", maxBody), 413, "1 MiB"},
	} {
		got := s.ask("POST", completionsPath, c.body)
		var e openAIError
		if err := json.Unmarshal(got.body, &e); err != nil || got.status != c.status || !strings.Contains(e.Error.Message, c.says) || e.Error.Type != "invalid_request_error" {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		if !strings.Contains(string(got.body), `"param":null`) || e.Error.Code == "" || e.Error.TraceID != got.header.Get("X-Request-Id") {
			t.Errorf("%s: %s", name, got.body)
		}
	}
	keyed := start(t, func(o *Options) { o.Keys = []string{"a key that is long enough"} })
	if got := keyed.ask("GET", "/v1/models", ""); got.status != 401 || !strings.Contains(string(got.body), `"authentication_error"`) {
		t.Errorf("without a key: %s", got.body)
	}
	if got := start(t, nil).ask("POST", completionsPath, asked); got.status != 503 || !strings.Contains(string(got.body), "No chat model is configured.") {
		t.Errorf("without a chat model: %s", got.body)
	}
}

func TestCompletionsStream_Failure(t *testing.T) {
	for name, model := range map[string]agent.Model{
		"breaks off": saying(func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] {
			return func(yield func(agent.Delta, error) bool) {
				_ = yield(agent.Delta{Text: longText("half")}, nil) && yield(agent.Delta{}, &errs.Error{Code: errs.Unavailable, Op: "agent: run", Message: "secret", Err: agent.ErrBroken})
			}
		}),
		"panics": saying(func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] { panic("secret") }),
	} {
		s := start(t, asksModel(model))
		got := s.ask("POST", completionsPath, askedStream)
		_, _, last := chunksOf(t, strings.NewReader(string(got.body)))
		var e openAIError
		if err := json.Unmarshal([]byte(last), &e); err != nil || e.Error.Type != "api_error" || e.Error.Message == "" || strings.Contains(string(got.body)+s.log.String(), "secret") && name == "panics" {
			t.Errorf("%s: ends with %s", name, last)
		}
	}
}

// stuck is a model that sends nothing until it is canceled.
func stuck(begun, canceled chan<- struct{}) saying {
	return func(ctx context.Context, _ agent.Prompt) iter.Seq2[agent.Delta, error] {
		return func(yield func(agent.Delta, error) bool) {
			close(begun)
			<-ctx.Done()
			close(canceled)
			yield(agent.Delta{}, ctx.Err())
		}
	}
}

func TestCompletions_ClientDisconnects(t *testing.T) {
	for _, body := range []string{asked, askedStream} {
		begun, canceled := make(chan struct{}), make(chan struct{})
		s := start(t, asksModel(stuck(begun, canceled)))
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-begun
			cancel()
		}()
		response, err := s.client.Do(s.request(ctx, "POST", completionsPath, body))
		if err == nil {
			_, err = io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
		if err == nil {
			t.Error("the answer came to its end")
		}
		<-canceled
	}
}

func TestCompletions_ServerShutdown(t *testing.T) {
	for _, body := range []string{asked, askedStream} {
		begun, canceled, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
		s := start(t, func(o *Options) { asksModel(stuck(begun, canceled))(o); o.Timeouts.Drain = time.Millisecond })
		go func() {
			<-begun
			ended <- s.end()
		}()
		got := s.ask("POST", completionsPath, body)
		if !strings.Contains(string(got.body), "The server is shutting down.") || strings.Contains(string(got.body), "[DONE]") || body == asked && got.status != http.StatusServiceUnavailable {
			t.Errorf("%d %s", got.status, got.body)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestCompletionsStream_Heartbeat(t *testing.T) {
	beats := make(chan struct{})
	model := saying(func(context.Context, agent.Prompt) iter.Seq2[agent.Delta, error] {
		return func(yield func(agent.Delta, error) bool) {
			<-beats
			_ = yield(agent.Delta{Text: "Done."}, nil) && yield(agent.Delta{Finish: agent.Stop}, nil)
		}
	})
	s := start(t, func(o *Options) { asksModel(model)(o); o.Timeouts.Heartbeat = time.Millisecond })
	response, err := s.client.Do(s.request(t.Context(), "POST", completionsPath, askedStream))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	first, err := bufio.NewReader(response.Body).ReadString('\n')
	close(beats)
	if err != nil || !strings.HasPrefix(first, ":") {
		t.Errorf("begins with %q, %v", first, err)
	}
	if rest, err := io.ReadAll(response.Body); err != nil || !strings.HasSuffix(string(rest), "data: [DONE]\n\n") {
		t.Errorf("goes on with %q, %v", rest, err)
	}
}

func TestCompletions_LogHoldsNoText(t *testing.T) {
	s := start(t, asksModel(baking("canary")))
	for _, body := range []string{asked, askedStream, `{"model":"canary"}`, `{"model":"lens","canary":"canary","messages":[{"role":"canary"}]}`} {
		s.ask("POST", completionsPath, strings.ReplaceAll(body, "When did I bake?", "canary"))
	}
	if log := s.log.String(); strings.Contains(log, "canary") || strings.Count(log, `"route":"/v1/chat/completions"`) != 4 {
		t.Errorf("logged %s", log)
	}
}

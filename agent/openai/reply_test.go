package openai

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"lens/agent"
	"lens/agent/agenttest"
	"lens/internal/errs"
)

const portal = `<!DOCTYPE html><html><head><title>Welcome &amp; sign
 in</title></head><body>tool data: [DONE]</body></html>`

// A server may send something other than the stream that it was asked for. It is called what it is, in its own words.
func TestStream_OtherReplies(t *testing.T) {
	for _, c := range []struct {
		name, body string
		code       errs.Code
		says       string // message and hint
		is         error
		requests   int
	}{
		{"a web page", portal, errs.Unavailable, `sent a web page instead of an answer: "web page: Welcome & sign in" sign in`, nil, 1},
		{"a page without a title", " \n<html>", errs.Unavailable, `a web page instead of an answer: "a web page"`, nil, 1},
		{"text", "Ollama is running", errs.Unavailable, `not a chat reply: "Ollama is running" check that OPENAI_BASE_URL`, nil, 1},
		{"JSON of something else", `{"status":"ok"}`, errs.Unavailable, `not a chat reply: "{"status":"ok"}"`, nil, 1},
		{"lines of JSON", "{\"message\":{}}\n{\"done\":true}\n", errs.Unavailable, "not a chat reply", nil, 1},
		{"an event that is no JSON", "data: {oops\n\n", errs.Unavailable, `not a chat reply: "{oops"`, nil, 1},
		{"nothing", "", errs.Unavailable, "lost mid-answer", agent.ErrBroken, 1},
		{"half a document", `{"choices":[{"message":{"content":"So`, errs.Unavailable, "lost mid-answer", agent.ErrBroken, 1},
		{
			"an error in a stream", `data: {"error":{"message":"CUDA out of memory, sk-canary","type":"server_error"}}` + "\n\n",
			errs.Unavailable, `sent an error instead of an answer: "CUDA out of memory, [key]" ask again`, agent.ErrBroken, 1,
		},
		{
			"an error with a status", `data: {"error":{"message":"Provider returned error","code":502}}` + "\n\n",
			errs.Unavailable, `is unavailable (HTTP 502): "Provider returned error"`, nil, 4,
		},
		{
			"a rate limit in a stream", `data: { "error": {"message":"slow down","code":429}}` + "\n\n",
			errs.RateLimited, `rate limited by models.example (HTTP 429): "slow down"`, nil, 6,
		},
		{
			"an error of vLLM", `data: {"object":"error","message":"This model's maximum context length is 4096","code":400}` + "\n\n",
			errs.TooLarge, `too long for gpt-4.1-mini: "This model's maximum`, agent.ErrContextTooLong, 1,
		},
		{
			"an error of llama.cpp", `error: {"code":500,"message":"Context size has been exceeded.","type":"server_error"}` + "\n\n",
			errs.TooLarge, `too long`, agent.ErrContextTooLong, 1,
		},
		{
			"an event called error", "event: error\r\ndata: {\"message\":\"no\"}\r\n\r\n",
			errs.Unavailable, `an error instead of an answer: "no"`, agent.ErrBroken, 1,
		},
		{
			"an error as text", `data: {"error":"llama runner process has terminated"}`,
			errs.Unavailable, `an error instead of an answer: "llama runner process has terminated"`, agent.ErrBroken, 1,
		},
		{
			"an error as a document", `{"error":{"message":"model requires more system memory","type":"api_error"}}`,
			errs.Unavailable, `an error instead of an answer: "model requires more system memory"`, agent.ErrBroken, 1,
		},
		{
			"an error on lines of its own", ": waiting\n\n{\n\"error\":\n{\"message\":\"no slot\"}}\n",
			errs.Unavailable, `an error instead of an answer: "no slot"`, agent.ErrBroken, 1,
		},
		{
			"an error of Gemini", `[{"error":{"message":"quota","code":400}}]`,
			errs.Invalid, `rejected the request (HTTP 400): "quota"`, nil, 1,
		},
		{
			"no tools, in a stream", `data: {"error":{"message":"llama2 does not support tools"}}` + "\n\n",
			errs.Unavailable, "cannot call tools", agent.ErrNoTools, 1,
		},
	} {
		for _, size := range []string{"whole", "in bytes"} {
			t.Run(c.name+", "+size, func(t *testing.T) {
				body := fixedBody(c.body)
				m, a := through(Options{Backoff: 1, Waits: 5}, func(r *http.Request) *http.Response {
					res, _ := body.RoundTrip(r)
					if size == "in bytes" {
						res.Body = io.NopCloser(iotest.OneByteReader(res.Body))
					}
					return res
				})
				h := receive(t.Context(), m, ask())
				f := errs.First(h.err)
				if f.Code != c.code || !strings.Contains(f.Message+" "+f.Hint, c.says) || c.is != nil && !errors.Is(h.err, c.is) {
					t.Errorf("got %+v, want %s %q", f, c.code, c.says)
				}
				if a.asked != c.requests || h.text != "" {
					t.Errorf("%d requests, want %d; text %q", a.asked, c.requests, h.text)
				}
			})
		}
	}
}

// A server that does not stream sends one document. It is the answer.
func TestStream_DocumentInsteadOfStream(t *testing.T) {
	const head = `{"id":"1","object":"chat.completion","created":1.7e9,"choices":[{"index":0,"message":{"role":"assistant",`
	for name, c := range map[string]struct {
		body, text, calls string
		finish            agent.Finish
	}{
		"text": {head + `"content":"So."},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`, "So.", "", agent.Stop},
		"cut":  {head + `"content":"So"},"finish_reason":"length"}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`, "So", "", agent.Length},
		"parts": {
			head + `"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"So."}]}}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`,
			"So.", "", agent.Unknown,
		},
		"thoughts": {head + `"content":"<think>x</think>So."}}],"usage":{"prompt_tokens":7,"completion_tokens":2}}`, "So.", "", agent.Unknown},
		"calls": {
			head + `"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"peek","arguments":"{}"}},` +
				`{"id":"b","type":"function","function":{"name":"turn","arguments":"{\"turn_id\":\"x\"}"}}]},"finish_reason":"tool_calls"}],` +
				`"usage":{"prompt_tokens":7,"completion_tokens":2}}`, "", `peek{} turn{"turn_id":"x"}`, agent.Stop,
		},
	} {
		for _, before := range []string{"", "\uFEFF \r\n"} {
			h := receive(t.Context(), New(&http.Client{Transport: fixedBody(before + c.body)}, Options{}), ask())
			if h.err != nil || h.text != c.text || h.calls() != c.calls || h.last.Finish != c.finish || h.last.Tokens != (agent.Tokens{Prompt: 7, Completion: 2}) {
				t.Errorf("%s: got %q, %s, %+v, %v", name, h.text, h.calls(), h.last, h.err)
			}
		}
	}
}

func TestStream_ErrorInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		message string
		says    string
		is      error
	}{
		{"slot unavailable", `broke off the answer: "slot unavailable"`, agent.ErrBroken},
		{"Context size has been exceeded.", `too long for gpt-4o: "Context size has been exceeded"`, agent.ErrContextTooLong},
	} {
		s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: "It began", Error: c.message}}})
		h := receive(t.Context(), quick(s), ask())
		if h.text != "It began" || !errors.Is(h.err, c.is) || !strings.Contains(errs.First(h.err).Message, c.says) || len(s.Requests()) != 1 {
			t.Errorf("got %q, %+v after %d requests", h.text, errs.First(h.err), len(s.Requests()))
		}
	}
}

// The user reads the server's words, the log does not: they may quote a text.
func TestStream_ServerWords(t *testing.T) {
	for name, fault := range map[string]agenttest.Fault{
		"a refusal":     {Status: 422, Message: "temperature: a question\u001b[31m, key sk-canary"},
		"a page":        {Status: 502, Body: "<html><title>a question\u001b[31m, key sk-canary</title>", Type: "text/html"},
		"a long one":    {Status: 400, Message: "a question\u001b[31m, key sk-canary" + strings.Repeat(" x", 1000)},
		"another shape": {Status: 400, Body: `{"detail":[{"msg":"a question\u001b[31m","input":"key sk-canary"}]}`},
	} {
		s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Fault: fault}}})
		h := receive(t.Context(), quick(s), ask())
		said := errs.First(h.err).Message
		if !strings.Contains(said, "a question") || strings.Contains(said, "canary") || strings.Contains(said, "\x1b") || len(said) > 1000 {
			t.Errorf("%s: says %q", name, said)
		}
		if text := h.err.Error(); strings.Contains(text, "a question") || strings.Contains(text, "canary") {
			t.Errorf("%s: logs %q", name, text)
		}
	}
	s := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Fault: agenttest.Fault{Status: 401, Message: "Incorrect API key provided: canary"}}}})
	if f := errs.First(receive(t.Context(), quick(s), ask()).err); strings.Contains(f.Message, "canary") {
		t.Errorf("a wrong key: says %q", f.Message)
	}
}

func FuzzReadReply(f *testing.F) {
	f.Add(agenttest.Reply{Text: "text", Calls: []agenttest.Call{{Name: "peek"}}}.SSE())
	f.Add(agenttest.Reply{Text: "text", Error: "no"}.SSE())
	for _, seed := range []string{
		portal, "data:[DONE]", "data: {\n\ndata: }\n", "event: error\ndata: {}\n\n", "error: {}\n", "\uFEFF{\"choices\":[{}]}", "[{}]", "[{\"error\":1}]",
		`{"choices":[{"message":{"content":[{"type":"text","text":"x"}]}}]}`, "data: {\"choices\":\ndata: []}\n\n", "x\r\n{\"error\":{}}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, reply []byte) {
		read := func(r io.Reader) (n int, done bool, err error) {
			err = readReply(r, func(c chunk) bool {
				if done {
					t.Fatal("a chunk after the end")
				}
				n, done = n+1, c.done
				return true
			})
			return n, done, err
		}
		n, done, err := read(strings.NewReader(string(reply)))
		m, d, e := read(iotest.OneByteReader(strings.NewReader(string(reply))))
		if n != m || done != d || (err == nil) != (e == nil) || err != nil && err.Error() != e.Error() {
			t.Fatalf("%d chunks, %v, %v; in bytes %d, %v, %v", n, done, err, m, d, e)
		}
		var said errorReply
		var strange strangeReply
		if err != nil && !errors.As(err, &said) && !errors.As(err, &strange) {
			t.Fatalf("fails with %v", err)
		}
	})
}

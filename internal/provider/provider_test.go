package provider

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	api "github.com/sashabaranov/go-openai"
)

func TestRefusal_MessageAndHint(t *testing.T) {
	s := Server{Host: "models.example", Model: "m", Use: "chat", ModelVariable: "LENS_CHAT_MODEL", RetryHint: "ask again"}
	for _, c := range []struct {
		name        string
		status      int
		after       time.Duration
		err         error
		kind        Kind
		says, hints string
	}{
		{
			"an empty account", 429, 0, &api.APIError{Code: "insufficient_quota"}, Permanent,
			"no credit left at models.example", "add credit",
		},
		{
			"an empty account, in words", 403, 0, &api.RequestError{Body: []byte("INSUFFICIENT_QUOTA")}, Permanent,
			"no credit left", "add credit",
		},
		{
			"a rate limit", 429, 90 * time.Second, nil, RateLimited,
			"rate limited by models.example (HTTP 429, retry after 90 s)", "ask again",
		},
		{"an unavailable server", 502, 0, nil, Transient, "models.example is unavailable (HTTP 502)", "ask again"},
		{"no key", 401, 0, nil, Permanent, "requires an API key, and none is set", "OPENAI_API_KEY"},
		{"a forbidden model", 403, 0, nil, Permanent, "does not allow this key to use m", "another model"},
		{"an unknown model", 404, 0, nil, Permanent, "has no chat model m", "LENS_CHAT_MODEL"},
		{
			"an unknown model with another status", 400, 0, &api.APIError{Code: "model_not_found"}, Permanent,
			"has no chat model m", "ollama pull m",
		},
		{"anything else", 422, 0, &api.APIError{Message: "sk-canary"}, BadRequest, "", ""},
	} {
		got := s.Refusal(c.status, c.after, ErrorBodyOf(c.err))
		if got.Kind != c.kind || !strings.Contains(got.Message, c.says) || !strings.Contains(got.Hint, c.hints) {
			t.Errorf("%s: got %+v", c.name, got)
		}
		if strings.Contains(got.Message+got.Hint, "canary") {
			t.Errorf("%s: %+v quotes the server", c.name, got)
		}
	}
	if s.HasKey = true; !strings.Contains(s.Refusal(401, 0, ErrorBody{}).Message, "rejected the API key") {
		t.Error("got another message, want the sent key rejected")
	}
}

func TestErrorBodyOf_ShowsOnlyAnIdentifier(t *testing.T) {
	for code, want := range map[any]string{
		"model_not_found": "model_not_found", "Key sk-canary": "", 7: "",
		strings.Repeat("a", 60): "",
	} {
		if got := ErrorBodyOf(&api.APIError{Code: code}).Code; got != want {
			t.Errorf("%v: got code %q, want %q", code, got, want)
		}
	}
}

func TestErrorBody_TooLong(t *testing.T) {
	const gateway = "the upstream server took too long to respond"
	for _, c := range []struct {
		server  string
		status  int
		message string
		want    bool
	}{
		{"OpenAI", 400, "This model's Maximum Context length is 8192 tokens. However, your messages resulted in 9000", true},
		{"OpenAI, later", 400, "Input tokens exceed the configured limit of 272000 tokens.", true},
		{"OpenAI, a small account", 429, "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested " +
			"40000. The input or output tokens must be reduced in order to run successfully.", true},
		{"OpenAI, busy", 429, "Rate limit reached for gpt-4o on tokens per min (TPM): maximum context", false},
		{"Groq", 413, "Request too large for model llama: please reduce your message size and try again.", true},
		{"a proxy", 413, "", true},
		{"Ollama", 400, "prompt too long; exceeded max context length by 17 tokens", true},
		{"llama.cpp", 400, "request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it", true},
		{"llama.cpp, older", 500, "the request exceeds the available context size. try increasing the context size", true},
		{"llama.cpp, in an answer", 500, "Context size has been exceeded.", true},
		{"vLLM", 400, "The decoder prompt (length 9000) is longer than the maximum model length of 8192.", true},
		{"vLLM, with the output", 400, "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum " +
			"context length is 4096 tokens and your request has 2000 input tokens", true},
		{"LM Studio", 400, "Trying to keep the first 6547 tokens when context the overflows. However, the model is loaded " +
			"with context length of only 4096 tokens, which is not enough.", true},
		{"LM Studio, in an answer", 400, "Reached context length of 4096 tokens with model (arch: gpt-oss) that does not " +
			"currently support mid-generation context overflow.", true},
		{"SGLang", 400, "The input (5000 tokens) is longer than the model's context length (4096 tokens).", true},
		{"Anthropic", 400, "prompt is too long: 215000 tokens > 200000 maximum", true},
		{"Gemini", 400, "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)", true},
		{"xAI", 400, "This model's maximum prompt length is 131072 but the request contains 140000 tokens.", true},
		{"Mistral", 400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length", true},
		{"Text Generation Inference", 422, "`inputs` tokens + `max_new_tokens` must be <= 4096", true},
		{"a gateway", 504, gateway, false},
		{"another refusal", 400, "messages must not be empty", false},
	} {
		for form, err := range map[string]error{
			"as an error": &api.APIError{Message: c.message}, "raw": &api.RequestError{Body: []byte(c.message)},
		} {
			if got := ErrorBodyOf(err).TooLong(c.status); got != c.want {
				t.Errorf("%s, %s: got %v, want %v", c.server, form, got, c.want)
			}
		}
	}
	if !ErrorBodyOf(&api.APIError{Code: "context_length_exceeded"}).TooLong(400) {
		t.Error("OpenAI's code is not recognized")
	}
	if ErrorBodyOf(errors.New("too long")).TooLong(400) {
		t.Error("an error that is not the client library's is too long")
	}
}

func TestDo_ErrorWithoutURL(t *testing.T) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		"http://user:sk-canary@models.example/?key=sk-canary", nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: failing{}}
	if _, err := Do(client, r); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("got %v", err)
	}
	if HostOf("https://models.example/v1?key=sk-canary") != "models.example" || HostOf("::") != "the server" {
		t.Error("HostOf returns another host")
	}
}

type failing struct{}

func (failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, errors.New("refused") }

func TestReadErrorBody(t *testing.T) {
	for _, c := range []struct {
		name, raw string
		want      ErrorBody
	}{
		{"OpenAI", `{"error":{"message":"no","type":"x_error","code":"bad_thing","param":null}}`, ErrorBody{Code: "bad_thing", Words: "no"}},
		{"a status", `{"error":{"message":"no","type":"server_error","code":503}}`, ErrorBody{Code: "server_error", Status: 503, Words: "no"}},
		{"no status", `{"error":{"message":"no","code":3001}}`, ErrorBody{Words: "no"}},
		{"text", `{"error":"no"}`, ErrorBody{Words: "no"}},
		{"the inner object", `{"object":"error","message":"no","code":400}`, ErrorBody{Status: 400, Words: "no"}},
		{"FastAPI", `{"detail":"no"}`, ErrorBody{Words: "no"}},
		{"Mistral", `{"message":{"detail":[1]}}`, ErrorBody{Words: `{"detail":[1]}`}},
		{"Gemini", `[{"error":{"message":"no","code":429}}]`, ErrorBody{Status: 429, Words: "no"}},
		{"plain", " no\r\nmore \x1b[31m", ErrorBody{Words: "no more [31m"}},
		{"a page", "<html><TITLE id=x>&lt;b&gt;\n502", ErrorBody{Page: true, Words: "a web page"}},
		{"a page with a title", "<html><TITLE id=x>&lt;b&gt;\n502</title>", ErrorBody{Page: true, Words: "web page: <b> 502"}},
		{"nothing", "", ErrorBody{}},
		{"null", "null", ErrorBody{}},
		{"a code that may be a key", `{"error":{"message":"no","code":"sk-1234567"}}`, ErrorBody{Words: "no"}},
		{
			"keys", `{"error":"sk-proj-ab***yz; Bearer a.b; ?key=abcdefg AIzaSyA org-abcdef hunter2 http://u:p@h/ api_key=12345"}`,
			ErrorBody{Words: "[key]; [key]; ?[key] [key] [key] [key] http:[key]h/ [key]"},
		},
	} {
		got := ReadErrorBody([]byte(c.raw), "hunter2")
		if got.text = ""; got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
	for _, placeholder := range []string{"k", "key", "x"} {
		const said = "the next token is not a key"
		if got := ReadErrorBody([]byte(said), placeholder); got.Words != said {
			t.Errorf("with %q as the key: %q", placeholder, got.Words)
		}
	}
	long := ReadErrorBody([]byte(strings.Repeat("é ", 1000)), "")
	if n := len([]rune(long.Words)); n != maxWords || !strings.HasSuffix(long.Words, "…") {
		t.Errorf("%d characters: %s", n, long.Words)
	}
	if page := ReadErrorBody([]byte("<html>tool, too long"), ""); page.Contains("tool") || page.TooLong(502) {
		t.Error("a page's text decides")
	}
}

func FuzzReadErrorBody(f *testing.F) {
	for _, seed := range []string{
		`{"error":{"message":"sk-canary-1","code":400}}`, `[{"error":"x"}]`,
		"max_tokens: context length is 8192, requested 9192 tokens, 1000 input tokens, at most 4096 completion tokens", "<title>x</title>", `{"detail":[]}`, "hunter2hunter2", "\xff\x00",
	} {
		f.Add([]byte(seed))
	}
	const secret = "hunter2-canary"
	f.Fuzz(func(t *testing.T, raw []byte) {
		body := ReadErrorBody(append(raw, secret...), secret)
		switch {
		case strings.Contains(body.Words, secret):
			t.Fatalf("shows the key: %q", body.Words)
		case len([]rune(body.Words)) > maxWords || !utf8.ValidString(body.Words):
			t.Fatalf("shows %q", body.Words)
		case strings.ContainsFunc(body.Words, unicode.IsControl):
			t.Fatalf("shows a control character: %q", body.Words)
		case body.Status != 0 && (body.Status < 400 || body.Status > 599):
			t.Fatalf("status %d", body.Status)
		}
		if room := body.OutputRoom(8192); room != 0 && (room < minOutput || room >= 8192) {
			t.Fatalf("room for %d tokens", room)
		}
	})
}

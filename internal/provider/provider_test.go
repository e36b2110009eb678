package provider

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

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
	if w := ErrorBodyOf(errors.New("too long")); w.TooLong() {
		t.Error("an error that is not the client library's is too long")
	}
	if w := ErrorBodyOf(&api.APIError{Message: "This model's Maximum Context length is 8192"}); !w.TooLong() {
		t.Error("OpenAI's message is not recognized as too long")
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

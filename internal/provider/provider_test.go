package provider

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	api "github.com/sashabaranov/go-openai"
)

func TestARefusalIsOneSentenceAndANextStep(t *testing.T) {
	s := Server{Host: "models.example", Model: "m", Use: "chat", Variable: "LENS_CHAT_MODEL", Again: "ask again"}
	for _, c := range []struct {
		name        string
		status      int
		after       time.Duration
		err         error
		kind        Kind
		says, hints string
	}{
		{"an empty account", 429, 0, &api.APIError{Code: "insufficient_quota"}, Final, "no credit left at models.example", "add credit"},
		{"an empty account, in words", 403, 0, &api.RequestError{Body: []byte("INSUFFICIENT_QUOTA")}, Final, "no credit left", "add credit"},
		{"a rate limit", 429, 90 * time.Second, nil, Limited, "asks to wait 1m30s", "ask again"},
		{"a server in trouble", 502, 0, nil, Passing, "HTTP 502", "ask again"},
		{"no key", 401, 0, nil, Final, "wants a key, and none is set", "OPENAI_API_KEY"},
		{"a forbidden model", 403, 0, nil, Final, "does not let this key use m", "another model"},
		{"an unknown model", 404, 0, nil, Final, "knows no chat model m", "LENS_CHAT_MODEL"},
		{"an unknown model with another status", 400, 0, &api.APIError{Code: "model_not_found"}, Final, "knows no chat model m", "ollama pull m"},
		{"anything else", 422, 0, &api.APIError{Message: "sk-canary"}, Request, "", ""},
	} {
		got := s.Refusal(c.status, c.after, WordsOf(c.err))
		if got.Kind != c.kind || !strings.Contains(got.Message, c.says) || !strings.Contains(got.Hint, c.hints) || strings.Contains(got.Message+got.Hint, "canary") {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if s.Keyed = true; !strings.Contains(s.Refusal(401, 0, Words{}).Message, "does not accept the key") {
		t.Error("a key that was sent is not said to be refused")
	}
}

func TestOnlyAShortWordOfTheServerMayBeShown(t *testing.T) {
	for code, want := range map[any]string{"model_not_found": "model_not_found", "Key sk-canary": "", 7: "", strings.Repeat("a", 60): ""} {
		if got := WordsOf(&api.APIError{Code: code}).Code; got != want {
			t.Errorf("%v is shown as %q", code, got)
		}
	}
	if w := WordsOf(errors.New("too long")); w.TooLong() {
		t.Error("another error counts as the server's words")
	}
	if w := WordsOf(&api.APIError{Message: "This model's Maximum Context length is 8192"}); !w.TooLong() {
		t.Error("OpenAI's words are not understood")
	}
}

func TestTheErrorOfARequestDoesNotRepeatItsURL(t *testing.T) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://user:sk-canary@models.example/?key=sk-canary", nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: failing{}}
	if _, err := Do(client, r); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("got %v", err)
	}
	if HostOf("https://models.example/v1?key=sk-canary") != "models.example" || HostOf("::") != "the server" {
		t.Error("a base URL is read otherwise")
	}
}

type failing struct{}

func (failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, errors.New("refused") }

// Package provider puts into words how a server that speaks OpenAI's API refuses a request: OpenAI itself, Ollama, llama.cpp, LM Studio,
// vLLM. The server's own words decide what is done, and are not shown: they may quote a text or a key. It opens nothing.
package provider

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Server is who was asked, for sentences about it.
type Server struct {
	Host     string
	Model    string
	Use      string // "chat", "embedding"
	Variable string // of the environment, that names the model
	Again    string // what helps when a fault has passed: "ask again"
	Keyed    bool   // a key was sent
}

// HostOf returns the host of a base URL, "the server" for what is none.
func HostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "the server"
	}
	return u.Host
}

// Kind is what a refusal asks for.
type Kind int

// The kinds of refusals.
const (
	Request Kind = iota // looking at what was sent: there is no sentence for it
	Final               // giving up
	Passing             // trying again
	Limited             // trying again, no sooner than told
)

// Refusal is a status that says no, as a person is told of it: one sentence and a next step.
type Refusal struct {
	Kind          Kind
	Message, Hint string
}

// Refusal says what a status means, with the wait that was asked for and the words that came with it.
func (s Server) Refusal(status int, after time.Duration, words Words) Refusal {
	switch {
	case words.Code == "insufficient_quota" || words.Say("insufficient_quota"):
		return Refusal{Final, "the account behind the key has no credit left at " + s.Host, "add credit with the provider, or use another key or server"}
	case status == http.StatusTooManyRequests:
		return s.limited(after)
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly || status >= 500:
		return Refusal{Passing, fmt.Sprintf("%s is in trouble (HTTP %d)", s.Host, status), "wait, then " + s.Again}
	case status == http.StatusUnauthorized && s.Keyed:
		return Refusal{Final, s.Host + " does not accept the key", ownKey}
	case status == http.StatusUnauthorized:
		return Refusal{Final, s.Host + " wants a key, and none is set", ownKey}
	case status == http.StatusForbidden:
		return Refusal{Final, fmt.Sprintf("%s does not let this key use %s", s.Host, s.Model), "use a key with access to the model, or another model"}
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed || words.Code == "model_not_found":
		return Refusal{
			Final, fmt.Sprintf("%s knows no %s model %s", s.Host, s.Use, s.Model),
			fmt.Sprintf("check %s, and OPENAI_BASE_URL (it mostly ends in /v1); with Ollama: ollama pull %s", s.Variable, s.Model),
		}
	}
	return Refusal{}
}

const ownKey = "set OPENAI_API_KEY to a key that belongs to the server in OPENAI_BASE_URL"

func (s Server) limited(after time.Duration) Refusal {
	message := s.Host + " limits the rate of requests"
	if after > 0 {
		message += fmt.Sprintf(" and asks to wait %s", after.Round(time.Second))
	}
	return Refusal{Limited, message, "wait, then " + s.Again}
}

// Do sends a request. Its error does not repeat the URL, which may hold a secret.
func Do(client *http.Client, r *http.Request) (*http.Response, error) {
	res, err := client.Do(r)
	var located *url.Error
	if errors.As(err, &located) {
		err = located.Err
	}
	return res, err
}

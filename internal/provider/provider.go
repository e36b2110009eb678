// Package provider explains error responses of OpenAI-compatible servers: OpenAI itself, Ollama, llama.cpp, LM
// Studio, vLLM.
//
// The server's own error text decides what Lens does. It may contain the user's text or key: ErrorBody.Words, without
// keys, is for the user alone, and for no log. The package opens no connection of its own.
package provider

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"lens/internal/errs"
)

// Server describes the server that a request went to, as error messages name it.
type Server struct {
	Host          string
	Model         string
	Use           string // what the model is for: "chat", "embedding"
	ModelVariable string // the environment variable that names the model
	RetryHint     string // what to do once the fault has passed: "ask again"
	HasKey        bool   // the request carried a key
}

// HostOf returns the host of a base URL, or "the server" if base is not a URL with a host.
func HostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "the server"
	}
	return u.Host
}

// Kind says what the caller should do about a refusal.
type Kind int

// The kinds of refusals.
const (
	BadRequest  Kind = iota // the request itself is wrong: the Refusal has no message
	Permanent               // give up
	Transient               // retry
	RateLimited             // retry, no sooner than the server asks
)

// Temporary reports whether to try again.
func (k Kind) Temporary() bool { return k == Transient || k == RateLimited }

// Refusal explains an error status to the user: the reason and the next step.
type Refusal struct {
	Kind          Kind
	Message, Hint string
}

// Error returns the refusal as an error of op: rate_limited or unavailable.
func (r Refusal) Error(op string) *errs.Error {
	code := errs.Unavailable
	if r.Kind == RateLimited {
		code = errs.RateLimited
	}
	return &errs.Error{Code: code, Op: op, Message: r.Message, Hint: r.Hint}
}

// keyHint is the hint for a rejected or missing key.
const keyHint = "set OPENAI_API_KEY to a key for the server in OPENAI_BASE_URL"

// Refusal interprets an error status. after is the delay that the server asked for, 0 for none.
func (s Server) Refusal(status int, after time.Duration, body ErrorBody) Refusal {
	switch {
	case body.Code == "insufficient_quota" || body.Contains("insufficient_quota"):
		return Refusal{
			Permanent, fmt.Sprintf("no credit left at %s (HTTP %d)", s.Host, status),
			"add credit with the provider, or use another key or server",
		}
	case status == http.StatusTooManyRequests:
		return s.rateLimited(after)
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly ||
		status >= 500:
		return Refusal{Transient, fmt.Sprintf("%s is unavailable (HTTP %d)", s.Host, status), "wait, then " + s.RetryHint}
	case status == http.StatusUnauthorized && s.HasKey:
		return Refusal{Permanent, s.Host + " rejected the API key (HTTP 401)", keyHint}
	case status == http.StatusUnauthorized:
		return Refusal{Permanent, s.Host + " requires an API key, and none is set (HTTP 401)", keyHint}
	case status == http.StatusForbidden:
		return Refusal{
			Permanent, fmt.Sprintf("%s does not allow this key to use %s (HTTP 403)", s.Host, s.Model),
			"use a key with access to the model, or another model",
		}
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed || body.Code == "model_not_found":
		return Refusal{
			Permanent, fmt.Sprintf("%s has no %s model %s (HTTP %d)", s.Host, s.Use, s.Model, status),
			fmt.Sprintf("check %s and OPENAI_BASE_URL (usually ends in /v1); with Ollama, run ollama pull %s",
				s.ModelVariable, s.Model),
		}
	}
	return Refusal{}
}

func (s Server) rateLimited(after time.Duration) Refusal {
	status := "HTTP 429"
	if after > 0 {
		status += ", retry after " + Delay(after)
	}
	return Refusal{RateLimited, fmt.Sprintf("rate limited by %s (%s)", s.Host, status), "wait, then " + s.RetryHint}
}

// Delay formats a wait: in seconds up to two minutes, in minutes beyond.
func Delay(d time.Duration) string {
	if d <= 2*time.Minute {
		return fmt.Sprintf("%.0f s", max(d.Seconds(), 1))
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}

// Do sends a request. Its error leaves out the URL, which may hold a secret.
func Do(client *http.Client, r *http.Request) (*http.Response, error) {
	res, err := client.Do(r)
	var urlErr *url.Error
	if errors.As(err, &urlErr) {
		err = urlErr.Err
	}
	return res, err
}

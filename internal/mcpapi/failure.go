package mcpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"lens/internal/cleantext"
)

// Failure is an error as a model is told it.
type Failure struct {
	Code    string `json:"code"`    // "invalid", "not_found", …
	Message string `json:"message"` // one sentence; "": nobody foresaw it
	Hint    string `json:"next_step,omitempty"`
}

var errPanic = errors.New("mcp: panic")

// answer does work for a client, one of at most maxCalls at a time, logs how it ended, and returns what went wrong; nil when nothing did.
func (s *Server) answer(ctx context.Context, what string, work func(context.Context) error) *Failure {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	began, code := time.Now(), "ok"
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
	}
	err := ctx.Err()
	if err == nil {
		err = s.safely(what, func() error { return work(ctx) })
	}
	var wrong *Failure
	if err != nil {
		f := s.explain(err)
		wrong, code = &f, f.Code
	}
	s.Log.Info("mcp", slog.String("asked", what), slog.String("code", code), slog.Duration("took", time.Since(began)))
	return wrong
}

// safely makes an error of a panic.
func (s *Server) safely(what string, work func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil { // which may quote a text: the log gets only where it happened
			s.Log.Error("panic", slog.String("asked", what), slog.String("stack", string(debug.Stack())))
			err = errPanic
		}
	}()
	return work()
}

// explain returns what a model is told of an error.
func (s *Server) explain(err error) Failure {
	f := s.Explain(err)
	switch {
	case errors.Is(err, context.Canceled):
		return Failure{Code: "unavailable", Message: "the call was broken off", Hint: "ask again"}
	case f.Message == "":
		s.Log.Error("unforeseen", slog.String("type", fmt.Sprintf("%T", err))) // its words may quote a text
		f.Message, f.Hint = "internal error", "try again; lens doctor looks for what is wrong"
	case f.Hint == "" && f.Code == "invalid":
		f.Hint = "look at the tool's schema"
	}
	return f
}

// errorKey is under which the metadata of a result holds its Failure.
const errorKey = "lens/error"

// refused tells a model what went wrong. There is no structured output, which would have to fit the schema of a good one.
func refused(f Failure) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		IsError: true, Meta: mcp.Meta{errorKey: f}, Content: []mcp.Content{&mcp.TextContent{Text: f.sentences()}},
	}
}

// sentences is a failure in words: what, and what next.
func (f Failure) sentences() string {
	text := f.Code + ": " + strings.TrimSuffix(f.Message, ".") + "."
	if f.Hint != "" {
		text += "\nNext step: " + strings.TrimSuffix(f.Hint, ".") + "."
	}
	return cleantext.Text(text)
}

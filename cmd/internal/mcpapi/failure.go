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
	"lens/internal/errs"
)

// Failure is an error as the model receives it.
type Failure struct {
	Code    errs.Code `json:"code"`
	Message string    `json:"message"` // one sentence; "": an unexpected error
	Hint    string    `json:"next_step,omitempty"`
}

var errPanic = errors.New("mcp: panic")

// runCall runs work for a client, at most maxCalls at a time, and logs the outcome. It returns nil if work succeeded.
func (s *Server) runCall(ctx context.Context, what string, work func(context.Context) error) *Failure {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	began, code := time.Now(), errs.Code("ok")
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
	}
	err := ctx.Err()
	if err == nil {
		err = s.recoverPanic(what, func() error { return work(ctx) })
	}
	var wrong *Failure
	if err != nil {
		f := s.failureFor(err)
		wrong, code = &f, f.Code
	}
	s.Log.Info("mcp",
		slog.String("asked", what), slog.String("code", string(code)), slog.Duration("took", time.Since(began)))
	return wrong
}

// recoverPanic turns a panic into an error.
func (s *Server) recoverPanic(what string, work func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil { // its value may quote text, so the log gets only the stack
			s.Log.Error("panic", slog.String("asked", what), slog.String("stack", string(debug.Stack())))
			err = errPanic
		}
	}()
	return work()
}

// explain returns the failure that the model receives for an error.
func (s *Server) failureFor(err error) Failure {
	f := s.Explain(err)
	switch {
	case errors.Is(err, context.Canceled):
		return Failure{Code: errs.Unavailable, Message: "the call was canceled", Hint: "call it again"}
	case f.Message == "":
		s.Log.Error("unforeseen", slog.String("type", fmt.Sprintf("%T", err))) // its message may quote text
		f.Message, f.Hint = "internal error", "try again, or run lens doctor"
	case f.Hint == "" && f.Code == errs.Invalid:
		f.Hint = "check the tool's schema"
	}
	return f
}

// errorKey is the key of the Failure in a result's metadata.
const errorKey = "lens/error"

// errorResult returns a failure as a result. It has no structured output, which would have to match the tool's schema.
func errorResult(f Failure) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		IsError: true, Meta: mcp.Meta{errorKey: f}, Content: []mcp.Content{&mcp.TextContent{Text: f.text()}},
	}
}

// sentences returns the failure as text: the error and the next step.
func (f Failure) text() string {
	text := string(f.Code) + ": " + strings.TrimSuffix(f.Message, ".") + "."
	if f.Hint != "" {
		text += "\nNext step: " + strings.TrimSuffix(f.Hint, ".") + "."
	}
	return cleantext.Text(text)
}

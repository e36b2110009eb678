package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/cmd/internal/explain"
)

// The exit codes.
const (
	done        = 0
	failed      = 1
	wrongUsage  = 2
	nothing     = 3 // nothing was found
	locked      = 4 // locked or blocked
	interrupted = 130
)

// usageError reports a wrong command line: exit code 2.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

func usage(hint, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), hint}
}

func wrongFlag(cmd *cobra.Command, err error) error {
	hint := "run " + cmd.CommandPath() + " --help"
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		types := map[string]string{"int": "a whole number", "bool": "true or false", "duration": "a duration such as 30s"}
		if takes := types[value.GetFlag().Value.Type()]; takes != "" {
			return usage(hint, "--%s takes %s, not %q", value.GetFlag().Name, takes, value.GetValue())
		}
	}
	return usage(hint, "%s", err)
}

// refusal is a failure that is not a fault of the program: message says what failed, hint what to do about it.
type refusal struct {
	code          int
	message, hint string
}

func (e *refusal) Error() string { return e.message }

// errNothing ends a verb that found nothing and has already printed so.
var errNothing = errors.New("nothing found")

// panicError holds a panic and its stack for the log.
type panicError struct {
	fault any
	stack []byte
}

func newPanic(fault any) error { return &panicError{fault, debug.Stack()} }

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.fault, e.stack) }

// silent keeps fang from printing errors: finish prints them, once everything is closed.
func silent(io.Writer, fang.Styles, error) {}

// finish closes everything, prints the error and returns the exit code.
func (s *session) finish(ctx context.Context, err error) int {
	if closing := s.close(); err == nil {
		err = closing
	}
	if err == nil && s.out.err != nil {
		err = &refusal{
			code: failed, message: "cannot write the output: " + cause(s.out.err),
			hint: "free some disk space, or write elsewhere",
		}
	}
	code := s.codeOf(ctx, err)
	if s.lens != nil {
		after := slog.Duration("after", time.Since(s.begun))
		s.lens.Log().Info("ended", slog.String("verb", s.verb), slog.Int("code", code), after)
	}
	switch {
	case code == interrupted:
		s.err.println("stopped")
	case err != nil && !errors.Is(err, errNothing):
		s.tell(err)
	}
	return code
}

func (s *session) codeOf(ctx context.Context, err error) int {
	var wrong *usageError
	var refused *refusal
	switch {
	case err == nil:
		return done
	case ctx.Err() != nil:
		return interrupted
	case errors.As(err, &wrong):
		return wrongUsage
	case errors.As(err, &refused):
		return refused.code
	case errors.Is(err, errNothing):
		return nothing
	}
	switch code := explain.Error(err)[0].Code; {
	case s.verb == "import" && code != "locked": // a wrong path is a failure, not a search that found nothing
		return failed
	case code == "not_found":
		return nothing
	case code == "locked" || code == "blocked":
		return locked
	}
	return failed
}

// tell prints an error, and a hint on the line below it.
func (s *session) tell(err error) {
	var wrong *usageError
	var refused *refusal
	switch {
	case errors.As(err, &wrong):
		s.complain(wrong.message, wrong.hint)
	case errors.As(err, &refused):
		s.complain(refused.message, refused.hint)
	default:
		for _, f := range explain.Error(err) {
			if f.Message == "" {
				f.Message, f.Hint = s.unforeseen(err)
			}
			s.complain(f.Message, f.Hint)
		}
	}
}

func (s *session) complain(message, hint string) {
	s.err.printf("%s %s\n", s.err.alarm("error:"), s.err.line(message, 1000))
	if hint != "" {
		s.err.printf("%s %s\n", s.err.faint("hint:"), s.err.line(hint, 1000))
	}
}

// unforeseen logs an error that has no message for people, and returns a message that points to the log.
func (s *session) unforeseen(err error) (message, hint string) {
	id := make([]byte, 4)
	_, _ = rand.Read(id) // never fails
	trace := hex.EncodeToString(id)
	l := s.lens
	if l == nil {
		cfg, failed := config.Load(config.Options{})
		if failed != nil {
			return "internal error (trace " + trace + ")", "run lens doctor"
		}
		l = app.New(cfg, s.verb)
	}
	l.Log(s.hidden()...).Error("unforeseen",
		slog.String("trace", trace), slog.String("verb", s.verb), slog.String("error", err.Error()))
	return "internal error (trace " + trace + ")", "see " + l.LogPath() + " for details; your query is not in it"
}

// hidden returns the texts that must not be logged: the queries, as a whole and word by word.
func (s *session) hidden() []string { return append(withWords(s.words()), s.private.all()...) }

// words returns the arguments that are neither flags nor the verb. They may be queries, and are not logged.
func (s *session) words() []string {
	var all []string
	for _, a := range s.args {
		if _, value, ok := strings.Cut(a, "="); ok && strings.HasPrefix(a, "-") {
			a = value
		}
		if !strings.HasPrefix(a, "-") && a != s.verb {
			all = append(all, a)
		}
	}
	return all
}

// cause returns the operating system's reason, without the operation and the path.
func cause(err error) string {
	var path *os.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no such file or folder"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.As(err, &path):
		return path.Err.Error()
	}
	return err.Error()
}

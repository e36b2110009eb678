package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"charm.land/fang/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lens/internal/boot"
	"lens/internal/config"
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

// usageError is a command line that cannot be meant.
type usageError struct{ message, hint string }

func (e *usageError) Error() string { return e.message }

func usage(hint, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), hint}
}

func wrongFlag(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		takes := map[string]string{"int": "a whole number", "bool": "true or false", "duration": "a duration such as 30s"}[value.GetFlag().Value.Type()]
		if takes != "" {
			return usage(cmd.CommandPath()+" --help lists the flags", "--%s takes %s, not %q", value.GetFlag().Name, takes, value.GetValue())
		}
	}
	return usage(cmd.CommandPath()+" --help lists the flags", "%s", err)
}

// refusal is an end with nothing wrong in the program: message says what was not done, hint how to have it done.
type refusal struct {
	code          int
	message, hint string
}

func (e *refusal) Error() string { return e.message }

// errNothing ends a verb that found nothing and has said so.
var errNothing = errors.New("nothing found")

// panicError is a panic and where it happened: for the log.
type panicError struct {
	fault any
	stack []byte
}

func newPanic(fault any) error { return &panicError{fault, debug.Stack()} }

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.fault, e.stack) }

// silent keeps fang from printing what gets to it all the same: finish does, once everything is closed.
func silent(io.Writer, fang.Styles, error) {}

// finish closes everything, says what went wrong and returns the exit code.
func (s *session) finish(ctx context.Context, err error) int {
	if closing := s.close(); err == nil {
		err = closing
	}
	if err == nil && s.out.err != nil {
		err = &refusal{code: failed, message: "not everything could be written: " + cause(s.out.err), hint: "make room, or write somewhere else"}
	}
	code := s.codeOf(ctx, err)
	if s.lens != nil {
		s.lens.Log().Info("ended", slog.String("verb", s.verb), slog.Int("code", code), slog.Duration("after", time.Since(s.begun)))
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
	switch code := boot.Explain(err)[0].Code; {
	case s.verb == "import" && code != "locked": // a wrong path is a failure, not a search that found nothing
		return failed
	case code == "not_found":
		return nothing
	case code == "locked" || code == "blocked":
		return locked
	}
	return failed
}

// tell prints an error: a clear sentence, and the next step on the line below it.
func (s *session) tell(err error) {
	var wrong *usageError
	var refused *refusal
	switch {
	case errors.As(err, &wrong):
		s.complain(wrong.message, wrong.hint)
	case errors.As(err, &refused):
		s.complain(refused.message, refused.hint)
	default:
		for _, f := range boot.Explain(err) {
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

// unforeseen logs an error that nobody wrote a sentence for, and says where.
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
		l = boot.New(cfg, s.verb)
	}
	l.Log(s.hidden()...).Error("unforeseen", slog.String("trace", trace), slog.String("verb", s.verb), slog.String("error", err.Error()))
	return "internal error (trace " + trace + ")", "the details are in " + l.LogPath() + ", without what you searched for"
}

// hidden is what no log gets: what was asked, as a whole and word by word.
func (s *session) hidden() []string { return append(withWords(s.words()), s.private.all()...) }

// words returns the arguments that are neither flags nor the verb: they may be queries, and are not logged.
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

// cause is what the operating system says, without the operation and the path.
func cause(err error) string {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

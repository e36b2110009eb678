package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lens/agent"
	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/cmd/internal/httpapi"
	"lens/internal/errs"
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

// opUsage is the operation of the errors of a wrong command line: exit code 2.
const opUsage = "usage"

// usage returns the error of a wrong command line.
func usage(hint, format string, args ...any) error {
	return &errs.Error{Code: errs.Invalid, Op: opUsage, Message: fmt.Sprintf(format, args...), Hint: hint}
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
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "" {
		example := cmd.CommandPath() + " -- -" + unknown.GetSpecifiedShortnames()
		hint = "put -- before words that begin with a hyphen: " + example
	}
	return usage(hint, "%s", err)
}

// failure returns an error that ends a verb with exit code 1. Its code is one that a server keeps from its clients.
func failure(hint, format string, args ...any) error {
	return failureWith(errs.Internal, hint, format, args...)
}

// failureWith returns an error with another code.
func failureWith(code errs.Code, hint, format string, args ...any) error {
	return &errs.Error{Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// notFound returns the error of a verb that found nothing and has not printed so: exit code 3.
func notFound(hint, format string, args ...any) error {
	return failureWith(errs.NotFound, hint, format, args...)
}

// errNothing ends a verb that found nothing and has already printed so.
var errNothing = errors.New("nothing found")

// newPanic returns the error of a panic, with its stack for the log.
func newPanic(fault any) error { return fmt.Errorf("panic: %v\n%s", fault, debug.Stack()) }

// reporter ends a run: it maps the error to an exit code, prints it, logs an error that has no message for people, and
// prints the document of --json.
type reporter struct {
	args   []string
	begun  time.Time
	verb   string
	out    *screen // stdout
	screen *screen // stderr
	stdout stdout  // what programs read there
	redact *redactor
	app    *app.App // has the log; nil before the settings are loaded
}

func newReporter(args []string, out, stderr *screen, redact *redactor) *reporter {
	r := &reporter{args: args, begun: time.Now(), verb: "lens", out: out, screen: stderr, redact: redact}
	if asksJSON(args) {
		r.stdout = aDocument
	}
	return r
}

// end prints the document and the error of a run, logs its end, and returns the exit code.
func (r *reporter) end(ctx context.Context, err error) int {
	if err == nil {
		err = r.writeError()
	}
	failures := r.describe(ctx, err)
	r.printDocument(failures)
	if err == nil {
		err = r.writeError()
		failures = r.describe(ctx, err)
	}
	code := r.code(ctx, err)
	if r.app != nil {
		after := slog.Duration("after", time.Since(r.begun))
		r.app.Logs.File().Info("ended", slog.String("verb", r.verb), slog.Int("code", code), after)
	}
	for _, f := range failures {
		if f.Code == codeInterrupted {
			r.screen.println(f.Message)
		} else {
			r.problem(f.Message, f.Hint)
		}
	}
	return code
}

// writeError returns an error if output could not be written.
func (r *reporter) writeError() error {
	if r.out.err == nil {
		return nil
	}
	return failure("free some disk space, or write elsewhere", "cannot write the output: %s", cause(r.out.err))
}

// code returns the exit code for an error. Of several errors, the gravest decides: locked or blocked, then wrong usage,
// then a failure, and only then that nothing was found.
func (r *reporter) code(ctx context.Context, err error) int {
	switch {
	case err == nil:
		return done
	case ctx.Err() != nil:
		return interrupted
	}
	codes := r.codes(err)
	for _, code := range []int{locked, wrongUsage, failed} {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return nothing
}

// codes returns the exit codes of the errors that were joined into err.
func (r *reporter) codes(err error) []int {
	for above := err; above != nil; above = errors.Unwrap(above) {
		switch above := above.(type) {
		case *errs.Error:
			return []int{r.codeOf(err)}
		case interface{ Unwrap() []error }:
			var all []int
			for _, one := range above.Unwrap() {
				all = append(all, r.codes(one)...)
			}
			return all
		}
	}
	return []int{r.codeOf(err)}
}

// codeOf returns the exit code of one error.
func (r *reporter) codeOf(err error) int {
	code := errs.First(err).Code
	switch {
	case errs.From(err, opUsage) || isAsked(err):
		return wrongUsage
	case errors.Is(err, errNothing):
		return nothing
	case (r.verb == "import" || r.verb == "refresh") && code != errs.Locked:
		// a wrong path is a failure, not a search that found nothing
	case code == errs.NotFound:
		return nothing
	case code == errs.Locked || code == errs.Blocked:
		return locked
	}
	return failed
}

// isAsked reports whether an error says that a query, an ID or the value of a flag is wrong.
func isAsked(err error) bool {
	if code := errs.First(err).Code; code != errs.Invalid && code != errs.TooLarge {
		return false
	}
	return slices.ContainsFunc([]string{"query", "timebin", "retrieval", "s3: address", config.OpFlag},
		func(op string) bool { return errs.From(err, op) })
}

// describe returns what people and programs read of an error, and logs what has no message for people.
func (r *reporter) describe(ctx context.Context, err error) []agent.Failure {
	switch {
	case err == nil || r.code(ctx, err) == nothing && errors.Is(err, errNothing):
		return nil
	case r.code(ctx, err) == interrupted:
		return []agent.Failure{{Code: codeInterrupted, Message: "stopped"}}
	}
	var all []agent.Failure
	for _, f := range errs.Describe(err) {
		one := agent.Failure{Code: httpapi.CodeOf(f.Code, err), Message: f.Message, Hint: f.Hint}
		if f.Message == "" {
			one.Message, one.Hint, one.TraceID = r.internal(err)
		}
		all = append(all, one)
	}
	return all
}

// problem prints the message of an error, and a hint on the line below it.
func (r *reporter) problem(message, hint string) {
	r.screen.printf("%s %s\n", r.screen.alarm("error:"), r.screen.line(message, 1000))
	if hint != "" {
		r.screen.printf("%s %s\n", r.screen.faint("hint:"), r.screen.line(hint, 1000))
	}
}

// explain returns the message and the hint for an error, for verbs that continue after it.
func (r *reporter) explain(err error) (message, hint string) {
	if f := errs.First(err); f.Message != "" {
		return f.Message, f.Hint
	}
	message, hint, _ = r.internal(err)
	return message, hint
}

// internal logs an error that has no message for people, and returns a message that points to the log.
func (r *reporter) internal(err error) (message, hint, trace string) {
	id := make([]byte, 4)
	_, _ = rand.Read(id) // never fails
	trace = hex.EncodeToString(id)
	message = "internal error (trace " + trace + ")"
	a := r.app
	if a == nil {
		cfg, failed := config.Load(config.Options{})
		if failed != nil {
			return message, "run lens doctor", trace
		}
		a = app.New(cfg, r.verb)
	}
	hidden := append(withWords(r.words()), r.redact.all()...)
	a.Logs.File(hidden...).Error("unforeseen",
		slog.String("trace", trace), slog.String("verb", r.verb), slog.String("error", err.Error()))
	return message, "see " + a.Logs.Path() + " for details; neither your query nor your texts are in it", trace
}

// words returns the arguments that are neither flags nor the verb. They may be queries, and are not logged.
func (r *reporter) words() []string {
	var all []string
	for _, a := range r.args {
		if _, value, ok := strings.Cut(a, "="); ok && strings.HasPrefix(a, "-") {
			a = value
		}
		if !strings.HasPrefix(a, "-") && a != r.verb {
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

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/internal/errs"
)

// fakeReporter prints to a file.
func fakeReporter(t *testing.T, args ...string) (r *reporter, printed func() string) {
	stderr, printed := fakeScreen(t)
	stderr.color = false
	out, _ := fakeScreen(t)
	r = newReporter(args, out, stderr, new(redactor))
	r.app = app.New(config.Config{DataDir: t.TempDir(), APIKeys: []string{"hunter2"}}, "peek")
	return r, printed
}

func TestExit_Codes(t *testing.T) {
	coded := func(c errs.Code) error { return &errs.Error{Code: c, Op: "test", Message: "m"} }
	for _, c := range []struct {
		verb string
		err  error
		want int
	}{
		{"peek", nil, done},
		{"peek", usage("", "wrong"), wrongUsage},
		{"peek", errNothing, nothing},
		{"peek", coded(errs.NotFound), nothing},
		{"peek", coded(errs.Locked), locked},
		{"peek", coded(errs.Blocked), locked},
		{"peek", coded(errs.Invalid), failed},
		{"peek", coded(errs.Unavailable), failed},
		{"import", coded(errs.NotFound), failed},
		{"import", coded(errs.Blocked), failed},
		{"import", coded(errs.Locked), locked},
		{"import", failure("", "m"), failed},
		{"peek", errors.New("a stranger"), failed},
		{"peek", &errs.Error{Code: errs.Invalid, Op: "retrieval: turn"}, wrongUsage},
		{"peek", &errs.Error{Code: errs.TooLarge, Op: "query"}, wrongUsage},
		{"peek", &errs.Error{Code: errs.Unavailable, Op: "retrieval: peek"}, failed},
		{"peek", errors.Join(errNothing, coded(errs.Invalid)), failed},
		{"peek", errors.Join(coded(errs.NotFound), coded(errs.Invalid), usage("", "wrong")), wrongUsage},
		{"peek", fmt.Errorf("above: %w", errors.Join(coded(errs.Invalid), coded(errs.Locked), usage("", "wrong"))), locked},
	} {
		r := &reporter{verb: c.verb}
		if got := r.code(context.Background(), c.err); got != c.want {
			t.Errorf("%s: %v ends with %d, want %d", c.verb, c.err, got, c.want)
		}
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if got := new(reporter).code(over, coded(errs.Unavailable)); got != interrupted {
		t.Errorf("interrupted ends with %d", got)
	}
	if got := new(reporter).code(over, nil); got != done {
		t.Errorf("done just before it was interrupted ends with %d", got)
	}
}

func TestExit_UnforeseenErrorGetsTrace(t *testing.T) {
	r, printed := fakeReporter(t, "peek", "my secret query", "--since=yesterday")
	if code := r.end(context.Background(), errors.New("fault at my secret query with hunter2")); code != failed {
		t.Errorf("exit code %d", code)
	}
	shown := printed()
	if !strings.HasPrefix(shown, "error: internal error (trace ") || !strings.Contains(shown, "; neither your query nor your texts are in it\n") || strings.Contains(shown, "secret query") {
		t.Errorf("shown: %q", shown)
	}
	trace := shown[len("error: internal error (trace "):][:8]
	logged, err := os.ReadFile(r.app.Logs.Path())
	if err != nil || !strings.Contains(string(logged), trace) || strings.Contains(string(logged), "my secret") || strings.Contains(string(logged), "hunter2") {
		t.Errorf("logged: %q, %v", logged, err)
	}
}

func TestExit_PanicHidesStack(t *testing.T) {
	r, printed := fakeReporter(t)
	err := func() (err error) {
		defer func() { err = newPanic(recover()) }()
		panic("boom")
	}()
	if code := r.end(context.Background(), err); code != failed {
		t.Errorf("exit code %d", code)
	}
	if shown := printed(); strings.Contains(shown, "boom") || strings.Contains(shown, "goroutine") || !strings.Contains(shown, "internal error") {
		t.Errorf("shown: %q", shown)
	}
	logged, _ := os.ReadFile(r.app.Logs.Path())
	if !strings.Contains(string(logged), "exit_test.go") {
		t.Errorf("the stack is not logged: %q", logged)
	}
}

func TestExit_PrintsJoinedErrors(t *testing.T) {
	r, printed := fakeReporter(t)
	r.end(t.Context(), errors.Join(
		&errs.Error{Code: errs.Invalid, Op: "import", Message: "a.zip: breaks off", Hint: "again"},
		&errs.Error{Code: errs.Invalid, Op: "import", Message: "b\x1b.zip: is empty"},
	))
	if got := printed(); got != "error: a.zip: breaks off\nhint: again\nerror: b␛.zip: is empty\n" {
		t.Errorf("got %q", got)
	}
}

func TestExit_FullDiskFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	for what, print := range map[string]func(*screen){
		"text":     func(out *screen) { out.println("a chart") },
		"document": func(out *screen) { _ = out.json(map[string]int{"total": 1}) },
	} {
		r, printed := fakeReporter(t)
		r.out = &screen{file: full}
		print(r.out)
		if code := r.end(context.Background(), nil); code != failed || strings.Count(printed(), "no space left") != 1 {
			t.Errorf("%s: exit code %d, %q", what, code, printed())
		}
	}
}

func TestExit_WordsAreTheArguments(t *testing.T) {
	r := &reporter{verb: "export", args: []string{"export", "--query=my query", "-o", "file", "--json"}}
	if got := strings.Join(r.words(), "|"); got != "my query|file" {
		t.Errorf("got %q", got)
	}
}

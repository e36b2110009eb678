package main

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"lens/retrieval/embed/embedtest"
	"lens/store"
	"lens/store/postgres/pgtest"
	"lens/store/sqlite"
)

// running holds the servers of a script.
type running struct {
	t      testing.TB
	server *embedtest.Server
	hub    *embedtest.Hub
	heard  int // how many of the hub's requests are checked
}

func runningOf(ts *testscript.TestScript) *running { return ts.Value("running").(*running) }

// embedserver [key=K] [model=M] [fail=STATUS] [hang] starts an embedding server for the rest of the script, and points
// the environment at it.
func embedServer(ts *testscript.TestScript, _ bool, args []string) {
	var opts embedtest.Options
	var faults []embedtest.Fault
	for _, arg := range args {
		name, value, _ := strings.Cut(arg, "=")
		switch name {
		case "key":
			opts.Key = value
		case "model":
			opts.Model = value
		case "fail":
			status, err := strconv.Atoi(value)
			ts.Check(err)
			for range 20 {
				faults = append(faults, embedtest.Status(status, http.StatusText(status)))
			}
		case "hang":
			faults = append(faults, embedtest.Hang())
		default:
			ts.Fatalf("usage: embedserver [key=K] [model=M] [fail=STATUS] [hang]")
		}
	}
	server := embedtest.New(runningOf(ts).t, opts)
	server.Fail(faults...)
	runningOf(ts).server = server
	ts.Setenv("OPENAI_BASE_URL", server.URL)
	ts.Setenv("OPENAI_API_KEY", "the-key")
}

// requests N checks how many requests the script's server has had.
func requests(ts *testscript.TestScript, _ bool, args []string) {
	if got := strconv.Itoa(runningOf(ts).server.Requests()); got != args[0] {
		ts.Fatalf("%s requests, want %s", got, args[0])
	}
}

// received REGEXP checks that the last request of the script's server had a text that matches as a whole.
func received(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: received REGEXP")
	}
	server := runningOf(ts).server
	texts, batches := server.Texts(), server.Batches()
	last := texts[len(texts)-batches[len(batches)-1]:]
	whole, err := regexp.Compile(`(?s)^(?:` + args[0] + `)$`)
	ts.Check(err)
	if slices.ContainsFunc(last, whole.MatchString) == neg {
		ts.Fatalf("received %q", last)
	}
}

// writer DIR VERB holds the writer's lock of an archive for the rest of the script.
func holdWriter(ts *testscript.TestScript, _ bool, args []string) {
	st, err := sqlite.Open(context.Background(), sqlite.Options{Dir: ts.MkAbs(args[0]), Verb: args[1]})
	ts.Check(err)
	begun, end, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		ended <- st.Update(context.Background(), func(store.Tx) error {
			close(begun)
			<-end
			return errors.New("nothing to keep")
		})
	}()
	select {
	case <-begun:
	case err := <-ended:
		ts.Fatalf("cannot write: %v", err)
	case <-time.After(time.Minute):
		ts.Fatalf("cannot write: the archive has another writer")
	}
	ts.Defer(func() {
		close(end)
		<-ended
		_ = st.Close()
	})
}

// postgres points the script at an empty database of a private server.
func usePostgres(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Setenv("LENS_DATABASE_URL", pgtest.Database(runningOf(ts).t))
}

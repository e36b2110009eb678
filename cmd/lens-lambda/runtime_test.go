package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lens/internal/testenv"
)

// runtimeAPI is Lambda's Runtime API on loopback, as far as a function needs it: it serves invocations and collects
// their outcomes.
type runtimeAPI struct {
	address     string
	invocations chan invocation

	mu      sync.Mutex
	waiting map[string]chan outcome // by request ID
	last    int
}

type invocation struct {
	id       string
	payload  []byte
	deadline time.Time
}

// outcome is the result of an invocation: a response or an error.
type outcome struct {
	failed bool
	body   []byte
}

func newRuntimeAPI(t testing.TB) *runtimeAPI {
	api := &runtimeAPI{invocations: make(chan invocation), waiting: map[string]chan outcome{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", api.next)
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", api.take(false))
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", api.take(true))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close) // the function has ended by then: see start
	api.address = strings.TrimPrefix(server.URL, "http://")
	return api
}

func (api *runtimeAPI) next(w http.ResponseWriter, r *http.Request) {
	select {
	case i := <-api.invocations:
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", i.id)
		w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(i.deadline.UnixMilli(), 10))
		w.Header().Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:us-east-1:123456789012:function:lens")
		_, _ = w.Write(i.payload)
	case <-r.Context().Done():
	}
}

func (api *runtimeAPI) take(failed bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		api.mu.Lock()
		waiting := api.waiting[r.PathValue("id")]
		delete(api.waiting, r.PathValue("id"))
		api.mu.Unlock()
		w.WriteHeader(http.StatusAccepted)
		waiting <- outcome{failed, body}
	}
}

// lambdaProcess is a function in another process.
type lambdaProcess struct {
	t      testing.TB
	api    *runtimeAPI
	cmd    *exec.Cmd
	ended  chan struct{}
	err    error // of the process; valid once it has ended
	stderr testenv.Output
}

// role makes the test binary run another program: "function" runs main.
const role = "LENS_LAMBDA_TEST"

// start starts this program as the function, with its own environment. It stops with the test.
func start(t testing.TB, part string, env ...string) *lambdaProcess {
	t.Helper()
	return startProgram(t, exec.Command(os.Args[0]), append(env, role+"="+part)...)
}

func startProgram(t testing.TB, cmd *exec.Cmd, env ...string) *lambdaProcess {
	t.Helper()
	p := &lambdaProcess{t: t, api: newRuntimeAPI(t), cmd: cmd, ended: make(chan struct{})}
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), "AWS_LAMBDA_RUNTIME_API=" + p.api.address}, env...)
	cmd.Stdout, cmd.Stderr = &p.stderr, &p.stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	return p
}

// kill ends the function if it still runs, so that its log is complete.
func (p *lambdaProcess) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// begin starts an invocation and returns the channel of its outcome.
func (p *lambdaProcess) begin(payload any, within time.Duration) (id string, result chan outcome) {
	p.t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		p.t.Fatal(err)
	}
	result = make(chan outcome, 1)
	p.api.mu.Lock()
	p.api.last++
	id = "8476a536-e9f4-11e8-9739-" + strconv.Itoa(100_000_000_000+p.api.last)
	p.api.waiting[id] = result
	p.api.mu.Unlock()
	select {
	case p.api.invocations <- invocation{id, text, time.Now().Add(within)}:
	case <-p.ended:
		p.t.Fatalf("the function ended: %v", p.err)
	}
	return id, result
}

// invoke runs the function on a payload, for at most a minute.
func (p *lambdaProcess) invoke(payload any) (id string, result outcome) {
	p.t.Helper()
	id, waiting := p.begin(payload, time.Minute)
	return id, p.await(waiting)
}

func (p *lambdaProcess) await(waiting chan outcome) (result outcome) {
	p.t.Helper()
	select {
	case result = <-waiting:
	case <-p.ended:
		p.t.Fatalf("the function ended: %v", p.err)
	}
	return result
}

// reply is a response as the gateway reads it.
type reply struct {
	StatusCode        int
	Headers           map[string]string
	MultiValueHeaders map[string][]string
	Body              string
	IsBase64Encoded   bool
}

// ask invokes the function and returns the response as the gateway reads it.
func (p *lambdaProcess) ask(payload any) (id string, r reply) {
	p.t.Helper()
	id, result := p.invoke(payload)
	return id, p.read(result)
}

func (p *lambdaProcess) read(result outcome) (r reply) {
	p.t.Helper()
	if err := json.Unmarshal(result.body, &r); err != nil || result.failed {
		p.t.Fatalf("failed %v: %s", result.failed, result.body)
	}
	return r
}

// terminate ends the function as Lambda does, and waits for it.
func (p *lambdaProcess) terminate() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	<-p.ended
	if p.err != nil {
		p.t.Errorf("the function ended with %v", p.err)
	}
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"lens/agent/agenttest"
	"lens/internal/testenv"
	"lens/retrieval/embed/embedtest"
	"lens/store/shard/s3/s3test"
)

// served is a lens serve in another process.
type served struct {
	t   *testing.T
	url string
	dir string
	env []string
	cmd *exec.Cmd

	said testenv.Output // on stderr
	read chan struct{}
	end  func() error // waits for the process
}

// endsAtOnce spares every lens under the race detector the second that it otherwise waits before it exits.
const endsAtOnce = "GORACE=atexit_sleep_ms=10"

// environmentOf returns an environment with a home in dir and the given variables.
func environmentOf(dir string, more ...string) []string {
	return append([]string{endsAtOnce, "PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "LENS_EMBEDDING=none"}, more...)
}

// runLens runs lens, which must succeed, and returns its output.
func runLens(t *testing.T, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command("lens", args...)
	cmd.Env = env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("lens %v: %v", args, err)
	}
	return string(out)
}

// serveChats imports some chats and serves them.
func serveChats(t *testing.T, env ...string) *served {
	t.Helper()
	dir := t.TempDir()
	all := environmentOf(dir, env...)
	runLens(t, all, "import", "--no-embed", "testdata/fixtures/chats.json")
	return serveLens(t, dir, all, exec.Command("lens", "serve", "--addr", "127.0.0.1:0"))
}

// serveLens starts cmd and waits until it prints its address.
func serveLens(t *testing.T, dir string, env []string, cmd *exec.Cmd) *served {
	t.Helper()
	s := &served{t: t, dir: dir, env: env, cmd: cmd, read: make(chan struct{})}
	cmd.Env = env
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.end = sync.OnceValue(func() error {
		<-s.read
		return cmd.Wait()
	})
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has already ended, unless the test failed
		_ = s.end()
	})
	lines := bufio.NewReader(stderr)
	for s.url == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the server does not start: %s%s", &s.said, line)
		}
		_, _ = io.WriteString(&s.said, line)
		if _, at, ok := strings.Cut(strings.TrimSpace(line), " at http://"); ok {
			s.url = "http://" + at
		}
	}
	go func() {
		defer close(s.read)
		_, _ = io.Copy(&s.said, lines)
	}()
	return s
}

// terminate ends the server with SIGTERM. It must exit successfully within five seconds.
func (s *served) terminate() {
	s.t.Helper()
	begun := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	if err := s.end(); err != nil {
		s.t.Errorf("the server ended with %v\n%s", err, s.said.String())
	}
	if took := time.Since(begun); took > 5*time.Second {
		s.t.Errorf("the server took %v to end", took)
	}
}

// get requests a path and returns status and body.
func (s *served) get(path string, headers ...string) (int, string) {
	s.t.Helper()
	return s.ask("GET", path, "", headers...)
}

// post sends JSON and returns status and body.
func (s *served) post(path, body string) (int, string) {
	s.t.Helper()
	return s.ask("POST", path, body, "Content-Type", "application/json")
}

// ask sends a request; headers come in pairs.
func (s *served) ask(method, path, body string, headers ...string) (int, string) {
	s.t.Helper()
	response, err := http.DefaultClient.Do(s.request(method, path, body, headers...))
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func (s *served) request(method, path, body string, headers ...string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.Close = true
	return r
}

var timing = regexp.MustCompile(`"(embed|search|total)":[0-9.e-]+`)

// untimed returns a document on one line, with 0 in place of every duration.
func untimed(t *testing.T, document string) string {
	t.Helper()
	var text bytes.Buffer
	if err := json.Compact(&text, []byte(document)); err != nil {
		t.Errorf("%v: %s", err, document)
	}
	return timing.ReplaceAllString(text.String(), `"$1":0`)
}

func TestServe_SameAsCommandLine(t *testing.T) {
	s := serveChats(t)
	for _, c := range []struct {
		path string
		args []string
	}{
		{"/retrieval/peek?query=sourdough", []string{"peek", "sourdough"}},
		{"/retrieval/peek?query=sourdough+starter&top_k=3&top_n_snippets=1&bin=month&mode=keyword&start_time=2020&end_time=2030", []string{
			"peek", "sourdough starter", "--top-k", "3", "--snippets", "1", "--bin", "month", "--mode", "keyword", "--since", "2020", "--until", "2030",
		}},
		{"/retrieval/activity?bin=month", []string{"activity", "--bin", "month"}},
		{"/retrieval/about?when=2024", []string{"about", "2024"}},
		{"/retrieval/compare?query=sourdough&query=rye&bin=month", []string{"compare", "sourdough", "rye", "--bin", "month"}},
	} {
		want := runLens(t, s.env, append(c.args, "--json")...)
		if status, got := s.get(c.path); status != 200 || untimed(t, got) != untimed(t, want) {
			t.Errorf("%s: %d\n%s\nand on the command line\n%s", c.path, status, got, want)
		}
		if id := regexp.MustCompile(`"turn_id": "([0-9a-f-]{36})"`).FindStringSubmatch(want); id != nil {
			want := runLens(t, s.env, "turn", id[1], "--json")
			if status, got := s.get("/retrieval/turn/" + id[1]); status != 200 || untimed(t, got) != untimed(t, want) {
				t.Errorf("turn %s: %d\n%s\nand on the command line\n%s", id[1], status, got, want)
			}
		} else if c.args[0] == "peek" {
			t.Errorf("%v finds nothing to compare", c.args)
		}
	}
	s.terminate()
}

func TestServe_MissingIndex(t *testing.T) {
	dir := t.TempDir()
	s := serveLens(t, dir, environmentOf(dir), exec.Command("lens", "serve", "--addr", "127.0.0.1:0", "--shards", filepath.Join(dir, "nowhere")))
	if said := s.said.String(); !strings.HasPrefix(said, "error: ") || !strings.Contains(said, "hint: the server starts anyway") {
		t.Errorf("stderr is %q", said)
	}
	if status, body := s.get("/retrieve?q=bread"); status != http.StatusNotFound {
		t.Errorf("/retrieve: %d %s", status, body)
	}
	if status, body := s.get("/readyz"); status != http.StatusNotFound {
		t.Errorf("ready: %d %s", status, body)
	}
	s.terminate()
}

// TestServe_SilentS3 counts requests: the server must start before the SDK retries.
func TestServe_SilentS3(t *testing.T) {
	var asked atomic.Int32
	bucket := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		<-r.Context().Done()
	}))
	t.Cleanup(bucket.Close)
	s3test.Environment(t, bucket.URL)
	dir := t.TempDir()
	env := environmentOf(dir)
	for _, name := range s3Variables {
		env = append(env, name+"="+os.Getenv(name))
	}
	s := serveLens(t, dir, env, exec.Command("lens", "serve", "--addr", "127.0.0.1:0", "--shards", "s3://silent/index"))
	if n := asked.Load(); n > 1 || !strings.Contains(s.said.String(), "S3 did not answer in time\nhint: the server starts anyway") {
		t.Errorf("%d requests, stderr is %q", n, s.said.String())
	}
	if status, body := s.get("/healthz"); status != http.StatusOK {
		t.Errorf("healthy: %d %s", status, body)
	}
	if status, body := s.get("/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("ready: %d %s", status, body)
	}
	s.terminate()
}

// TestServe_ReadyWithIndexAndArchive serves a published index with an archive and without one, and then without the
// index.
func TestServe_ReadyWithIndexAndArchive(t *testing.T) {
	model := embedtest.New(t, embedtest.Options{Key: "the-key"})
	home, at := t.TempDir(), filepath.Join(t.TempDir(), "index")
	own := []string{"LENS_EMBEDDING=openai", "OPENAI_BASE_URL=" + model.URL, "OPENAI_API_KEY=the-key"}
	env := environmentOf(home, own...)
	records := filepath.Join(home, "records.jsonl")
	must(t, os.WriteFile(records, []byte(`{"id":"7","text":"A villain in a mask rules."}`), 0o600))
	runLens(t, env, "import", "--no-embed", records)
	runLens(t, env, "embed", "--yes")
	runLens(t, env, "shard", "publish", at)
	for _, home := range []string{home, t.TempDir()} {
		s := serveLens(t, home, environmentOf(home, own...), exec.Command("lens", "serve", "--addr", "127.0.0.1:0", "--shards", at))
		for _, path := range []string{"/readyz", "/retrieve?q=villain"} {
			if status, body := s.get(path); status != http.StatusOK {
				t.Errorf("%s: %d %s", path, status, body)
			}
		}
		s.terminate()
	}
	must(t, os.RemoveAll(at))
	s := serveLens(t, home, env, exec.Command("lens", "serve", "--addr", "127.0.0.1:0", "--shards", at))
	if status, body := s.get("/readyz"); status != http.StatusNotFound {
		t.Errorf("without the index: %d %s", status, body)
	}
	s.terminate()
}

// TestServe_SIGTERMEndsStreams ends the server while a model stalls in the middle of its answers. Nothing private is
// logged.
func TestServe_SIGTERMEndsStreams(t *testing.T) {
	const canary = "canary-5b1d" // in a later question of a chat: the first answer would be held back
	model := agenttest.New(t, agenttest.Script{Replies: []agenttest.Reply{{Text: strings.Repeat(canary+" ", 50), Fault: agenttest.Fault{Stall: 3000}}}})
	s := serveChats(t, "OPENAI_BASE_URL="+model.URL, "OPENAI_API_KEY=sk-"+canary, "LENS_CHAT_MODEL=m", "LENS_API_KEYS=key-of-"+canary)
	const streams = 8
	ends := make(chan string, streams)
	for range streams {
		response, err := http.DefaultClient.Do(s.request("POST", "/chat", `{"messages":[{"role":"user","content":"What?"},
			{"role":"assistant","content":"That."},{"role":"user","content":"`+canary+`?"}]}`,
			"Content-Type", "application/json", "Authorization", "Bearer key-of-"+canary))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		stream := bufio.NewReader(response.Body)
		for line := ""; !strings.HasPrefix(line, "event: delta"); {
			if line, err = stream.ReadString('\n'); err != nil {
				t.Fatalf("no text arrived: %v", err)
			}
		}
		go func() {
			rest, err := io.ReadAll(stream)
			if err != nil {
				rest = []byte(err.Error())
			}
			ends <- string(rest[max(0, bytes.LastIndex(rest, []byte("event: "))):])
		}()
	}
	s.get("/retrieval/peek?query="+canary, "Authorization", "Bearer key-of-"+canary)
	s.get("/retrieval/peek?query="+canary, "Authorization", "Bearer other-"+canary)
	begun := time.Now()
	s.terminate()
	if took := time.Since(begun); took < drain {
		t.Errorf("the server waited %v for the answers, want %v", took, drain)
	}
	for range streams {
		if last := <-ends; !strings.HasPrefix(last, "event: error\n") || !strings.Contains(last, "shutting down") {
			t.Errorf("a stream ended with %q", last)
		}
	}
	logged, _ := os.ReadFile(filepath.Join(s.dir, "lens", "lens.log")) // it exists only after an error
	if all := s.said.String() + string(logged); strings.Contains(all, canary) || !strings.Contains(all, `"route":"/chat"`) {
		t.Errorf("logged:\n%s", all)
	}
}

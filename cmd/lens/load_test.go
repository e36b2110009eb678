package main

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// load has the sizes of make load. With the defaults, the test only checks that the measurement works.
var load = struct {
	turns, dim, requests, clients *int
	keep, profile                 *string
}{
	flag.Int("load.turns", 200, "turns of the archive"),
	flag.Int("load.dim", 64, "dims of their vectors"),
	flag.Int("load.requests", 80, "requests that are measured"),
	flag.Int("load.clients", 8, "clients that ask at the same time"),
	flag.String("load.keep", "", "folder to keep the archive in"),
	flag.String("load.profile", "", "file for ten seconds of the server's processor profile"),
}

// loadQueries is less than the engine's cache of query vectors and much more than its cache of scores: every request is
// a full search without its embedding.
const loadQueries = 64

// TestLoad sends peeks to a lens serve in another process from several clients at once, and prints its latency and
// memory.
func TestLoad(t *testing.T) {
	dir := *load.keep
	if dir == "" {
		dir = t.TempDir()
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, fmt.Sprintf("%dx%d", *load.turns, *load.dim))
	makeLoadArchive(t, filepath.Join(dir, "lens"), *load.turns, *load.dim)
	env := environmentOf(dir, "OPENAI_BASE_URL="+loadEmbedder(t, *load.dim), "LENS_EMBEDDING=openai", "LENS_EMBEDDING_MODEL="+loadModel)
	s := serveLens(t, dir, env, exec.Command("lens", "serve", "--addr", "127.0.0.1:0", "--rate", "1e9", "--pprof"))

	ask := loadPaths()
	drive(t, s.url, ask, 2*len(ask), 1) // every query is embedded, and every column derived
	drive(t, s.url, ask, *load.requests/20, *load.clients)
	before := s.holds()
	profiled := s.profile(*load.profile)
	var took []time.Duration
	var spent time.Duration
	for quarter := range 4 {
		began := time.Now()
		took = append(took, drive(t, s.url, ask, *load.requests/4, *load.clients)...)
		spent += time.Since(began)
		now := s.holds()
		t.Logf("after %d requests: %s, of which Go holds %d MB", len(took), now.memory, now.live>>20)
		if quarter == 3 && (before.live == 0 || now.live > 2*before.live+16<<20) {
			t.Errorf("Go held %d MB before, %d MB now", before.live>>20, now.live>>20)
		}
	}
	<-profiled
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	after := s.settles(before)

	slices.Sort(took)
	at := func(percent float64) float64 { return inMilliseconds(took[int(float64(len(took)-1)*percent/100)]) }
	t.Logf("%d turns × %d, %d clients, %d requests on %d cores, load average %s", *load.turns, *load.dim, *load.clients, len(took), runtime.NumCPU(), loadAverage())
	t.Logf("%.0f requests/s   p50 %.1f ms   p95 %.1f ms   p99 %.1f ms   slowest %.1f ms", float64(len(took))/spent.Seconds(), at(50), at(95), at(99), at(100))
	t.Logf("the server's processor time: %.2f ms a request", inMilliseconds(after.cpu-before.cpu)/float64(len(took)))
	t.Logf("memory before %s   after %s   goroutines before %d   after %d", before.memory, after.memory, before.goroutines, after.goroutines)
	if after.goroutines > before.goroutines {
		t.Errorf("%d goroutines are left over", after.goroutines-before.goroutines)
	}
	s.terminate()
}

// loadPaths returns the requested paths: each query over all time, and within a year.
func loadPaths() (all []string) {
	words := []string{"sourdough", "rust", "guitar", "japan", "garden", "baby", "server", "marathon", "tax", "kitchen", "portuguese", "interview"}
	for i := range loadQueries {
		query := words[i%len(words)] + " " + words[(i*5+1)%len(words)] + " " + strconv.Itoa(i)
		path := "/retrieval/peek?query=" + url.QueryEscape(query)
		all = append(all, path, path+"&start_time=2024&end_time=2025")
	}
	return all
}

// drive sends requests from several clients at once and returns how long each answer took.
func drive(t *testing.T, server string, paths []string, requests, clients int) []time.Duration {
	t.Helper()
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = clients
	took := make([]time.Duration, requests)
	var next atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < requests; i = int(next.Add(1)) - 1 {
				began := time.Now()
				what, body := askOnce(server + paths[i%len(paths)])
				took[i] = time.Since(began)
				if what != "200 " || !strings.Contains(body, `"mode": "hybrid"`) {
					t.Errorf("request %d: %s %.200s", i, what, body)
					return
				}
			}
		})
	}
	all.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return took
}

// held is the resources that a process holds.
type held struct {
	memory     string // anonymous memory, without mapped files
	live       int    // bytes of Go's heap after a collection; the rest of memory is garbage and SQLite's page caches
	goroutines int
	cpu        time.Duration // used so far
}

var (
	goroutines = regexp.MustCompile(`(?m)^go_goroutines (\d+)$`)
	live       = regexp.MustCompile(`(?m)^# HeapAlloc = (\d+)$`)
	anonymous  = regexp.MustCompile(`(?m)^RssAnon:\s*(\d+) kB$`)
)

func (s *served) holds() (h held) {
	s.t.Helper()
	_, metrics := s.get("/metrics")
	if n := goroutines.FindStringSubmatch(metrics); n != nil {
		h.goroutines, _ = strconv.Atoi(n[1])
	}
	_, heap := s.get("/debug/pprof/heap?gc=1&debug=1")
	if n := live.FindStringSubmatch(heap); n != nil {
		h.live, _ = strconv.Atoi(n[1])
	}
	h.memory = "unknown"
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid)) // on Linux
	if n := anonymous.FindSubmatch(status); n != nil {
		kilobytes, _ := strconv.Atoi(string(n[1]))
		h.memory = fmt.Sprintf("%d MB", kilobytes/1024)
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if _, fields, ok := bytes.Cut(stat, []byte(") ")); ok {
		for _, ticks := range bytes.Fields(fields)[11:13] { // user and system, a hundred a second
			n, _ := strconv.Atoi(string(ticks))
			h.cpu += time.Duration(n) * 10 * time.Millisecond
		}
	}
	return h
}

// settles waits until the goroutines of closed connections have ended, for at most 1,000 tries.
func (s *served) settles(before held) held {
	s.t.Helper()
	after := s.holds()
	for tries := 0; after.goroutines > before.goroutines && tries < 1000; tries++ {
		after = s.holds()
	}
	return after
}

// profile writes a profile of the server's next ten seconds to file, unless file is "".
func (s *served) profile(file string) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		if file != "" {
			_, text := s.get("/debug/pprof/profile?seconds=10")
			_ = os.WriteFile(file, []byte(text), 0o600)
		}
	}()
	return done
}

func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	one, _, _ := strings.Cut(string(text), " ")
	return one
}

package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
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
	"text/tabwriter"
	"time"
)

// load has the sizes of make load. With the defaults, the test only checks that the measurement works.
var load = struct {
	turns, clients, mode *string
	dim, requests        *int
	keep, profile, base  *string
}{
	flag.String("load.turns", "200", "turns of the archives, a list"),
	flag.String("load.clients", "1,8", "clients that ask at the same time, a list"),
	flag.String("load.mode", "hybrid", "how the peeks rank: hybrid, keyword or dense"),
	flag.Int("load.dim", 64, "dims of the archives' vectors"),
	flag.Int("load.requests", 80, "requests that are measured, for each archive and number of clients"),
	flag.String("load.keep", "", "folder to keep the archives in"),
	flag.String("load.profile", "", "file for ten seconds of the processor profile of the last row"),
	flag.String("load.base", "", "another lens to compare with"),
}

// loadQueries is less than the engine's cache of query vectors and much more than its cache of scores: every request is
// a full search without its embedding.
const loadQueries = 64

// TestLoad sends peeks to a lens serve in another process from several clients at once, and prints a table of its
// throughput, latency, processor time and memory. The first request is the one after /readyz.
func TestLoad(t *testing.T) {
	dir := *load.keep
	if dir == "" {
		dir = t.TempDir()
	}
	dir, err := filepath.Abs(dir)
	must(t, err)
	sizes, clients := numbers(t, *load.turns), numbers(t, *load.clients)
	var table strings.Builder
	rows := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(rows, "lens\tturns\tclients\tfirst ms\trequests/s\tp50 ms\tp99 ms\tCPU ms/request\tmemory\t\n")
	for _, turns := range sizes {
		for _, binary := range []string{*load.base, "lens"} {
			if binary == "" {
				continue
			}
			m := &loaded{binary: binary, turns: turns, dir: filepath.Join(dir, fmt.Sprintf("%dx%d", turns, *load.dim))}
			if m.name = "this"; binary != "lens" {
				m.name, m.dir = "base", m.dir+"-base"
			}
			m.measure(t, rows, clients, binary == "lens" && turns == sizes[len(sizes)-1])
		}
	}
	must(t, rows.Flush())
	t.Logf("%s peeks, vectors of %d dims, %d requests each, %d cores, load average %s\n%s",
		*load.mode, *load.dim, *load.requests, runtime.NumCPU(), loadAverage(), &table)
}

func numbers(t *testing.T, list string) (all []int) {
	for _, field := range strings.Split(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		must(t, err)
		all = append(all, n)
	}
	return all
}

// loaded is a binary over an archive.
type loaded struct {
	binary, name, dir string
	turns             int
}

// measure starts the binary and adds a row for each number of clients. The last row may be profiled.
func (m *loaded) measure(t *testing.T, rows io.Writer, clients []int, profiled bool) {
	t.Helper()
	env := environmentOf(m.dir, "OPENAI_BASE_URL="+loadEmbedder(t, *load.dim), "LENS_EMBEDDING=openai", "LENS_EMBEDDING_MODEL="+loadModel)
	if m.name == "base" { // an older Lens cannot open an archive of this one
		makeLoadArchiveWith(t, m.binary, m.dir, env, m.turns)
	} else {
		makeLoadArchive(t, filepath.Join(m.dir, "lens"), m.turns, *load.dim)
	}
	s := serveLens(t, m.dir, env, exec.Command(m.binary, "serve", "--addr", "127.0.0.1:0", "--rate", "1e9", "--pprof"))
	for tries := 0; ; tries++ {
		status, answer := s.get("/readyz")
		if status == http.StatusOK {
			break
		}
		if tries == 6000 {
			t.Fatalf("%s is not ready after a minute: %s (an archive of a newer Lens? remove %s)", m.name, answer, m.dir)
		}
		time.Sleep(10 * time.Millisecond)
	}
	ask := loadPaths()
	first := drive(t, s.url, ask[len(ask)-2:], 1, 1)[0]
	drive(t, s.url, ask, 2*len(ask), 1) // every query is embedded, and every column derived
	for i, n := range clients {
		drive(t, s.url, ask, *load.requests/20, n)
		before := s.holds()
		file := ""
		if profiled && i == len(clients)-1 {
			file = *load.profile
		}
		ended := s.profile(file)
		began := time.Now()
		took := drive(t, s.url, ask, *load.requests, n)
		spent := time.Since(began)
		<-ended
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		after := s.settles(before)
		slices.Sort(took)
		at := func(percent float64) float64 { return inMilliseconds(took[int(float64(len(took)-1)*percent/100)]) }
		fmt.Fprintf(rows, "%s\t%d\t%d\t%.0f\t%.0f\t%.1f\t%.1f\t%.2f\t%s\t\n", m.name, m.turns, n, inMilliseconds(first),
			float64(len(took))/spent.Seconds(), at(50), at(99), inMilliseconds(after.cpu-before.cpu)/float64(len(took)), after.memory)
		if before.live == 0 || after.live > 2*before.live+16<<20 {
			t.Errorf("Go held %d MB before, %d MB now", before.live>>20, after.live>>20)
		}
		if after.goroutines > before.goroutines {
			t.Errorf("%d goroutines are left over", after.goroutines-before.goroutines)
		}
	}
	s.terminate()
}

// loadPaths returns the requested paths: each query over all time, and within a year.
func loadPaths() (all []string) {
	words := []string{"sourdough", "rust", "guitar", "japan", "garden", "baby", "server", "marathon", "tax", "kitchen", "portuguese", "interview"}
	for i := range loadQueries {
		query := words[i%len(words)] + " " + words[(i*5+1)%len(words)] + " " + strconv.Itoa(i)
		path := "/retrieval/peek?mode=" + *load.mode + "&query=" + url.QueryEscape(query)
		all = append(all, path, path+"&start_time=2024&end_time=2025")
	}
	return all
}

// drive sends requests from several clients at once and returns how long each answer took.
func drive(t *testing.T, server string, paths []string, requests, clients int) []time.Duration {
	t.Helper()
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = clients
	http.DefaultTransport.(*http.Transport).DisableCompression = true // costs both sides, which share the cores
	asked := regexp.MustCompile(`"mode": ?"` + *load.mode + `"`)      // in every answer, in any layout of JSON
	took := make([]time.Duration, requests)
	var next atomic.Int64
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < requests; i = int(next.Add(1)) - 1 {
				began := time.Now()
				what, body := askOnce(server + paths[i%len(paths)])
				took[i] = time.Since(began)
				if what != "200 " || !asked.MatchString(body) {
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

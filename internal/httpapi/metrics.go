package httpapi

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"
)

// meters counts what the server does and tells it in Prometheus' text format. The official client would tell more, and cost every start of
// Lens more than all of this package.
type meters struct {
	streams func() int

	mu       sync.Mutex
	requests map[answered]uint64
	took     map[string]*histogram // by route
}

// answered is what requests are counted by. Its values are the server's own words, so that there are only so many.
type answered struct {
	method, route string
	status        int
}

// bounds are the upper bounds of a histogram's buckets, in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .02, .04, .08, .16, .5, 1, 5, 30}

// histogram counts durations: those up to each of bounds and above the one before, and the longer ones at the end.
type histogram struct {
	counts [len(bounds) + 1]uint64
	sum    float64
}

func newMeters(streams func() int) *meters {
	return &meters{streams: streams, requests: map[answered]uint64{}, took: map[string]*histogram{}}
}

func (m *meters) count(method, route string, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[answered{method, route, status}]++
	h := m.took[route]
	if h == nil {
		h = new(histogram)
		m.took[route] = h
	}
	bucket, _ := slices.BinarySearch(bounds[:], took.Seconds())
	h.counts[bucket]++
	h.sum += took.Seconds()
}

// write writes everything, in order.
func (m *meters) write(out *bytes.Buffer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	head(out, "lens_http_requests_total", "counter", "Requests that were answered.")
	for _, a := range sorted(m.requests, func(a, b answered) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.method, b.method), cmp.Compare(a.status, b.status))
	}) {
		fmt.Fprintf(out, "lens_http_requests_total{method=%q,route=%q,status=\"%d\"} %d\n", a.method, a.route, a.status, m.requests[a])
	}
	head(out, "lens_http_request_seconds", "histogram", "How long they took.")
	for _, route := range sorted(m.took, cmp.Compare[string]) {
		m.took[route].write(out, route)
	}
	head(out, "lens_http_streams", "gauge", "Answers under way.")
	fmt.Fprintf(out, "lens_http_streams %d\n", m.streams())
	writeProcess(out)
}

func (h *histogram) write(out *bytes.Buffer, route string) {
	var up uint64
	for i, n := range h.counts {
		up += n
		bound := "+Inf"
		if i < len(bounds) {
			bound = strconv.FormatFloat(bounds[i], 'g', -1, 64)
		}
		fmt.Fprintf(out, "lens_http_request_seconds_bucket{route=%q,le=%q} %d\n", route, bound, up)
	}
	fmt.Fprintf(out, "lens_http_request_seconds_sum{route=%q} %g\nlens_http_request_seconds_count{route=%q} %d\n", route, h.sum, route, up)
}

// writeProcess writes what the Go runtime knows, under the names that Prometheus' own clients use.
func writeProcess(out *bytes.Buffer) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	head(out, "go_goroutines", "gauge", "Goroutines that exist.")
	fmt.Fprintf(out, "go_goroutines %d\n", runtime.NumGoroutine())
	head(out, "go_memstats_heap_inuse_bytes", "gauge", "Bytes of the heap in use.")
	fmt.Fprintf(out, "go_memstats_heap_inuse_bytes %d\n", memory.HeapInuse)
	head(out, "go_memstats_sys_bytes", "gauge", "Bytes that Go has from the system.")
	fmt.Fprintf(out, "go_memstats_sys_bytes %d\n", memory.Sys)
}

func head(out *bytes.Buffer, name, kind, help string) {
	fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

// sorted returns the keys of a map in order.
func sorted[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compare)
	return keys
}

func (s *Server) metricsRoute() route {
	return route{
		method: http.MethodGet, path: "/metrics", summary: "Counters for Prometheus",
		replies: []reply{{http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", "Prometheus' text format.", nil}},
		handle: func(w http.ResponseWriter, r *http.Request) error {
			if err := noQuery(r); err != nil {
				return err
			}
			var text bytes.Buffer
			s.meters.write(&text)
			return sendText(w, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", text.Bytes())
		},
	}
}

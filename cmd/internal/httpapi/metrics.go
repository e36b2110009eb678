package httpapi

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"
)

// metrics counts requests and writes Prometheus' text format. The official client library would report more, but would
// add 2.4 MB to Lens.
type metrics struct {
	streams func() int

	mu       sync.Mutex
	requests map[requestLabels]uint64
	took     map[string]*histogram // by route
}

// requestLabels are the labels by which requests are counted. Their values are fixed, so the number of series is
// bounded.
type requestLabels struct {
	method, route string
	status        int
}

// bounds are the upper bounds of the histogram's buckets, in seconds.
var bounds = [...]float64{.001, .0025, .005, .01, .02, .04, .08, .16, .5, 1, 5, 30}

// histogram counts durations by bucket; the last counts those above all bounds.
type histogram struct {
	counts [len(bounds) + 1]uint64
	sum    float64
}

func newMetrics(streams func() int) *metrics {
	return &metrics{streams: streams, requests: map[requestLabels]uint64{}, took: map[string]*histogram{}}
}

func (m *metrics) count(method, route string, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[requestLabels{method, route, status}]++
	h := m.took[route]
	if h == nil {
		h = new(histogram)
		m.took[route] = h
	}
	bucket, _ := slices.BinarySearch(bounds[:], took.Seconds())
	h.counts[bucket]++
	h.sum += took.Seconds()
}

// write writes all metrics in a fixed order.
func (m *metrics) write(out *bytes.Buffer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	head(out, "lens_http_requests_total", "counter", "Requests served.")
	for _, a := range slices.SortedFunc(maps.Keys(m.requests), func(a, b requestLabels) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.method, b.method), cmp.Compare(a.status, b.status))
	}) {
		fmt.Fprintf(out, "lens_http_requests_total{method=%q,route=%q,status=\"%d\"} %d\n",
			a.method, a.route, a.status, m.requests[a])
	}
	head(out, "lens_http_request_seconds", "histogram", "Request duration in seconds.")
	for _, route := range slices.Sorted(maps.Keys(m.took)) {
		m.took[route].write(out, route)
	}
	head(out, "lens_http_streams", "gauge", "Streams in progress.")
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
	fmt.Fprintf(out, "lens_http_request_seconds_sum{route=%q} %g\n", route, h.sum)
	fmt.Fprintf(out, "lens_http_request_seconds_count{route=%q} %d\n", route, up)
}

// writeProcess writes metrics of the Go runtime under the names that Prometheus' own clients use.
func writeProcess(out *bytes.Buffer) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	head(out, "go_goroutines", "gauge", "Number of goroutines.")
	fmt.Fprintf(out, "go_goroutines %d\n", runtime.NumGoroutine())
	head(out, "go_memstats_heap_inuse_bytes", "gauge", "Heap bytes in use.")
	fmt.Fprintf(out, "go_memstats_heap_inuse_bytes %d\n", memory.HeapInuse)
	head(out, "go_memstats_sys_bytes", "gauge", "Bytes obtained from the system.")
	fmt.Fprintf(out, "go_memstats_sys_bytes %d\n", memory.Sys)
}

func head(out *bytes.Buffer, name, kind, help string) {
	fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

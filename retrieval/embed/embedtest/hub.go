package embedtest

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Hub serves model files as a model hub does: on loopback, at /REPOSITORY/resolve/REVISION/FILE, with ranges. Its
// methods are safe to call at any time.
type Hub struct {
	URL string

	hangs  chan struct{} // closed when the test is over
	half   chan struct{} // closed when half of a file has been sent
	mu     sync.Mutex
	files  map[string][]byte // by REPOSITORY/resolve/REVISION/FILE
	fault  HubFault
	ranges []string
}

// HubFault is one way for a hub to fail.
type HubFault string

// A fault meets the first file of more than 10,000 bytes that is asked for, once.
const (
	NoFault  HubFault = ""
	CutHalf  HubFault = "cut"   // the connection ends in the middle of the file
	HangHalf HubFault = "hang"  // nothing comes after the middle of the file
	Spoil    HubFault = "spoil" // a byte in the middle is changed
	Gone     HubFault = "gone"  // 404
	Moved    HubFault = "moved" // a redirect to another host, as for large files
)

// NewHub starts a hub that ends with the test.
func NewHub(t testing.TB) *Hub {
	h := &Hub{files: map[string][]byte{}, hangs: make(chan struct{}), half: make(chan struct{})}
	server := httptest.NewServer(h)
	elsewhere := httptest.NewServer(h)
	h.URL = server.URL
	server.Config.Handler = h.with(strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1))
	t.Cleanup(func() {
		close(h.hangs)
		server.Close()
		elsewhere.Close()
	})
	return h
}

// Publish puts a model's files on the hub.
func (h *Hub) Publish(repository, revision string, files map[string][]byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, data := range files {
		h.files[path.Join(repository, "resolve", revision, name)] = data
	}
}

// Fail makes the hub fail once.
func (h *Hub) Fail(fault HubFault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fault = fault
}

// HalfSent is closed once HangHalf has sent half of a file and holds back the rest.
func (h *Hub) HalfSent() <-chan struct{} { return h.half }

// Ranges returns the Range header of each request, "" for none.
func (h *Hub) Ranges() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]string(nil), h.ranges...)
}

// ServeHTTP serves a file without any fault.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if data, ok := h.file(r); ok {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
	} else {
		http.NotFound(w, r)
	}
}

func (h *Hub) file(r *http.Request) ([]byte, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	data, ok := h.files[strings.TrimPrefix(r.URL.Path, "/")]
	return data, ok
}

// with returns the hub's handler with its faults.
func (h *Hub) with(elsewhere string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, _ := h.file(r)
		switch h.next(r, len(data)) {
		case Gone:
			http.NotFound(w, r)
		case Moved:
			http.Redirect(w, r, elsewhere+r.URL.Path, http.StatusFound)
		case Spoil:
			data = bytes.Clone(data)
			data[len(data)/2] ^= 1
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		case CutHalf:
			sendHalf(w, r, data)
			panic(http.ErrAbortHandler)
		case HangHalf:
			sendHalf(w, r, data)
			close(h.half)
			select {
			case <-r.Context().Done():
			case <-h.hangs:
			}
		default:
			h.ServeHTTP(w, r)
		}
	}
}

// next records a request and takes its fault.
func (h *Hub) next(r *http.Request, size int) HubFault {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ranges = append(h.ranges, r.Header.Get("Range"))
	if size <= 10_000 {
		return NoFault
	}
	fault := h.fault
	h.fault = NoFault
	return fault
}

// sendHalf promises a file, or the rest of it that was asked for, and sends half of that.
func sendHalf(w http.ResponseWriter, r *http.Request, data []byte) {
	status := http.StatusOK
	var start int
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &start); err == nil && start < len(data) {
		status = http.StatusPartialContent
		w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", start, len(data)-1, len(data)))
	}
	data = data[start:]
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	_, _ = w.Write(data[:len(data)/2])
	_ = http.NewResponseController(w).Flush()
}

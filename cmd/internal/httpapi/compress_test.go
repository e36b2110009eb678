package httpapi

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"
)

// askFor sends a GET that accepts an encoding, and returns the response as it came, with its body decoded.
func askFor(t *testing.T, s *service, path, encoding string) (res *http.Response, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept-Encoding", encoding)
	res, err = http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	from := io.Reader(res.Body)
	if res.Header.Get("Content-Encoding") == "gzip" {
		from, err = gzip.NewReader(res.Body)
		if err != nil {
			t.Fatal(err)
		}
	}
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

func TestCompression_LargeDocuments(t *testing.T) {
	s := start(t, nil)
	_, plain := askFor(t, s, "/openapi.json", "identity")
	res, packed := askFor(t, s, "/openapi.json", "gzip")
	if res.Header.Get("Content-Encoding") != "gzip" || !strings.Contains(res.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("got the header %v", res.Header)
	}
	if packed != plain || len(plain) < minCompressed {
		t.Errorf("%d bytes after decoding, want %d", len(packed), len(plain))
	}
	if res, _ := askFor(t, s, "/openapi.json", "identity"); res.Header.Get("Content-Encoding") != "" {
		t.Error("compressed for a client that does not accept it")
	}
	if res, _ := askFor(t, s, "/healthz", "gzip"); res.Header.Get("Content-Encoding") != "" {
		t.Error("a short response is compressed")
	}
}

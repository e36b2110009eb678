package network

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"lens/internal/sandbox"
)

func TestClient_OfflineDialsOnlyLoopback(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	client := Policy{Offline: true}.Client()
	defer client.CloseIdleConnections()
	reply, err := client.Get(server.URL)
	if err != nil {
		t.Fatalf("loopback: %v", err)
	}
	_ = reply.Body.Close()
	for _, address := range []string{"http://192.0.2.1/", "http://[2001:db8::1]/", "http://10.0.0.1:11434/v1"} {
		if _, err := client.Get(address); !errors.Is(err, sandbox.ErrOffline) {
			t.Errorf("%s: got %v", address, err)
		}
	}
}

func TestClient_RedirectToAnotherServer(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	first := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer first.Close()
	client := Policy{}.Client()
	defer client.CloseIdleConnections()
	if _, err := client.Post(first.URL, "text/plain", strings.NewReader("a text")); err == nil || reached {
		t.Errorf("the redirect was followed: %v, %v", reached, err)
	}
}

func TestClient_DownloadRedirects(t *testing.T) {
	request := func(url string) *http.Request {
		r, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		from, to string
		refused  bool
	}{
		{"https://hub.example/a", "https://cdn.example/a", false},
		{"http://127.0.0.1:1/a", "http://127.0.0.1:2/a", false},
		{"https://hub.example/a", "http://cdn.example/a", true},
	} {
		if err := stayEncrypted(request(c.to), []*http.Request{request(c.from)}); (err != nil) != c.refused {
			t.Errorf("%s to %s: %v", c.from, c.to, err)
		}
	}
	round := request("https://hub.example/a")
	if stayEncrypted(round, slices.Repeat([]*http.Request{round}, 10)) == nil {
		t.Error("a redirect loop is followed")
	}
}

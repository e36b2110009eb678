package sandbox_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"lens/internal/errs"
	"lens/internal/sandbox"
)

func TestGuard_DialsOnlyLoopback(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			http.Redirect(w, r, "http://203.0.113.7/", http.StatusFound)
		}
		_, _ = io.WriteString(w, "here")
	}))
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DialContext: sandbox.DialContext, DisableKeepAlives: true}}
	for url, reached := range map[string]bool{
		server.URL:                        true,
		server.URL + "/redirect":          false,
		"http://203.0.113.7/":             false,
		"http://[::ffff:203.0.113.7]/":    false,
		"http://3405803783/":              false,
		"http://169.254.169.254/":         false, // cloud metadata
		"http://[::ffff:169.254.169.254]": false,
		"http://example.com/":             false, // refused before any name server is contacted
	} {
		response, err := client.Get(url)
		if err == nil {
			_ = response.Body.Close()
		}
		if (err == nil) != reached {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestGuard_RefusesNameServer(t *testing.T) {
	_, err := sandbox.DialContext(context.Background(), "tcp", "lens.invalid:80")
	if lookup := new(net.DNSError); err == nil || !errors.As(err, &lookup) && !errors.Is(err, sandbox.ErrOffline) {
		t.Errorf("got %v", err)
	}
}

func TestVerify_WithoutEnter(t *testing.T) {
	e, err := sandbox.Verify()
	if !errors.Is(err, sandbox.ErrUnsupported) || errs.CodeOf(err) != errs.Blocked || e.Mechanism != sandbox.None {
		t.Errorf("got %+v, %v", e, err)
	}
	for _, a := range sandbox.SelfTest(context.Background()) {
		if a.Refused {
			t.Errorf("%s is reported as refused", a.Method)
		}
	}
}

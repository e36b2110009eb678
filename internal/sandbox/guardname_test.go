package sandbox

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
)

func TestGuard_AllowsOnlyNamedNameServer(t *testing.T) {
	defer func() { process.allowed = nil }()
	for _, c := range []struct {
		named   string
		network string
		address string
		refused bool
	}{
		{"", "udp4", "127.0.0.53:53", true},
		{"", "tcp6", "[::1]:53", true},
		{"", "udp4", "127.0.0.1:5353", true},
		{"", "tcp4", "127.0.0.1:853", true},
		{"", "tcp4", "127.0.0.1:8053", false},
		{"", "unix", "/run/53", false},
		{"127.0.0.53:53", "tcp4", "127.0.0.53:53", false},
		{"127.0.0.53:53", "tcp4", "127.0.0.1:53", true},
		{"localhost:53", "tcp6", "[::1]:53", false},
		{"localhost:5432", "tcp6", "[::1]:53", true},
		{"203.0.113.7:53", "tcp4", "203.0.113.7:53", true},
	} {
		process.allowed = []string{c.named}
		if err := allowLocal(c.network, c.address, nil); errors.Is(err, ErrOffline) != c.refused {
			t.Errorf("%s with %q named: %v", c.address, c.named, err)
		}
	}
}

func TestSelfTest_DNSUsesSystemNameServer(t *testing.T) {
	var mu sync.Mutex // the resolver asks for A and AAAA records at the same time
	asked := ""
	err := tryDNS(t.Context(), func(_ context.Context, _, address string) (net.Conn, error) {
		mu.Lock()
		defer mu.Unlock()
		if asked == "" || asked == address {
			asked = address
		}
		return nil, ErrOffline
	})
	mu.Lock()
	defer mu.Unlock()
	if asked == "" {
		t.Skip("NO NAME SERVER IS ASKED HERE: ", err)
	}
	if _, port, _ := net.SplitHostPort(asked); !isRefusal(err) || port != "53" || asked == unreachable4 {
		t.Errorf("%s is asked: %v", asked, err)
	}
	if err := tryDNS(t.Context(), guardedDialer.DialContext); !isRefusal(err) {
		t.Errorf("the guard lets names out: %v", err)
	}
}

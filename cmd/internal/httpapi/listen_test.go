package httpapi

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"lens/internal/errs"
)

func TestIsPrivate(t *testing.T) {
	for address, want := range map[string]bool{"127.0.0.1:0": true, "127.8.9.10:0": true, "0.0.0.0:0": false, ":0": false} {
		l, err := Listen(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := IsPrivate(l); got != want {
			t.Errorf("%s: %v", address, got)
		}
		_ = l.Close()
	}
}

func TestListen_UnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lens.sock")
	l, err := Listen("unix:" + path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if !IsPrivate(l) {
		t.Error("a unix socket is not private")
	}
	if _, err := Listen("unix:" + path); !isListenError(err) {
		t.Errorf("two servers on one socket: %v", err)
	}
	_ = l.Close()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("the socket is left behind")
	}
}

func TestListen_StaleSocket(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "stale")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = l.Close()
	again, err := Listen("unix:" + path)
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen("unix:" + file); !isListenError(err) {
		t.Errorf("a file: %v", err)
	}
	if text, err := os.ReadFile(file); string(text) != "mine" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

func TestListen_InvalidAddress(t *testing.T) {
	for _, address := range []string{"", "5367", "localhost", "127.0.0.1:http:1", "127.0.0.1:99999", "unix:", "unix:@abstract", "unix:/no/such/folder/s", "256.0.0.1:0"} {
		if l, err := Listen(address); !isListenError(err) {
			t.Errorf("%q: %v, %v", address, l, err)
		}
	}
}

func isListenError(err error) bool {
	return errs.From(err, "listen") && errs.First(err).Message != ""
}

//go:build linux

package main

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestServe_SystemdSocket passes a listening socket as systemd does: as descriptor 3, with the process's ID in the
// environment.
func TestServe_SystemdSocket(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	socket, err := l.(*net.TCPListener).File()
	must(t, err)
	address := l.Addr().String()
	must(t, l.Close())
	dir := t.TempDir()
	env := environmentOf(dir, "LISTEN_FDS=1")
	runLens(t, env, "import", "--no-embed", "testdata/fixtures/chats.json")
	cmd := exec.Command("sh", "-c", "LISTEN_PID=$$ exec lens serve --addr 127.0.0.1:1")
	cmd.ExtraFiles = []*os.File{socket}
	s := serveLens(t, dir, env, cmd)
	must(t, socket.Close())
	if strings.TrimPrefix(s.url, "http://") != address {
		t.Errorf("serves at %s, want %s", s.url, address)
	}
	if status, _ := s.get("/readyz"); status != 200 {
		t.Errorf("status %d", status)
	}
	s.terminate()
}

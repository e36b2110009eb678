package pgtest

import (
	"bufio"
	_ "embed" // for the script
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// script starts and stops clusters. It is embedded so that tests of every package find it.
//
//go:embed cluster.sh
var script string

// Server is a private server that tests can stop and start, from any goroutine.
type Server struct {
	URL string // of the database that every cluster has

	process  *exec.Cmd
	mu       sync.Mutex // held from a command to its answer
	commands io.WriteCloser
	answers  *bufio.Scanner
}

// NewServer starts a server that no other test uses. It stops when the test ends.
func NewServer(tb testing.TB) *Server {
	tb.Helper()
	return newServer(tb)
}

// NewServerWithoutPgvector starts a server without pgvector.
func NewServerWithoutPgvector(tb testing.TB) *Server {
	tb.Helper()
	return newServer(tb, "LENS_PGTEST_BARE=1")
}

func newServer(tb testing.TB, environment ...string) *Server {
	tb.Helper()
	skipIfAsked(tb)
	s, err := start(environment...)
	if err != nil {
		tb.Fatalf("NO POSTGRES TO TEST WITH: %v\nSet %s=%s to skip these tests.", err, EnvVar, skip)
	}
	tb.Cleanup(func() {
		if err := s.close(); err != nil {
			tb.Errorf("pgtest: stopping the server: %v", err)
		}
	})
	return s
}

// Database returns the URL of a new database on this server.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	return WithDatabase(tb, s.URL, newDatabase(tb, s.URL))
}

// Stop ends the server immediately, like a crash.
func (s *Server) Stop(tb testing.TB) {
	tb.Helper()
	s.command(tb, "stop")
}

// Start starts the server again, on the same port.
func (s *Server) Start(tb testing.TB) {
	tb.Helper()
	s.command(tb, "start")
}

// Restart closes all connections, as an administrator would, and starts the server again.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	s.command(tb, "restart")
}

// start runs a session of the script. The server runs as long as the script's standard input is open:
// the system closes it when this process ends, for whatever reason.
func start(environment ...string) (*Server, error) {
	process := exec.Command("bash", "-c", script, "cluster.sh", "session")
	process.Env = append(os.Environ(), environment...)
	process.Stderr = os.Stderr
	commands, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	s := &Server{process: process, commands: commands, answers: bufio.NewScanner(output)}
	if s.URL, err = s.answer(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *Server) command(tb testing.TB, command string) {
	tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := fmt.Fprintln(s.commands, command); err != nil {
		tb.Fatalf("pgtest: %s: %v", command, err)
	}
	if answer, err := s.answer(); err != nil || answer != "ok" {
		tb.Fatalf("pgtest: %s: %q (%v)", command, answer, err)
	}
}

func (s *Server) answer() (string, error) {
	if s.answers.Scan() {
		return strings.TrimSpace(s.answers.Text()), nil
	}
	if err := s.answers.Err(); err != nil {
		return "", err
	}
	return "", errors.New("the server did not start, or has stopped")
}

func (s *Server) close() error {
	return errors.Join(s.commands.Close(), s.process.Wait())
}

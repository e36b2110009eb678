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

// script starts and stops clusters. It is run from memory, so that it is found from every package's folder.
//
//go:embed cluster.sh
var script string

// Server is a private server, for tests that stop and start it, from any goroutine.
type Server struct {
	URL string // of the database that every cluster has

	process *exec.Cmd
	asking  sync.Mutex // of who waits for an answer
	words   io.WriteCloser
	answers *bufio.Scanner
}

// NewServer starts a server that no other test uses. It stops when the test ends.
func NewServer(tb testing.TB) *Server {
	tb.Helper()
	return newServer(tb)
}

// NewServerWithoutPgvector starts a server to which pgvector was never installed.
func NewServerWithoutPgvector(tb testing.TB) *Server {
	tb.Helper()
	return newServer(tb, "LENS_PGTEST_BARE=1")
}

func newServer(tb testing.TB, environment ...string) *Server {
	tb.Helper()
	skipIfAsked(tb)
	s, err := start(environment...)
	if err != nil {
		tb.Fatalf("NO POSTGRES TO TEST WITH: %v\nSet %s=%s to do without these tests.", err, EnvVar, skip)
	}
	tb.Cleanup(func() {
		if err := s.close(); err != nil {
			tb.Errorf("pgtest: stopping the server: %v", err)
		}
	})
	return s
}

// Database returns the URL of a fresh database on this server, which goes with it.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	return WithDatabase(tb, s.URL, newDatabase(tb, s.URL))
}

// Stop ends the server at once, as a crash would.
func (s *Server) Stop(tb testing.TB) {
	tb.Helper()
	s.tell(tb, "stop")
}

// Start starts it again, on the same port.
func (s *Server) Start(tb testing.TB) {
	tb.Helper()
	s.tell(tb, "start")
}

// Restart ends all connections as an administrator would, and starts the server again.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	s.tell(tb, "restart")
}

// start runs a session of the script. Its standard input is what keeps the server alive: the system closes it when this process
// ends, by whatever cause.
func start(environment ...string) (*Server, error) {
	process := exec.Command("bash", "-c", script, "cluster.sh", "session")
	process.Env = append(os.Environ(), environment...)
	process.Stderr = os.Stderr
	words, err := process.StdinPipe()
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
	s := &Server{process: process, words: words, answers: bufio.NewScanner(output)}
	if s.URL, err = s.answer(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *Server) tell(tb testing.TB, word string) {
	tb.Helper()
	s.asking.Lock()
	defer s.asking.Unlock()
	if _, err := fmt.Fprintln(s.words, word); err != nil {
		tb.Fatalf("pgtest: %s: %v", word, err)
	}
	if answer, err := s.answer(); err != nil || answer != "ok" {
		tb.Fatalf("pgtest: %s: %q (%v)", word, answer, err)
	}
}

func (s *Server) answer() (string, error) {
	if s.answers.Scan() {
		return strings.TrimSpace(s.answers.Text()), nil
	}
	if err := s.answers.Err(); err != nil {
		return "", err
	}
	return "", errors.New("the server did not start, or is gone")
}

func (s *Server) close() error {
	return errors.Join(s.words.Close(), s.process.Wait())
}

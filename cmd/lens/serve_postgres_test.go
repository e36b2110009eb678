package main

import (
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"lens/store/postgres/pgtest"
)

// TestServe_SurvivesPostgresRestart sends requests all the time, also while Postgres is down. They fail with
// UNAVAILABLE then, and the same process answers those that come later.
func TestServe_SurvivesPostgresRestart(t *testing.T) {
	t.Parallel() // it mostly waits
	if testing.Short() {
		t.Skip("NOT TESTED with -short: a restart of Postgres takes 15 seconds")
	}
	database := pgtest.NewServer(t)
	dir := t.TempDir()
	env := environmentOf(dir, "LENS_DATABASE_URL="+database.URL)
	runLens(t, env, "import", "--no-embed", "testdata/fixtures/chats.json")
	s := serveLens(t, dir, env, exec.Command("lens", "serve", "--addr", "127.0.0.1:0"))

	seen := newTally()
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					seen.ask(s.url + "/retrieval/peek?query=sourdough&mode=keyword")
				}
			}
		})
	}
	seen.wait("200 ")
	database.Stop(t)
	seen.wait("503 UNAVAILABLE")
	if status, _ := s.get("/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("without Postgres /readyz is %d", status)
	}
	if status, _ := s.get("/healthz"); status != http.StatusOK {
		t.Errorf("without Postgres /healthz is %d", status)
	}
	database.Start(t)
	seen.forget()
	seen.wait("200 ")
	database.Restart(t)
	seen.forget()
	seen.wait("200 ")
	close(stop)
	clients.Wait()
	for what, n := range seen.all {
		if what != "200 " && what != "503 UNAVAILABLE" {
			t.Errorf("%d times %q", n, what)
		}
	}
	if status, body := s.get("/retrieval/activity"); status != http.StatusOK {
		t.Errorf("at the end: %d %s", status, body)
	}
	if strings.Contains(seen.bodies, "127.0.0.1") || strings.Contains(seen.bodies, "postgres") {
		t.Errorf("an error reveals where the archive is: %s", seen.bodies)
	}
	s.terminate()
}

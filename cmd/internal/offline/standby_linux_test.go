//go:build amd64 || arm64

package offline

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"lens/cmd/internal/archive"
	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/internal/vault/vaulttest"
	"lens/retrieval/offline"
	"lens/retrieval/query"
)

// standby is a retriever with a waiting process. It sends every worker that it starts to started.
type standby struct {
	*Retriever
	service *Service
	archive *fixture
	t       testing.TB
	hits    []offline.Hit
	started chan *worker
}

func stand(t testing.TB, service *Service, a *fixture) *standby {
	t.Helper()
	s := &standby{
		Retriever: service.Retriever(false), service: service, archive: a, t: t, started: make(chan *worker, 100),
	}
	engine, err := a.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := engine.Peek(t.Context(), query.Query{Text: "sourdough"})
	if err != nil {
		t.Fatal(err)
	}
	s.hits = []offline.Hit{{ChunkID: p.Matches[0].TurnID}}
	s.workers.start = func() (*worker, error) {
		w, err := service.startWorker()
		if err == nil {
			s.started <- w
		}
		return w, err
	}
	t.Cleanup(func() { s.workers.close() })
	s.workers.open()
	return s
}

// demoStandby is stand over some synthetic chats.
func demoStandby(t testing.TB) *standby {
	t.Helper()
	service, a := demoIn(t, t.TempDir())
	return stand(t, service, a)
}

// give makes w the process that waits.
func (s *standby) give(w *worker) {
	s.workers = &pool{start: s.service.startWorker, keys: s.service.Keys, isOpen: true, next: w}
	s.child = s.workers.ask
}

// waits returns the next worker that is started, once it waits.
func (s *standby) waits() *worker {
	s.t.Helper()
	w := <-s.started
	select {
	case <-w.ready:
	case <-w.gone:
		if !isClosed(w.ready) { // it may have answered a query since
			s.t.Fatal("the process ended before it waited")
		}
	}
	return w
}

// answers sends a paranoid query, and fails the test without an answer.
func (s *standby) answers() {
	s.t.Helper()
	a, err := s.Answer(context.Background(), s.hits, "what of sourdough?", offline.AnswerOptions{Level: offline.Paranoid})
	if err != nil || len(a.Citations) == 0 || a.Mechanism != sandbox.Seccomp || a.Probes != 4 {
		s.t.Fatalf("got %+v, %v", a, err)
	}
}

func TestStandBy_OneQueryEach(t *testing.T) {
	s := demoStandby(t)
	seen := map[int]bool{}
	for range 3 {
		w := s.waits()
		status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(w.cmd.Process.Pid), "status"))
		if err != nil || !strings.Contains(string(status), "\nSeccomp:\t2\n") {
			t.Errorf("the process waits without a seccomp filter: %v", err)
		}
		s.answers()
		<-w.gone
		if len(w.reply) == 0 || seen[w.cmd.Process.Pid] {
			t.Errorf("process %d replied %q; earlier processes: %v", w.cmd.Process.Pid, w.reply, seen)
		}
		seen[w.cmd.Process.Pid] = true
	}
	if r, err := s.service.Audit.Log().Verify(); err != nil || r.Lines != 3 || r.Reverts != 0 {
		t.Errorf("recorded %+v, %v", r, err)
	}
}

func TestServe_OneQuery(t *testing.T) {
	var out bytes.Buffer
	query := `{"text":"x","answer":{}}` + "\n"
	s, _ := serviceIn(t, t.TempDir())
	if err := s.Serve(t.Context(), strings.NewReader(query+query), &out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 2 || !strings.HasPrefix(out.String(), readyLine) {
		t.Errorf("got %q", out.String())
	}
}

func TestStandBy_ReplacesDeadProcess(t *testing.T) {
	s := demoStandby(t)
	for range maxDeaths {
		s.waits().kill()
	}
	last := s.waits() // the last that is replaced
	last.kill()
	<-last.gone
	s.answers() // from a process that is started for the query
	s.waits()
}

func TestStandBy_DeadProcessAtQuery(t *testing.T) {
	s := demoStandby(t)
	dead, err := s.service.startWorker()
	must(t, err)
	dead.kill()
	<-dead.gone
	s.workers.take().kill()
	s.give(dead)
	s.answers()
	s.workers.close()
	if len(dead.reply) > 0 {
		t.Errorf("the dead process replied %q", dead.reply)
	}
}

func TestStandBy_Stop(t *testing.T) {
	s := demoStandby(t)
	w := s.waits()
	other, err := s.service.startWorker() // it must not inherit the pipe of the first one
	must(t, err)
	defer other.kill()
	s.workers.take()
	must(t, w.in.Close()) // as the end of this process does
	<-w.gone

	s.workers.fill()
	w = s.waits()
	s.workers.close()
	if !isClosed(w.gone) {
		t.Error("the process is still waiting")
	}
	s.workers.fill()
	if s.workers.take() != nil {
		t.Error("another process is started after the last")
	}
	s.answers()
}

func TestStandBy_ArchiveChanges(t *testing.T) {
	s := demoStandby(t)
	w := s.waits()
	_, err := s.archive.Forget(t.Context(), archive.ForgetOptions{Turns: []uuid.UUID{s.hits[0].ChunkID}})
	must(t, err)
	_, err = s.Answer(t.Context(), s.hits, "sourdough?", offline.AnswerOptions{Level: offline.Paranoid})
	if errs.CodeOf(err) != errs.NotFound {
		t.Errorf("forgotten turn: got %v", err)
	}
	if <-w.gone; len(w.reply) == 0 {
		t.Error("another process answered")
	}

	w = s.waits()
	_, other := demoIn(t, t.TempDir())
	s.archive.end()
	must(t, os.Rename(s.archive.dir, s.archive.dir+".old"))
	other.end()
	must(t, os.Rename(other.dir, s.archive.dir))
	s.answers()
	if <-w.gone; len(w.reply) == 0 {
		t.Error("another process answered")
	}
}

func TestStandBy_KeyComesWithQuery(t *testing.T) {
	s := demoStandby(t)
	s.workers.close() // it keeps the archive open
	must(t, s.archive.mover.Encrypt(t.Context(), vaulttest.Alone(vaulttest.Passphrase)))
	w, err := s.service.startWorker()
	must(t, err)
	<-w.ready
	must(t, s.archive.keys.Lock())
	s.give(w)
	_, err = s.Answer(t.Context(), s.hits, "sourdough?", offline.AnswerOptions{Level: offline.Paranoid})
	if err == nil || !strings.HasPrefix(err.Error(), "revert:locked") || len(w.reply) == 0 {
		t.Errorf("locked: the waiting process replied %q, %v", w.reply, err)
	}
	s.workers.close()
	must(t, s.archive.keys.Unlock(vaulttest.Passphrase))
	w, err = s.service.startWorker()
	must(t, err)
	<-w.ready
	s.give(w)
	s.answers()
	if len(w.reply) == 0 {
		t.Error("another process answered")
	}
	s.workers.close()
}

// BenchmarkParanoidQuery measures an answer from one hit, with a waiting process and with a new one.
func BenchmarkParanoidQuery(b *testing.B) {
	for _, ready := range []bool{true, false} {
		b.Run(map[bool]string{true: "ready", false: "new"}[ready], func(b *testing.B) {
			s := demoStandby(b)
			if !ready {
				s.workers.close()
			}
			var took []time.Duration
			for b.Loop() {
				if ready {
					s.waits()
				}
				began := time.Now()
				s.answers()
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
		})
	}
}

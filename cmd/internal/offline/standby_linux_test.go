//go:build amd64 || arm64

package app

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

	"lens/cmd/internal/config"
	"lens/internal/errs"
	"lens/internal/sandbox"
	"lens/retrieval"
	"lens/retrieval/offline"
)

// standing is a retriever with a waiting process. It sends every worker that it starts to started.
type standing struct {
	*Offline
	t       testing.TB
	hits    []OfflineHit
	started chan *worker
}

func stand(t testing.TB, l *App) *standing {
	t.Helper()
	s := &standing{Offline: l.Offline(false), t: t, started: make(chan *worker, 100)}
	engine, err := l.Engine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := engine.Peek(t.Context(), "sourdough", retrieval.PeekOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s.hits = []OfflineHit{{ChunkID: p.Matches[0].TurnID}}
	s.ready = &standby{start: func() (*worker, error) {
		w, err := s.start()
		if err == nil {
			s.started <- w
		}
		return w, err
	}}
	t.Cleanup(func() { s.ready.close() })
	s.ready.fill()
	return s
}

// waits returns the next worker that is started, once it waits.
func (s *standing) waits() *worker {
	s.t.Helper()
	w := <-s.started
	select {
	case <-w.ready:
	case <-w.gone:
		s.t.Fatal("the process ended before it waited")
	}
	return w
}

// answers sends a paranoid query, and fails the test without an answer.
func (s *standing) answers() {
	s.t.Helper()
	a, err := s.Answer(context.Background(), s.hits, "what of sourdough?", offline.AnswerOptions{Level: offline.Paranoid})
	if err != nil || len(a.Citations) == 0 || a.Mechanism != sandbox.Seccomp || a.Probes != 4 {
		s.t.Fatalf("got %+v, %v", a, err)
	}
}

func demoIn(t *testing.T) *App {
	l := newLens(t, config.Config{})
	importDemo(t, l)
	return l
}

func TestStandBy_OneQueryEach(t *testing.T) {
	s := stand(t, demoIn(t))
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
	if r, err := s.lens.Audit().Verify(); err != nil || r.Lines != 3 || r.Reverts != 0 {
		t.Errorf("recorded %+v, %v", r, err)
	}
}

func TestServeOffline_OneQuery(t *testing.T) {
	var out bytes.Buffer
	query := `{"text":"x","answer":{}}` + "\n"
	if err := newLens(t, config.Config{}).ServeOffline(t.Context(), strings.NewReader(query+query), &out); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 2 || !strings.HasPrefix(out.String(), readyLine) {
		t.Errorf("got %q", out.String())
	}
}

func TestStandBy_ReplacesDeadProcess(t *testing.T) {
	s := stand(t, demoIn(t))
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
	s := stand(t, demoIn(t))
	dead, err := s.start()
	must(t, err)
	dead.kill()
	<-dead.gone
	s.ready.take().kill()
	s.ready = &standby{start: s.start, next: dead}
	s.answers()
	s.ready.close()
	if len(dead.reply) > 0 {
		t.Errorf("the dead process replied %q", dead.reply)
	}
}

func TestStandBy_Stop(t *testing.T) {
	s := stand(t, demoIn(t))
	w := s.waits()
	other, err := s.start() // it must not inherit the pipe of the first one
	must(t, err)
	defer other.kill()
	s.ready.take()
	must(t, w.in.Close()) // as the end of this process does
	<-w.gone

	s.ready.fill()
	w = s.waits()
	s.ready.close()
	if !has(w.gone) {
		t.Error("the process is still waiting")
	}
	s.ready.fill()
	if s.ready.take() != nil {
		t.Error("another process is started after the last")
	}
	s.answers()
}

func TestStandBy_ArchiveChanges(t *testing.T) {
	l := demoIn(t)
	s := stand(t, l)
	w := s.waits()
	_, err := l.Forget(t.Context(), ForgetOptions{Everything: true})
	must(t, err)
	_, err = s.Answer(t.Context(), s.hits, "sourdough?", offline.AnswerOptions{Level: offline.Paranoid})
	if errs.CodeOf(err) != errs.NotFound {
		t.Errorf("forgotten turn: got %v", err)
	}
	if <-w.gone; len(w.reply) == 0 {
		t.Error("another process answered")
	}

	w = s.waits()
	other := demoIn(t)
	must(t, l.Close())
	must(t, os.Rename(l.cfg.DataDir, l.cfg.DataDir+".old"))
	must(t, other.Close())
	must(t, os.Rename(other.cfg.DataDir, l.cfg.DataDir))
	s.answers()
	if <-w.gone; len(w.reply) == 0 {
		t.Error("another process answered")
	}
}

func TestStandBy_KeyComesWithQuery(t *testing.T) {
	l := demoIn(t)
	waiting := stand(t, l)
	waiting.ready.close() // it would keep the archive open
	s := &standing{Offline: l.Offline(false), t: t, hits: waiting.hits}
	must(t, l.Mover.Encrypt(t.Context(), alone(onePhrase)))
	w, err := s.start()
	must(t, err)
	<-w.ready
	must(t, l.Keys.Lock())
	s.ready = &standby{start: s.start, next: w}
	_, err = s.Answer(t.Context(), s.hits, "sourdough?", offline.AnswerOptions{Level: offline.Paranoid})
	if err == nil || !strings.HasPrefix(err.Error(), "revert:locked") || len(w.reply) == 0 {
		t.Errorf("locked: the waiting process replied %q, %v", w.reply, err)
	}
	s.ready.close()
	must(t, l.Keys.Unlock(onePhrase))
	w, err = s.start()
	must(t, err)
	<-w.ready
	s.ready = &standby{start: s.start, next: w}
	s.answers()
	if len(w.reply) == 0 {
		t.Error("another process answered")
	}
	s.ready.close()
}

// BenchmarkParanoidQuery measures an answer from one hit, with a waiting process and with a new one.
func BenchmarkParanoidQuery(b *testing.B) {
	for _, ready := range []bool{true, false} {
		b.Run(map[bool]string{true: "ready", false: "new"}[ready], func(b *testing.B) {
			l := New(config.Config{DataDir: b.TempDir()}, "bench")
			defer l.Close()
			importDemo(b, l)
			s := stand(b, l)
			if !ready {
				s.ready.close()
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

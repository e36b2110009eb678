package boot

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"lens/internal/sandbox"
)

// worker is a process that is made for one query, seen from the one that asks.
type worker struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	ready    chan struct{} // closed once it is cut off and waits; never, when it ends before
	answered chan struct{} // closed once it has said its reply, or can no longer
	gone     chan struct{} // closed once it has ended
	reply    []byte        // what it said, when answered is closed
}

// readyLine is what a worker says before it gets its query.
const readyLine = "ready\n"

// start starts a worker. It has nothing of this process but pipes, and ends when they close: with this process, however that ends.
func (o *Offline) start() (*worker, error) {
	cmd := sandbox.Command(context.Background(), OfflineVerb, "--offline")
	cmd.Env = append(os.Environ(), "LENS_DATA_DIR="+o.lens.cfg.DataDir, "LENS_DATABASE_URL="+o.lens.cfg.DatabaseURL, "LENS_MODELS_DIR="+o.lens.cfg.ModelsDir)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w := &worker{cmd: cmd, in: in, ready: make(chan struct{}), answered: make(chan struct{}), gone: make(chan struct{})}
	go w.listen(out)
	return w, nil
}

func (w *worker) listen(out io.Reader) {
	defer close(w.gone)
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err == nil && line == readyLine {
		close(w.ready)
		w.reply, _ = lines.ReadBytes('\n') // half a reply is no JSON
	}
	close(w.answered)
	_, _ = io.Copy(io.Discard, lines)
	_ = w.cmd.Wait()
	_ = w.in.Close()
}

// ask gives the worker its query and returns its reply, empty when there was none. It is done with after that.
func (w *worker) ask(ctx context.Context, query []byte) []byte {
	defer context.AfterFunc(ctx, w.kill)()
	_, _ = w.in.Write(query) // one that is gone will not answer
	_ = w.in.Close()
	<-w.answered
	return w.reply
}

func (w *worker) kill() { _ = w.cmd.Process.Kill() }

// has reports whether one of a worker's channels is closed.
func has(happened chan struct{}) bool {
	select {
	case <-happened:
		return true
	default:
		return false
	}
}

// standby keeps one worker that has not seen a query. A nil one keeps none.
type standby struct {
	start func() (*worker, error)

	mu     sync.Mutex
	next   *worker // nil: none
	deaths int     // of workers that waited, since the last query
	closed bool
}

// maxDeaths is how many workers may die while they wait before the next one is only started behind a query.
const maxDeaths = 3

// take returns the worker, which is the caller's from now on; nil when there is none.
func (s *standby) take() *worker {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.next
	s.next, s.deaths = nil, 0
	return w
}

// fill sees to it that there is a worker.
func (s *standby) fill() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.next != nil {
		return
	}
	w, err := s.start()
	if err != nil {
		return // who asks next starts one, and hears why that fails
	}
	s.next = w
	go s.watch(w)
}

// watch replaces a worker that ends while it waits.
func (s *standby) watch(w *worker) {
	<-w.gone
	s.mu.Lock()
	lost := s.next == w
	if lost {
		s.next = nil
		s.deaths++
	}
	again := lost && has(w.ready) && s.deaths <= maxDeaths
	s.mu.Unlock()
	if again {
		s.fill()
	}
}

// close ends the worker that waits, and keeps none from now on.
func (s *standby) close() {
	s.mu.Lock()
	w := s.next
	s.next, s.closed = nil, true
	s.mu.Unlock()
	if w != nil {
		w.kill()
		<-w.gone
	}
}

// StandBy keeps a process started, cut off and verified for the next query that needs one of its own, until stop is called. It sees one query
// and is replaced behind it. Where the archive is not encrypted it is open in there before the query comes; a key comes with the query.
func (o *Offline) StandBy() (stop func()) {
	if !sandbox.Supported() {
		return func() {}
	}
	o.ready = &standby{start: o.start}
	go o.ready.fill()
	return o.ready.close
}

// early is the archive as a worker opened it before its query.
type early struct {
	lens *Lens
	file os.FileInfo // nil: it is not open
}

// openEarly opens an archive that needs no key, and reads its catalog. What fails is tried again, and told, when the query comes.
func (l *Lens) openEarly(ctx context.Context) early {
	if l.cfg.DatabaseURL != "" || l.Encrypted() {
		return early{lens: l}
	}
	file, err := os.Stat(filepath.Join(l.cfg.DataDir, archiveFile))
	if err != nil {
		return early{lens: l}
	}
	if engine, err := l.Engine(ctx); err == nil {
		_, _ = engine.Overview(ctx)
	}
	return early{l, file}
}

// renew closes what was opened when that is no longer the archive: it was encrypted, or another lies in its place. What was committed to it
// meanwhile the engine sees by itself.
func (e early) renew() error {
	if e.file == nil {
		return nil
	}
	now, err := os.Stat(filepath.Join(e.lens.cfg.DataDir, archiveFile))
	if err == nil && os.SameFile(now, e.file) && !e.lens.Encrypted() {
		return nil
	}
	return e.lens.closeStore()
}

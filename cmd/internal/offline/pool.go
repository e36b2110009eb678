package app

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"lens/cmd/internal/keys"
	"lens/internal/sandbox"
)

// worker is a child process for one query, seen from its parent.
type worker struct {
	cmd *exec.Cmd
	in  io.WriteCloser

	ready    chan struct{} // closed once it is cut off and waits; never if it ends before that
	answered chan struct{} // closed once it has replied, or can no longer
	gone     chan struct{} // closed once it has ended
	reply    []byte        // set when answered is closed
}

// readyLine is what a worker prints before it reads its query.
const readyLine = "ready\n"

// start starts a worker. The worker shares only pipes with this process, and ends when they close: at the latest when
// this process ends, for whatever reason.
func (o *Offline) start() (*worker, error) {
	cmd := sandbox.Command(context.Background(), OfflineVerb, "--offline")
	cmd.Env = append(os.Environ(),
		"LENS_DATA_DIR="+o.lens.cfg.DataDir,
		"LENS_DATABASE_URL="+o.lens.cfg.DatabaseURL,
		"LENS_MODELS_DIR="+o.lens.cfg.ModelsDir,
	)
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
	w := &worker{
		cmd: cmd, in: in,
		ready: make(chan struct{}), answered: make(chan struct{}), gone: make(chan struct{}),
	}
	go w.listen(out)
	return w, nil
}

func (w *worker) listen(out io.Reader) {
	defer close(w.gone)
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); err == nil && line == readyLine {
		close(w.ready)
		w.reply, _ = lines.ReadBytes('\n') // a partial reply is not valid JSON
	}
	close(w.answered)
	_, _ = io.Copy(io.Discard, lines)
	_ = w.cmd.Wait()
	_ = w.in.Close()
}

// ask sends the query and returns the reply, empty if there was none. A worker answers only once.
func (w *worker) ask(ctx context.Context, query []byte) []byte {
	defer context.AfterFunc(ctx, w.kill)()
	_, _ = w.in.Write(query) // a worker that has ended will not answer
	_ = w.in.Close()
	<-w.answered
	return w.reply
}

func (w *worker) kill() { _ = w.cmd.Process.Kill() }

// has reports whether a channel of a worker is closed.
func has(happened chan struct{}) bool {
	select {
	case <-happened:
		return true
	default:
		return false
	}
}

// standby keeps one worker waiting that has not seen a query. A nil standby keeps none.
type standby struct {
	start func() (*worker, error)

	mu     sync.Mutex
	next   *worker // nil: none
	deaths int     // of workers that waited, since the last query
	closed bool
}

// maxDeaths is how many waiting workers may die in a row. After that, the next one is started only after a query.
const maxDeaths = 3

// take hands the waiting worker to the caller, nil if there is none.
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

// fill starts a worker if none is waiting.
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
		return // the next query starts one, and reports why that fails
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

// close ends the waiting worker. No other is started.
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

// StandBy keeps a child process waiting, cut off and verified, for the next query that needs one, until stop is called.
// The process answers one query and is then replaced. It opens an unencrypted archive before the query arrives; for an
// encrypted one, the key comes with the query.
func (o *Offline) StandBy() (stop func()) {
	if !sandbox.Supported() {
		return func() {}
	}
	o.ready = &standby{start: o.start}
	go o.ready.fill()
	return o.ready.close
}

// early is an archive that a worker opened before its query.
type early struct {
	lens *App
	file os.FileInfo // nil: it is not open
}

// openEarly opens an unencrypted archive and reads its catalog. The query retries, and reports, whatever fails here.
func (l *App) openEarly(ctx context.Context) early {
	if l.cfg.DatabaseURL != "" || l.Keys.Encrypted() {
		return early{lens: l}
	}
	file, err := os.Stat(filepath.Join(l.cfg.DataDir, keys.ArchiveFile))
	if err != nil {
		return early{lens: l}
	}
	if engine, err := l.Engine(ctx); err == nil {
		_, _ = engine.Overview(ctx)
	}
	return early{l, file}
}

// renew closes the archive if it has been encrypted or replaced since. Commits need no renewal: the engine notices
// them.
func (e early) renew() error {
	if e.file == nil {
		return nil
	}
	now, err := os.Stat(filepath.Join(e.lens.cfg.DataDir, keys.ArchiveFile))
	if err == nil && os.SameFile(now, e.file) && !e.lens.Keys.Encrypted() {
		return nil
	}
	return e.lens.closeStore()
}

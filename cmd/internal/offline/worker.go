package offline

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"

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

// startWorker starts a worker. The worker shares only pipes with this process, and ends when they close: at the latest
// when this process ends, for whatever reason.
func (s *Service) startWorker() (*worker, error) {
	cmd := sandbox.Command(context.Background(), Verb, "--offline")
	cmd.Env = append(os.Environ(),
		"LENS_DATA_DIR="+s.Folders.DataDir,
		"LENS_DATABASE_URL="+s.Folders.DatabaseURL,
		"LENS_MODELS_DIR="+s.Folders.ModelsDir,
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

// isClosed reports whether a channel of a worker is closed.
func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Package logs makes loggers that redact secrets.
package logs

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"lens/cmd/internal/config"
)

// maxFileBytes is the size beyond which opening the log file truncates it.
const maxFileBytes = 4 << 20

// Logs makes the loggers of a configuration. They redact its secrets.
type Logs struct {
	path    string
	level   slog.Level
	secrets []string
}

// New returns the loggers of a configuration. It opens no file.
func New(cfg config.Config) *Logs {
	return &Logs{filepath.Join(cfg.DataDir, "lens.log"), cfg.LogLevel, cfg.Secrets()}
}

// Path returns the log file.
func (l *Logs) Path() string { return l.path }

// File returns a logger to the log file, which also redacts the strings in hidden. The first line opens the file; the
// end of the process closes it. Failures to write are ignored.
func (l *Logs) File(hidden ...string) *slog.Logger {
	to := l.redact(&lazyFile{path: l.path}, hidden...)
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: l.level}))
}

// Investigations returns a logger to the log file, at level info or below: it must stay possible to find out which
// turns were sent to a model.
func (l *Logs) Investigations() *slog.Logger {
	verbose := *l
	verbose.level = min(l.level, slog.LevelInfo)
	return verbose.File()
}

// JSON returns a logger that writes JSON lines to w, at level info or below.
func (l *Logs) JSON(w io.Writer) *slog.Logger {
	return slog.New(slog.NewJSONHandler(l.redact(w), &slog.HandlerOptions{Level: min(l.level, slog.LevelInfo)}))
}

func (l *Logs) redact(to io.Writer, hidden ...string) io.Writer {
	var pairs []string
	for _, s := range append(hidden, l.secrets...) {
		if len(s) > 2 {
			pairs = append(pairs, s, "[hidden]")
		}
	}
	return &redactor{to, strings.NewReplacer(pairs...)}
}

type redactor struct {
	to      io.Writer
	secrets *strings.Replacer
}

func (r *redactor) Write(line []byte) (int, error) {
	_, err := io.WriteString(r.to, r.secrets.Replace(string(line)))
	return len(line), err
}

// lazyFile opens its file at the first write.
type lazyFile struct {
	path string
	open sync.Once
	file *os.File
}

func (f *lazyFile) Write(line []byte) (int, error) {
	f.open.Do(func() {
		flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
		if info, err := os.Stat(f.path); err == nil && info.Size() > maxFileBytes {
			flags |= os.O_TRUNC
		}
		if os.MkdirAll(filepath.Dir(f.path), 0o700) == nil {
			f.file, _ = os.OpenFile(f.path, flags, 0o600)
		}
	})
	if f.file != nil {
		_, _ = f.file.Write(line)
	}
	return len(line), nil
}

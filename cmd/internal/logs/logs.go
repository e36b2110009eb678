package app

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// logLimit is the size in bytes beyond which opening the log truncates it.
const logLimit = 4 << 20

// LogPath returns the file that Log writes to.
func (l *App) LogPath() string { return filepath.Join(l.cfg.DataDir, "lens.log") }

// Log returns a logger to a file in the data folder. The first line opens the file; the end of the process closes it.
// The strings in hidden and the secrets of the configuration are redacted from every line.
func (l *App) Log(hidden ...string) *slog.Logger { return l.logAt(l.cfg.LogLevel, hidden...) }

// investigations returns the logger of investigations, at level info or below: it must stay possible to find out which
// turns were sent to a model.
func (l *App) investigations() *slog.Logger { return l.logAt(min(l.cfg.LogLevel, slog.LevelInfo)) }

func (l *App) logAt(level slog.Level, hidden ...string) *slog.Logger {
	file := &logFile{path: l.LogPath(), blots: strings.NewReplacer(l.blots(hidden...)...)}
	return slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: level}))
}

// blots returns pairs of a string to redact and its replacement, for strings.NewReplacer.
func (l *App) blots(hidden ...string) (pairs []string) {
	for _, s := range append(hidden, l.cfg.Secrets()...) {
		if len(s) > 2 {
			pairs = append(pairs, s, "[hidden]")
		}
	}
	return pairs
}

// logFile opens its file at the first write. Failures to write the log are ignored.
type logFile struct {
	path  string
	blots *strings.Replacer
	open  sync.Once
	file  *os.File
}

func (f *logFile) Write(line []byte) (int, error) {
	f.open.Do(func() {
		flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
		if info, err := os.Stat(f.path); err == nil && info.Size() > logLimit {
			flags |= os.O_TRUNC
		}
		if os.MkdirAll(filepath.Dir(f.path), 0o700) == nil {
			f.file, _ = os.OpenFile(f.path, flags, 0o600)
		}
	})
	if f.file != nil {
		_, _ = f.blots.WriteString(f.file, string(line))
	}
	return len(line), nil
}

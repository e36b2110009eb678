package boot

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// logLimit is how long the log may be when it is opened; a longer one begins anew.
const logLimit = 4 << 20

// LogPath is where Log writes.
func (l *Lens) LogPath() string { return filepath.Join(l.cfg.DataDir, "lens.log") }

// Log returns a logger to a file in the data folder, which is opened by the first line. hidden and the secrets of the configuration
// are blotted out, whatever brings them in. The file is closed with the process.
func (l *Lens) Log(hidden ...string) *slog.Logger { return l.logAt(l.cfg.LogLevel, hidden...) }

// investigations is what their ids and numbers are logged by, whatever level was said: which turns a model was sent must be found out later.
func (l *Lens) investigations() *slog.Logger { return l.logAt(min(l.cfg.LogLevel, slog.LevelInfo)) }

func (l *Lens) logAt(level slog.Level, hidden ...string) *slog.Logger {
	file := &logFile{path: l.LogPath(), blots: strings.NewReplacer(l.blots(hidden...)...)}
	return slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: level}))
}

// blots returns what must not be shown, each with what stands in its place.
func (l *Lens) blots(hidden ...string) (pairs []string) {
	for _, s := range append(hidden, l.cfg.Secrets()...) {
		if len(s) > 2 {
			pairs = append(pairs, s, "[hidden]")
		}
	}
	return pairs
}

// logFile opens its file at the first write. A log that cannot be written is no reason to fail.
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

package boot

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Desk is where the explorer keeps what it wants to find again: a file beside the archive, as private as that. The zero Desk keeps nothing.
type Desk struct{ path string }

// Desk returns the archive's. Archives on a server share a data folder, and each has a file of its own there.
func (l *Lens) Desk() Desk {
	name := "explorer.json"
	if l.cfg.DatabaseURL != "" {
		name = fmt.Sprintf("explorer-%x.json", sha256.Sum256([]byte(l.Place())))[:len("explorer-")+16] + ".json"
	}
	return Desk{filepath.Join(l.cfg.DataDir, name)}
}

// Clear forgets what is kept.
func (d Desk) Clear() error {
	if err := os.Remove(d.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Load reads into what was kept, and reports whether there was anything. What cannot be read is no loss to anybody, and counts as nothing.
func (d Desk) Load(into any) bool {
	text, err := os.ReadFile(d.path)
	return err == nil && json.Unmarshal(text, into) == nil
}

// Keep replaces what is kept: whole, or not at all.
func (d Desk) Keep(what any) error {
	text, err := json.Marshal(what)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(d.path), "explorer-*.tmp") // mode 0600
	if errors.Is(err, fs.ErrNotExist) {
		return nil // there is no archive, and so nothing to come back to
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), d.path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

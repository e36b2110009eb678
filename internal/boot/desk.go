package boot

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Desk is where the explorer keeps what it wants to find again: a file beside the archive, as private as that.
type Desk struct {
	home home
	name string
	err  error // why nothing can be kept
}

// Desk returns the archive's. Archives on a server share a data folder, and each has a file of its own there.
func (l *Lens) Desk() Desk {
	name := "explorer.json"
	if l.cfg.DatabaseURL != "" {
		name = fmt.Sprintf("explorer-%x.json", sha256.Sum256([]byte(l.Place())))[:len("explorer-")+16] + ".json"
	}
	h, err := l.home()
	return Desk{home: h, name: name, err: err}
}

// Clear forgets what is kept.
func (d Desk) Clear() error {
	if d.err != nil {
		return d.err
	}
	return d.home.remove(d.name)
}

// Load reads into what was kept, and reports whether there was anything. What cannot be read is no loss to anybody, and counts as nothing.
func (d Desk) Load(into any) bool {
	if d.err != nil {
		return false
	}
	text, err := d.home.read(d.name)
	return err == nil && json.Unmarshal(text, into) == nil
}

// Keep replaces what is kept: whole, or not at all. Errors: locked, those of the file system.
func (d Desk) Keep(what any) error {
	if d.err != nil {
		return d.err
	}
	text, err := json.Marshal(what)
	if err != nil {
		return err
	}
	return d.home.write(d.name, text)
}

package app

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// Desk persists explorer state in a file next to the archive, encrypted as the archive is.
type Desk struct {
	home home
	name string
	err  error // why nothing can be saved
}

// Desk returns the state file of the archive. Archives on servers share a data folder, so each has its own file there.
func (l *App) Desk() Desk {
	name := "explorer.json"
	if l.cfg.DatabaseURL != "" {
		name = fmt.Sprintf("explorer-%x.json", sha256.Sum256([]byte(l.Place())))[:len("explorer-")+16] + ".json"
	}
	h, err := l.home()
	return Desk{home: h, name: name, err: err}
}

// Clear removes the state.
func (d Desk) Clear() error {
	if d.err != nil {
		return d.err
	}
	return d.home.remove(d.name)
}

// Load decodes the saved state into into, and reports whether there was any. Unreadable state counts as absent.
func (d Desk) Load(into any) bool {
	if d.err != nil {
		return false
	}
	text, err := d.home.read(d.name)
	return err == nil && json.Unmarshal(text, into) == nil
}

// Keep saves the state atomically. Errors: locked, those of the file system.
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

package app

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lens/internal/vault"
	"lens/store/sqlite"
)

// movingName is the file in which a move (see vaultmove.go) records, before it starts, the names of all files that it
// may leave behind. Only these are removed later. Any other file belongs to the user, whatever its name, even an
// unencrypted archive next to an encrypted one, which an older Lens may have created. Removing means unlinking, not
// overwriting: see package vault.
const movingName = "lens.moving"

// move is the content of lens.moving: a move from one place in the data folder to another, with the files next to the
// archive.
type move struct {
	From  string   `json:"from"` // the name of a sealed folder; "" for the data folder itself
	To    string   `json:"to"`
	Files []string `json:"files"`
}

// place returns the home's name in lens.moving.
func (h home) place() string {
	if h.keys == nil {
		return ""
	}
	return filepath.Base(h.dir)
}

// begin records that the move is in progress.
func (m move) begin(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return vault.WriteFile(filepath.Join(dir, movingName), text)
}

// movingIn returns the move in progress in a folder. A record of an older Lens names no files; one that names a file
// which no move creates is ignored, so that nothing is removed. Errors: fs.ErrNotExist.
func movingIn(dir string) (m move, err error) {
	text, err := os.ReadFile(filepath.Join(dir, movingName))
	if err != nil {
		return m, err
	}
	strange := func(name string) bool { return !isBeside(name) }
	if json.Unmarshal(text, &m) != nil || !isPlace(m.From) || !isPlace(m.To) || slices.ContainsFunc(m.Files, strange) {
		return move{}, nil
	}
	return m, nil
}

// isPlace reports whether name is a place of an archive in a data folder.
func isPlace(name string) bool {
	digits, sealed := strings.CutPrefix(name, "sealed-")
	n, err := strconv.Atoi(digits)
	return name == "" || sealed && err == nil && name == sealedName(n)
}

// isBeside reports whether filesBeside can return name.
func isBeside(name string) bool {
	isChat := filepath.Dir(name) == "chats" && strings.HasSuffix(name, ".json")
	return name == "explorer.json" || name == keywordsFile || isChat
}

// settle finishes an interrupted move, if no other process uses the archive. l.homing is held.
func (l *App) settle() error {
	if missing(filepath.Join(l.cfg.DataDir, movingName)) {
		return nil
	}
	var err error
	if l.gate.tryAlone(l.cfg.DataDir) {
		err = l.clearUp()
		l.gate.leave()
	}
	return errors.Join(err, l.gate.enter(l.cfg.DataDir))
}

// clearUp removes the invalid one of the two archives that a move left. The directory lock is held exclusively.
func (l *App) clearUp() error {
	dir := l.cfg.DataDir
	m, err := movingIn(dir)
	if err != nil {
		return onlyIfThere(err)
	}
	live := ""
	v, err := l.loadVault()
	switch {
	case err == nil:
		live, err = sealedName(v.Epoch()), v.Repair()
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	default:
		return err // unknown which archive is valid
	}
	switch live {
	case m.To:
		err = errors.Join(err, m.remove(dir, m.From))
	case m.From:
		err = errors.Join(err, m.remove(dir, m.To))
	}
	if err = errors.Join(err, removeTorn(dir, `lens\.vault(\.bak)?\.`), vault.SyncDir(dir)); err != nil {
		return err
	}
	return errors.Join(os.Remove(filepath.Join(dir, movingName)), vault.SyncDir(dir))
}

// onlyIfThere returns err, but nil for a file that does not exist.
func onlyIfThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// remove removes the archive in one of the two places of the move, with the files next to it that the move copied. A
// folder that contains anything else stays.
func (m move) remove(dir, place string) error {
	at := filepath.Join(dir, place)
	if m.From == m.To || missing(at) {
		return nil
	}
	err := errors.Join(sqlite.Remove(at), removeTorn(at, `explorer-`), removeTorn(at, `(explorer\.json|keywords\.yaml)\.`))
	for _, name := range m.Files {
		err = errors.Join(err, onlyIfThere(os.Remove(filepath.Join(at, name))))
	}
	if chats := filepath.Join(at, "chats"); !missing(chats) {
		err = errors.Join(err, removeTorn(chats, `[0-9a-f-]{36}\.json\.`), removeEmpty(chats))
	}
	if place == "" {
		return err
	}
	return errors.Join(err, removeEmpty(at))
}

// removeTorn removes the temporary files of interrupted writers in a folder: those whose names are pattern followed by
// the number from os.CreateTemp.
func removeTorn(dir, pattern string) error {
	torn := regexp.MustCompile(`^` + pattern + `[0-9]+\.tmp$`)
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if torn.MatchString(e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

func removeEmpty(dir string) error {
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		return err
	}
	return os.Remove(dir)
}

// plainIn returns the name of an unencrypted file of an archive in a folder, "" if there is none.
func plainIn(dir string) string {
	if !missing(filepath.Join(dir, archiveFile)) {
		return archiveFile
	}
	if names, _ := filesBeside(dir); len(names) > 0 {
		return names[0]
	}
	return ""
}

const unfinished = "a change of the encryption was interrupted"

// leftover describes what a move left behind, or an unencrypted file next to an encrypted archive; "" for neither.
func (l *App) leftover() string {
	if !missing(filepath.Join(l.cfg.DataDir, movingName)) {
		return unfinished
	}
	if name := plainIn(l.cfg.DataDir); name != "" && l.Encrypted() {
		return "unencrypted file next to the encrypted archive: " + name + " (from an older Lens or another program)"
	}
	return ""
}

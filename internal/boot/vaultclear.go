package boot

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

// What a move leaves behind is removed by the names that it wrote down before it began: what lies beside it is a person's, whatever it is
// called. So is an archive that is not encrypted and lies beside an encrypted one, as an older Lens may have made it. What is removed is
// unlinked, not overwritten: see package vault.
const movingName = "lens.moving"

// move is what lens.moving says: from which place of the data folder to which, and with what beside the archive.
type move struct {
	From  string   `json:"from"` // the name of a sealed folder; "" is the data folder itself
	To    string   `json:"to"`
	Files []string `json:"files"`
}

// place is the home's name in lens.moving.
func (h home) place() string {
	if h.keys == nil {
		return ""
	}
	return filepath.Base(h.dir)
}

// begin says that the move is under way.
func (m move) begin(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return vault.WriteFile(filepath.Join(dir, movingName), text)
}

// movingIn returns the move that is under way in a folder. What an older Lens wrote there names no files, and what names others than a move
// can is of nobody: then there is nothing to remove. Errors: fs.ErrNotExist.
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

// isPlace reports whether an archive may lie there in a data folder.
func isPlace(name string) bool {
	digits, sealed := strings.CutPrefix(name, "sealed-")
	n, err := strconv.Atoi(digits)
	return name == "" || sealed && err == nil && name == sealedName(n)
}

// isBeside reports whether filesBeside may have named it.
func isBeside(name string) bool {
	return name == "explorer.json" || name == keywordsFile || filepath.Dir(name) == "chats" && strings.HasSuffix(name, ".json")
}

// settle finishes a move that was killed, if nobody else is inside. l.homing is held.
func (l *Lens) settle() error {
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

// clearUp removes what a move left of the archive that does not count. The gate is closed.
func (l *Lens) clearUp() error {
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
		return err // which one counts nobody can tell
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

// onlyIfThere is err, but for a file that is not there.
func onlyIfThere(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// remove removes the archive in one of the move's two places and what the move copied from beside it, or to there. A folder that holds
// anything else stays.
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

// removeTorn removes the files in a folder whose writer was stopped: by the pattern of what they were to be, which the number follows that
// os.CreateTemp gave them.
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

// plainIn names something of an archive that is not encrypted, in a folder; "" for nothing.
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

// leftover says what a move left, or what another program put beside an encrypted archive; "" for nothing.
func (l *Lens) leftover() string {
	if !missing(filepath.Join(l.cfg.DataDir, movingName)) {
		return unfinished
	}
	if name := plainIn(l.cfg.DataDir); name != "" && l.Encrypted() {
		return "an unencrypted file is next to the encrypted archive: " + name + ", put there by an older Lens or a person"
	}
	return ""
}

package datadir

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

	"lens/cmd/internal/keys"
	"lens/internal/vault"
	"lens/store/sqlite"
)

// movingName is the file in which a move (see Mover) records, before it starts, the names of all files that it
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
	isStrange := func(name string) bool { return !isFile(name) }
	if json.Unmarshal(text, &m) != nil || !isPlace(m.From) || !isPlace(m.To) || slices.ContainsFunc(m.Files, isStrange) {
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

// clearUp removes the invalid one of the two archives that a move left. The directory lock is held exclusively.
func clearUp(h *keys.Holder) error {
	dir := h.Dir()
	m, err := movingIn(dir)
	if err != nil {
		return ifExists(err)
	}
	live := ""
	v, err := h.Vault()
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

// remove removes the archive in one of the two places of the move, with the files next to it that the move copied. A
// folder that contains anything else stays.
func (m move) remove(dir, place string) error {
	at := filepath.Join(dir, place)
	if m.From == m.To || missing(at) {
		return nil
	}
	err := errors.Join(sqlite.Remove(at), removeTorn(at, `explorer-`), removeTorn(at, `(explorer\.json|keywords\.yaml)\.`))
	for _, name := range m.Files {
		err = errors.Join(err, ifExists(os.Remove(filepath.Join(at, name))))
	}
	if chats := filepath.Join(at, ChatsFolder); !missing(chats) {
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

// anyFile returns the name of a file of an archive in h, "" if there is none.
func (h Home) anyFile() string {
	for _, name := range []string{ArchiveFile, SessionsFile} {
		if !missing(h.Path(name)) {
			return name
		}
	}
	if names, _ := h.files(); len(names) > 0 {
		return names[0]
	}
	return ""
}

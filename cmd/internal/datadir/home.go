package datadir

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lens/internal/errs"
	"lens/internal/vault"
	"lens/store"
	"lens/store/sqlite"
)

// The files of a home. Those next to the archive are written with its key, and move with it.
const (
	ArchiveFile  = "lens.db" // where store/sqlite keeps an archive
	StateFile    = "explorer.json"
	KeywordsFile = "keywords.yaml"
	SessionsFile = "sessions.db" // where store/sqlite keeps chats with the agent
	ChatsFolder  = "chats"       // where an older Lens kept them, one file each
)

// Home is the folder of an archive and of the files next to it, with the key at the time of the call that returned it.
type Home struct {
	Dir  string
	keys *vault.Keys // nil: not encrypted
}

// nextTo is the purpose of the key that encrypts the files next to an archive.
const nextTo = "beside the archive"

// Options returns the options to open the archive.
func (h Home) Options() sqlite.Options {
	o := sqlite.Options{Dir: h.Dir}
	if h.keys != nil { // not a typed nil in an interface
		o.Keys = h.keys
	}
	return o
}

// OpenSessions opens the sessions in a file next to the archive, and creates them if create is set. Errors: as
// sqlite.OpenSessions.
func (h Home) OpenSessions(ctx context.Context, name string, create bool) (store.Sessions, error) {
	s, err := sqlite.OpenSessions(ctx, h.Options(), name, create)
	if err != nil {
		return nil, err // not a typed nil in an interface
	}
	return s, nil
}

// Path returns the path of a file next to the archive.
func (h Home) Path(name string) string { return filepath.Join(h.Dir, name) }

// Read returns a file next to the archive. Errors: fs.ErrNotExist, locked, unavailable for a damaged file.
func (h Home) Read(name string) ([]byte, error) {
	content, err := os.ReadFile(h.Path(name))
	if err != nil || h.keys == nil {
		return content, err
	}
	content, err = h.keys.Open(nextTo, filepath.ToSlash(name), content)
	if errors.Is(err, vault.ErrSealed) {
		return nil, &errs.Error{
			Code: errs.Unavailable, Op: "read beside the archive",
			Message: h.Path(name) + " is damaged and cannot be decrypted",
			Hint:    "restore it from a backup, or move it away to continue without it", Err: err,
		}
	}
	return content, err
}

// Write replaces a file next to the archive atomically. If the folder does not exist there is no archive, and Write
// does nothing.
func (h Home) Write(name string, content []byte) (err error) {
	if h.keys != nil {
		if content, err = h.keys.Seal(nextTo, filepath.ToSlash(name), content); err != nil {
			return err
		}
	}
	return ifExists(vault.WriteFile(h.Path(name), content))
}

// Remove removes a file next to the archive, if it exists.
func (h Home) Remove(name string) error { return ifExists(os.Remove(h.Path(name))) }

// Load decodes a JSON file next to the archive, and reports whether there is one. An unreadable file counts as absent.
func (h Home) Load(name string, into any) bool {
	text, err := h.Read(name)
	return err == nil && json.Unmarshal(text, into) == nil
}

// Save replaces a JSON file next to the archive, as Write does.
func (h Home) Save(name string, content any) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	return h.Write(name, text)
}

// place returns the home's name in lens.moving.
func (h Home) place() string {
	if h.keys == nil {
		return ""
	}
	return filepath.Base(h.Dir)
}

// files returns the names of the files next to the archive that are encrypted one by one: explorer state, synonyms, and
// the chats of an older Lens.
func (h Home) files() ([]string, error) { return h.filesOf(Beside{}) }

// filesOf is files for an archive that has its own names for them. Synonyms belong to the one in the data folder.
func (h Home) filesOf(own Beside) ([]string, error) {
	var names []string
	if !missing(h.Path(own.state())) {
		names = append(names, own.state())
	}
	if own == (Beside{}) && !missing(h.Path(KeywordsFile)) {
		names = append(names, KeywordsFile)
	}
	chats, err := os.ReadDir(h.Path(own.Chats()))
	if ifExists(err) != nil {
		return nil, err
	}
	for _, c := range chats {
		if strings.HasSuffix(c.Name(), ".json") {
			names = append(names, filepath.Join(own.Chats(), c.Name()))
		}
	}
	return names, nil
}

// isFile reports whether files can return name.
func isFile(name string) bool {
	isChat := filepath.Dir(name) == ChatsFolder && strings.HasSuffix(name, ".json")
	return name == StateFile || name == KeywordsFile || isChat
}

// ifExists returns err, but nil for a file that does not exist.
func ifExists(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

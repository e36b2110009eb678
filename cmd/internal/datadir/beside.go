package datadir

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lens/cmd/internal/backup"
	"lens/internal/errs"
	"lens/internal/vault"
	"lens/store"
	"lens/store/sqlite"
)

// The audit log, in the order in which to copy it: a head is never newer than the log. It is not encrypted.
var auditFiles = []string{"audit.head", "audit.jsonl", "audit.key"}

// vaultFile is where package vault keeps the key of an archive.
const vaultFile = "lens.vault"

// CopyBeside copies the files next to the archive into another folder, as they are, and the saved chats as of one
// commit. It returns them as parts of a backup. stateName is the name of the explorer's state: archives on servers have
// names of their own for their files, which a backup does not keep.
func (h Home) CopyBeside(ctx context.Context, dir, stateName string) ([]backup.Part, error) {
	own := BesideOf(stateName)
	// The files of an older Lens first: while it is copied, they may go into the database.
	files, err := h.filesOf(own)
	if err != nil {
		return nil, err
	}
	var parts []backup.Part
	for _, name := range files {
		part, err := copyPart(h.Path(name), dir, own.common(name))
		if err != nil {
			return nil, err
		}
		parts = append(parts, part...)
	}
	to := h.Options()
	to.Dir = dir
	switch err := sqlite.CopySessions(ctx, h.Options(), own.Sessions(), to, SessionsFile); {
	case err == nil:
		parts = append(parts, backup.Part{Name: SessionsFile, Path: filepath.Join(dir, SessionsFile)})
	case errs.CodeOf(err) != errs.NotFound:
		return nil, err
	}
	return parts, nil
}

// CopyVault copies the vault of an encrypted archive, and CopyAudit the audit log. They return them as parts of a
// backup. An archive on a server has no vault: one in the data folder belongs to the archive there.
func (f *Folder) CopyVault(dir string) ([]backup.Part, error) {
	if f.holder.Remote() {
		return nil, nil
	}
	err := vault.Copy(f.holder.Dir(), dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []backup.Part{{Name: vaultFile, Path: filepath.Join(dir, vaultFile)}}, nil
}

// CopyAudit copies the audit log. Copy the archive before: the head in it is then not newer than the log.
func (f *Folder) CopyAudit(dir string) (parts []backup.Part, err error) {
	for _, name := range auditFiles {
		part, err := copyPart(f.plain().Path(name), dir, name)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part...)
	}
	return parts, nil
}

// copyPart copies a file, which may have been removed meanwhile: then there is no part.
func copyPart(path, dir, name string) ([]backup.Part, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	to := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return nil, err
	}
	return []backup.Part{{Name: name, Path: to}}, os.WriteFile(to, content, 0o600)
}

// Beside has the names of the files next to one archive. They end with the same suffix: "" for the archive in the data
// folder, and one made of the address for an archive on a server.
type Beside struct{ suffix string }

// BesideOf returns the names for an archive, by that of its explorer's state.
func BesideOf(stateName string) Beside {
	name, _ := strings.CutPrefix(strings.TrimSuffix(stateName, ".json"), "explorer")
	return Beside{name}
}

func (b Beside) state() string { return "explorer" + b.suffix + ".json" }

// Chats returns the name of the folder in which an older Lens kept a file for each chat.
func (b Beside) Chats() string { return ChatsFolder + b.suffix }

// Sessions returns the name of the database of saved chats.
func (b Beside) Sessions() string { return "sessions" + b.suffix + ".db" }

// common returns the name that a file of b has in a backup, with slashes.
func (b Beside) common(name string) string {
	name = filepath.ToSlash(name)
	if name == b.state() {
		return StateFile
	}
	if chat, ok := strings.CutPrefix(name, b.Chats()+"/"); ok {
		return ChatsFolder + "/" + chat
	}
	return name
}

// own is the inverse of common.
func (b Beside) own(name string) string {
	if name == StateFile {
		return b.state()
	}
	if chat, ok := strings.CutPrefix(name, ChatsFolder+"/"); ok {
		return filepath.Join(b.Chats(), filepath.FromSlash(chat))
	}
	return filepath.FromSlash(name)
}

// At returns the home with its key in another folder, to which its files were copied.
func (h Home) At(dir string) Home {
	h.Dir = dir
	return h
}

// PutBeside writes files of a backup that are in another home next to this archive, under its own names and key.
// stateName is as for CopyBeside. Synonyms go only next to the archive in the data folder. It reports whether another
// state of the explorer was replaced.
func (h Home) PutBeside(ctx context.Context, from Home, names []string, stateName string) (replaced bool, err error) {
	own := BesideOf(stateName)
	if slices.Contains(names, SessionsFile) {
		if err := h.makeRoomForSessions(ctx, from, own.Sessions()); err != nil {
			return false, err
		}
		if err := sqlite.CopySessions(ctx, from.Options(), SessionsFile, h.Options(), own.Sessions()); err != nil {
			return false, err
		}
	}
	for _, name := range names {
		if !isFile(filepath.FromSlash(name)) || name == KeywordsFile && own != (Beside{}) {
			continue
		}
		content, err := from.Read(filepath.FromSlash(name))
		if err != nil {
			return replaced, err
		}
		to := own.own(name)
		if err := os.MkdirAll(filepath.Dir(h.Path(to)), 0o700); err != nil {
			return replaced, err
		}
		if name == StateFile {
			was, err := h.Read(to)
			replaced = err == nil && !bytes.Equal(was, content)
		}
		if err := h.Write(to, content); err != nil {
			return replaced, err
		}
	}
	return replaced, nil
}

// makeRoomForSessions removes the chats in a file of h if from has all of them: an interrupted copy has left them.
// Errors: invalid if one would be lost.
func (h Home) makeRoomForSessions(ctx context.Context, from Home, name string) error {
	if err := os.MkdirAll(h.Dir, 0o700); err != nil || missing(h.Path(name)) {
		return err
	}
	all, err := from.OpenSessions(ctx, SessionsFile, false)
	if err != nil {
		return err
	}
	defer all.Close()
	some, err := h.OpenSessions(ctx, name, false)
	if errs.CodeOf(err) == errs.NotFound { // the copy was interrupted before it had a chat
		return h.Remove(name)
	}
	if err != nil {
		return err
	}
	held, err := holdsAll(ctx, all, some)
	if err = errors.Join(err, some.Close()); err != nil {
		return err
	}
	if !held {
		return placeTaken("restore", h.Path(name), "move it away and try again")
	}
	return h.Remove(name)
}

// holdsAll reports whether all has each session of some, and none older.
func holdsAll(ctx context.Context, all, some store.Sessions) (bool, error) {
	for _, archived := range []bool{false, true} {
		listed, err := some.List(ctx, store.SessionPage{Archived: archived, Limit: math.MaxInt32})
		if err != nil {
			return false, err
		}
		for _, one := range listed {
			same, err := all.Session(ctx, one.ID)
			switch {
			case errs.CodeOf(err) == errs.NotFound, err == nil && same.Updated.Before(one.Updated):
				return false, nil
			case err != nil:
				return false, err
			}
		}
	}
	return true, nil
}

package datadir

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"lens/cmd/internal/keys"
	"lens/internal/errs"
	"lens/internal/vault"
	"lens/store/sqlite"
)

// Mover encrypts, decrypts and re-keys an archive, and restores one (see Restore): it writes a copy next to it. At any
// moment there is one complete archive, or there are two and lens.vault says which one is valid:
//
//  1. Under the exclusive directory lock, lens.moving records the move.
//  2. The archive is written to its new place, sealed-N for the N-th key or the data folder itself, and synced to disk.
//  3. lens.vault is created, replaced or removed, by one rename or one unlink. This is the commit.
//  4. The invalid archive is removed, then lens.moving.
//
// A process that finds lens.moving while no move is running first finishes step 4: see clearUp.
type Mover struct {
	folder *Folder
	holder *keys.Holder
	store  io.Closer

	committed func() // for tests, after the commit of a restore; nil: nothing is called
}

// NewMover returns a Mover of the archive in a folder. It closes store, which may be opened again, before each move.
func NewMover(f *Folder, store io.Closer) *Mover {
	return &Mover{folder: f, holder: f.holder, store: store}
}

// Encrypt encrypts the archive, or creates an empty encrypted one if there is none. Errors: invalid for Postgres, for
// an encrypted archive and for a secret that is too short; unavailable.
func (m *Mover) Encrypt(ctx context.Context, s vault.Secrets) error {
	if err := m.MayEncrypt(); err != nil {
		return err
	}
	dir := m.holder.Dir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &errs.Error{
			Code: errs.Unavailable, Op: "encrypt", Message: "cannot create the folder " + dir,
			Hint: "choose another one with --data", Err: err,
		}
	}
	return m.exclusively(func() error {
		next, keys, err := m.holder.NewVault(s)
		if err != nil {
			return err
		}
		if err := m.move(ctx, m.folder.plain(), m.folder.sealed(next, keys), next.Save); err != nil {
			keys.Zero()
			if !m.holder.Encrypted() {
				return errors.Join(err, next.DeleteDeviceSecret())
			}
			return err
		}
		m.holder.Replace(keys)
		return nil
	})
}

// MayEncrypt returns an error if the archive is in Postgres or already encrypted. Errors: invalid.
func (m *Mover) MayEncrypt() error {
	if m.holder.Remote() {
		return &errs.Error{
			Code: errs.Invalid, Op: "encrypt", Message: "Lens does not encrypt data in Postgres",
			Hint: "encrypt the server's disk, or import into SQLite, without --database",
		}
	}
	if m.holder.Encrypted() {
		return &errs.Error{
			Code: errs.Invalid, Op: "encrypt", Message: "the archive is already encrypted",
			Hint: "run lens pin change to set another PIN",
		}
	}
	return nil
}

// Rekey encrypts the archive with a new key and new secrets. Errors: as Unlock and Encrypt.
func (m *Mover) Rekey(ctx context.Context, secret string, s vault.Secrets) error {
	return m.fromSealed(secret, func(v *vault.Vault, from Home) error {
		next, keys, err := v.Rotate(s)
		if err != nil {
			return err
		}
		if err := m.move(ctx, from, m.folder.sealed(next, keys), next.Save); err != nil {
			keys.Zero()
			return err
		}
		_, _ = v.Drop() // the old key opens nothing any more
		m.holder.Replace(keys)
		return nil
	})
}

// Decrypt replaces the encrypted archive by a plain one. Errors: as Unlock and Encrypt; unavailable if the data folder
// already contains a plain archive.
func (m *Mover) Decrypt(ctx context.Context, secret string) error {
	return m.fromSealed(secret, func(v *vault.Vault, from Home) error {
		to := m.folder.plain()
		if name := to.anyFile(); name != "" {
			return placeTaken("decrypt", to.Path(name), "move it to another folder; lens --data can open it there")
		}
		if err := m.move(ctx, from, to, func() error { return vault.Remove(to.Dir) }); err != nil {
			return err
		}
		_, _ = v.Drop()
		m.holder.Replace(nil)
		return v.DeleteDeviceSecret()
	})
}

// fromSealed calls do with the unlocked archive, under the exclusive directory lock.
func (m *Mover) fromSealed(secret string, do func(v *vault.Vault, from Home) error) error {
	return m.exclusively(func() error {
		v, keys, err := m.holder.OpenVault(secret)
		if err != nil {
			return err
		}
		defer keys.Zero()
		return do(v, m.folder.sealed(v, keys))
	})
}

// exclusively calls do under the exclusive directory lock, with nothing open.
func (m *Mover) exclusively(do func() error) error {
	if err := m.store.Close(); err != nil {
		return err
	}
	m.folder.using.Lock()
	defer m.folder.using.Unlock()
	m.folder.mu.Lock()
	defer m.folder.mu.Unlock()
	if err := m.folder.lock.exclude(); err != nil {
		return err
	}
	defer m.folder.lock.release()
	if err := finish(m.holder); err != nil {
		return err
	}
	return do()
}

// move writes the archive into another home; commit then makes that one valid. If it fails before commit, nothing
// changes.
func (m *Mover) move(ctx context.Context, from, to Home, commit func() error) error {
	if to.keys != nil && !missing(to.Dir) {
		return placeTaken("encrypt", to.Dir, "move it away and try again; nothing was changed")
	}
	files, err := from.files()
	if err != nil {
		return err
	}
	if err := (move{From: from.place(), To: to.place(), Files: files}).begin(m.holder.Dir()); err != nil {
		return err
	}
	err = from.copyTo(ctx, to, files)
	if err == nil {
		err = commit()
	}
	return errors.Join(err, clearUp(m.holder))
}

func placeTaken(op, path, hint string) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: op, Message: path + " already exists and is not part of this archive", Hint: hint,
	}
}

// copyTo copies the archive and the files next to it. Errors: unavailable for a damaged file, which would otherwise be
// lost.
func (h Home) copyTo(ctx context.Context, to Home, files []string) error {
	if err := os.MkdirAll(to.Dir, 0o700); err != nil {
		return err
	}
	if err := h.copyArchive(ctx, to); err != nil {
		return err
	}
	if !missing(h.Path(SessionsFile)) {
		if err := ifNotFound(sqlite.CopySessions(ctx, h.Options(), SessionsFile, to.Options(), SessionsFile)); err != nil {
			return err
		}
	}
	for _, name := range files {
		content, err := h.Read(name)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(to.Path(name)), 0o700); err != nil {
			return err
		}
		if err := to.Write(name, content); err != nil {
			return err
		}
	}
	return errors.Join(vault.SyncDir(to.Dir), vault.SyncDir(filepath.Dir(to.Dir)))
}

// ifNotFound returns err, but nil for sessions that a killed process was about to create.
func ifNotFound(err error) error {
	if errs.CodeOf(err) == errs.NotFound {
		return nil
	}
	return err
}

func (h Home) copyArchive(ctx context.Context, to Home) error {
	if missing(h.Path(ArchiveFile)) {
		st, err := sqlite.Open(ctx, to.Options())
		if err != nil {
			return err
		}
		return st.Close()
	}
	return sqlite.Copy(ctx, h.Options(), to.Options())
}

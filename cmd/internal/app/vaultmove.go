package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lens/internal/errs"
	"lens/internal/vault"
	"lens/store/sqlite"
)

// To encrypt, decrypt or re-key an archive, Lens writes a copy next to it. At any moment there is one complete archive,
// or there are two and lens.vault says which one is valid:
//
//  1. Under the exclusive directory lock, lens.moving records the move.
//  2. The archive is written to its new place, sealed-N for the N-th key or the data folder itself, and synced to disk.
//  3. lens.vault is created, replaced or removed, by one rename or one unlink. This is the commit.
//  4. The invalid archive is removed, then lens.moving.
//
// A process that finds lens.moving while no move is running first finishes step 4: see vaultclear.go.

// Encrypt encrypts the archive, or creates an empty encrypted one if there is none. Errors: invalid for Postgres, for
// an encrypted archive and for a secret that is too short; unavailable.
func (l *App) Encrypt(ctx context.Context, s Secrets) error {
	if err := l.MayEncrypt(); err != nil {
		return err
	}
	if err := os.MkdirAll(l.cfg.DataDir, 0o700); err != nil {
		return &errs.Error{
			Code: errs.Unavailable, Op: "encrypt", Message: "cannot create the folder " + l.cfg.DataDir,
			Hint: "choose another one with --data", Err: err,
		}
	}
	return l.alone(func() error {
		next, keys, err := vault.New(l.cfg.DataDir, s, l.box.opts)
		if err != nil {
			return err
		}
		if err := l.move(ctx, home{dir: l.cfg.DataDir}, l.sealedHome(next, keys), next.Save); err != nil {
			keys.Zero()
			if !l.Encrypted() {
				return errors.Join(err, next.DeleteDeviceSecret())
			}
			return err
		}
		l.box.replace(keys)
		return nil
	})
}

// MayEncrypt returns an error if the archive is in Postgres or already encrypted. Errors: invalid.
func (l *App) MayEncrypt() error {
	if l.cfg.DatabaseURL != "" {
		return &errs.Error{
			Code: errs.Invalid, Op: "encrypt", Message: "Lens does not encrypt data in Postgres",
			Hint: "encrypt the server's disk, or import into SQLite, without --database",
		}
	}
	if l.Encrypted() {
		return &errs.Error{
			Code: errs.Invalid, Op: "encrypt", Message: "the archive is already encrypted",
			Hint: "run lens pin change to set another PIN",
		}
	}
	return nil
}

// MustBeEncrypted returns an error if the archive is not encrypted. Errors: invalid, and those of reading the vault.
func (l *App) MustBeEncrypted() error {
	_, err := l.loadVault()
	return notEncrypted(err)
}

// Rekey encrypts the archive with a new key and new secrets. Errors: as Unlock and Encrypt.
func (l *App) Rekey(ctx context.Context, secret string, s Secrets) error {
	return l.fromSealed(secret, func(v *vault.Vault, from home) error {
		next, keys, err := v.Rotate(s)
		if err != nil {
			return err
		}
		if err := l.move(ctx, from, l.sealedHome(next, keys), next.Save); err != nil {
			keys.Zero()
			return err
		}
		_, _ = v.Drop() // the old key opens nothing any more
		l.box.replace(keys)
		return nil
	})
}

// Decrypt replaces the encrypted archive by a plain one. Errors: as Unlock and Encrypt; unavailable if the data folder
// already contains a plain archive.
func (l *App) Decrypt(ctx context.Context, secret string) error {
	return l.fromSealed(secret, func(v *vault.Vault, from home) error {
		if name := plainIn(l.cfg.DataDir); name != "" {
			return placeTaken("decrypt", filepath.Join(l.cfg.DataDir, name),
				"move it to another folder; lens --data can open it there")
		}
		err := l.move(ctx, from, home{dir: l.cfg.DataDir}, func() error { return vault.Remove(l.cfg.DataDir) })
		if err == nil {
			_, _ = v.Drop()
			from.keys.Zero()
			l.box.replace(nil)
			err = v.DeleteDeviceSecret()
		}
		return err
	})
}

// ChangePIN sets a new PIN, a new recovery passphrase, or both. The key and the encrypted files stay. Errors: as
// Unlock; invalid for a secret that is too short.
func (l *App) ChangePIN(secret string, s Secrets) error {
	v, err := l.loadVault()
	if err != nil {
		return notEncrypted(err)
	}
	keys, err := v.Unlock(secret)
	if err != nil {
		return err
	}
	defer keys.Zero()
	if s.PIN != "" {
		err = v.SetPIN(keys, s)
	}
	if err == nil && s.Recovery != "" {
		err = v.SetRecovery(keys, s.Recovery)
	}
	if err != nil {
		return err
	}
	return v.Save()
}

// fromSealed calls do with the unlocked archive, under the exclusive directory lock.
func (l *App) fromSealed(secret string, do func(v *vault.Vault, from home) error) error {
	return l.alone(func() error {
		v, err := l.loadVault()
		if err != nil {
			return notEncrypted(err)
		}
		keys, err := v.Unlock(secret)
		if err != nil {
			return err
		}
		return do(v, l.sealedHome(v, keys))
	})
}

func (l *App) sealedHome(v *vault.Vault, keys *vault.Keys) home {
	return home{dir: filepath.Join(l.cfg.DataDir, sealedName(v.Epoch())), keys: keys}
}

// alone calls do under the exclusive directory lock, with nothing open.
func (l *App) alone(do func() error) error {
	if err := l.closeStore(); err != nil {
		return err
	}
	l.homing.Lock()
	defer l.homing.Unlock()
	if err := l.gate.closeAlone(l.cfg.DataDir); err != nil {
		return err
	}
	defer l.gate.leave()
	if err := l.clearUp(); err != nil { // finish an interrupted move first
		return err
	}
	return do()
}

// move writes the archive into another home; commit then makes that one valid. If it fails before commit, nothing
// changes.
func (l *App) move(ctx context.Context, from, to home, commit func() error) error {
	if to.keys != nil && !missing(to.dir) {
		return placeTaken("encrypt", to.dir, "move it away and try again; nothing was changed")
	}
	m := move{From: from.place(), To: to.place()}
	var err error
	if m.Files, err = filesBeside(from.dir); err != nil {
		return err
	}
	if err := m.begin(l.cfg.DataDir); err != nil {
		return err
	}
	err = furnish(ctx, from, to, m.Files)
	if err == nil {
		err = commit()
	}
	return errors.Join(err, l.clearUp())
}

func placeTaken(op, path, hint string) error {
	return &errs.Error{
		Code: errs.Unavailable, Op: op, Message: path + " already exists and is not part of this archive", Hint: hint,
	}
}

// furnish copies the archive and the files next to it from one home to another. Errors: unavailable for a damaged file,
// which would otherwise be lost.
func furnish(ctx context.Context, from, to home, files []string) error {
	if err := os.MkdirAll(to.dir, 0o700); err != nil {
		return err
	}
	if err := copyArchive(ctx, from, to); err != nil {
		return err
	}
	for _, name := range files {
		content, err := from.read(name)
		if err != nil {
			return from.explained(name, err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to.dir, name)), 0o700); err != nil {
			return err
		}
		if err := to.write(name, content); err != nil {
			return err
		}
	}
	return errors.Join(vault.SyncDir(to.dir), vault.SyncDir(filepath.Dir(to.dir)))
}

// explained names the file in an error of reading a damaged sealed file.
func (h home) explained(name string, err error) error {
	if !errors.Is(err, vault.ErrSealed) {
		return err
	}
	path := filepath.Join(h.dir, name)
	return &errs.Error{
		Code: errs.Unavailable, Op: "read beside the archive", Message: path + " is damaged and cannot be decrypted",
		Hint: "restore it from a backup, or move it away to continue without it", Err: err,
	}
}

func copyArchive(ctx context.Context, from, to home) error {
	if missing(filepath.Join(from.dir, archiveFile)) {
		st, err := sqlite.Open(ctx, to.options())
		if err != nil {
			return err
		}
		return st.Close()
	}
	return sqlite.Copy(ctx, from.options(), to.options())
}

// filesBeside returns the files next to a SQLite archive: explorer state, synonyms and conversations.
func filesBeside(dir string) ([]string, error) {
	var names []string
	for _, name := range []string{"explorer.json", keywordsFile} {
		if !missing(filepath.Join(dir, name)) {
			names = append(names, name)
		}
	}
	chats, err := os.ReadDir(filepath.Join(dir, "chats"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, c := range chats {
		if strings.HasSuffix(c.Name(), ".json") {
			names = append(names, filepath.Join("chats", c.Name()))
		}
	}
	return names, nil
}

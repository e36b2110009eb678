package boot

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lens/internal/vault"
)

// auditKeeper keeps key and head of the audit log beside it, for the owner alone. They are not encrypted with the archive: that it is locked
// must be recorded too.
type auditKeeper struct{ dir string }

const (
	auditKeyBytes  = 32
	auditHeadBytes = 512 // with spaces: one length, so that it is replaced in one write, in place
)

// Key reads the key, or makes it.
func (k auditKeeper) Key(fresh bool) ([]byte, error) {
	path := filepath.Join(k.dir, "audit.key")
	key, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && fresh:
		key = make([]byte, auditKeyBytes)
		rand.Read(key)
		return key, vault.WriteFile(path, key)
	case err == nil && len(key) != auditKeyBytes:
		return nil, errors.New("the key has the wrong length")
	}
	return key, err
}

// Head reads what was kept last.
func (k auditKeeper) Head() ([]byte, error) {
	head, err := os.ReadFile(k.head())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return bytes.TrimRight(head, " "), err
}

// Keep overwrites it.
func (k auditKeeper) Keep(head []byte) error {
	if len(head) > auditHeadBytes {
		return io.ErrShortBuffer
	}
	padded := append(bytes.Clone(head), bytes.Repeat([]byte(" "), auditHeadBytes-len(head))...)
	file, err := os.OpenFile(k.head(), os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return vault.WriteFile(k.head(), padded) // so that no crash leaves it empty
	}
	if err != nil {
		return err
	}
	_, err = file.WriteAt(padded, 0)
	return errors.Join(err, file.Close())
}

func (k auditKeeper) head() string { return filepath.Join(k.dir, "audit.head") }

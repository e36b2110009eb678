package sqlite

import (
	"crypto/rand"
	"fmt"
	"sync/atomic"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
	"github.com/ncruces/go-sqlite3/vfs/adiantum"
	"lukechampine.com/adiantum/hbsh"

	lpadiantum "lukechampine.com/adiantum"
)

// Keys encrypts everything in an archive's directory that reveals text. Its errors are returned as
// they are.
//
// The database, its log and temporary files are encrypted in blocks of 4 KiB with Adiantum, under a
// derived key. Each database page ends with a checksum inside the encryption: a modified block
// decrypts to noise, so the checksum does not match and reading the page fails. (Restoring an old
// block is not detected; detecting it takes hashes of backups that are kept elsewhere.) The log's
// index in shared memory holds page numbers, no text. Cache files are encrypted whole and decrypted
// into memory.
type Keys interface {
	Derive(purpose string) (key []byte, err error) // 32 bytes
	Seal(purpose, name string, plain []byte) ([]byte, error)
	Open(purpose, name string, sealed []byte) ([]byte, error)
}

// The purposes for which keys are derived.
const (
	databaseKey = "database"
	cacheKey    = "cache"
)

// encryption applies Keys to one Store.
type encryption struct {
	Keys
	vfs string // the name of the encrypting file system in SQLite
	key []byte
}

var encryptedStores atomic.Int64

// newEncryption returns nil if keys is nil.
func newEncryption(keys Keys) (*encryption, error) {
	if keys == nil {
		return nil, nil
	}
	key, err := keys.Derive(databaseKey)
	if err != nil {
		return nil, err
	}
	s := &encryption{Keys: keys, key: key, vfs: fmt.Sprintf("lens-%d", encryptedStores.Add(1))}
	vfs.Register(s.vfs, adiantum.Wrap(stableVFS{vfs.Find("")}, cipher{key}))
	return s, nil
}

// close erases the key.
func (s *encryption) close() {
	if s != nil {
		vfs.Unregister(s.vfs)
		clear(s.key)
	}
}

// enableChecksums reserves space for checksums in a database that is still empty.
func (c *conn) enableChecksums() error {
	_, err := c.FileControl("main", sqlite3.FCNTL_RESERVE_BYTES, 8)
	return err
}

// cipher creates the ciphers of an archive's files. The key never passes through SQLite, whose URI
// only says that there is one.
type cipher struct{ key []byte }

// KDF returns the archive's key, and a random key for each temporary file.
func (c cipher) KDF(named string) []byte {
	if named != "" {
		return c.key
	}
	key := make([]byte, 32)
	rand.Read(key)
	return key
}

func (c cipher) HBSH(key []byte) *hbsh.HBSH {
	if len(key) != 32 {
		return nil
	}
	return lpadiantum.New(key)
}

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

// Keys keep what lies in an archive's folder from being read without a key. What it returns as an error is passed on.
//
// The database, its log and temporary files are encrypted in blocks of 4 KiB with Adiantum, under a derived key. Each page of the
// database ends with a checksum inside of the encryption: a block that was changed decrypts to noise, so the page's checksum is wrong,
// and reading it fails. (Putting an old block back is not noticed: who guards against that compares backups with hashes of his own.)
// The log's index in shared memory holds numbers of pages, no text. Caches are encrypted whole, and decrypted into memory.
type Keys interface {
	Derive(purpose string) (key []byte, err error) // 32 bytes
	Seal(purpose, name string, plain []byte) ([]byte, error)
	Open(purpose, name string, sealed []byte) ([]byte, error)
}

// The purposes of keys.
const (
	databaseKey = "database"
	cacheKey    = "cache"
)

// sealed is how a Store uses Keys.
type encryption struct {
	Keys
	vfs string // what SQLite knows the encrypting file system by
	key []byte
}

var encryptedStores atomic.Int64

// newEncryption returns nil for no keys.
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

// close forgets the key.
func (s *encryption) close() {
	if s != nil {
		vfs.Unregister(s.vfs)
		clear(s.key)
	}
}

// enableChecksums makes a database that is still empty keep checksums.
func (c *conn) enableChecksums() error {
	_, err := c.FileControl("main", sqlite3.FCNTL_RESERVE_BYTES, 8)
	return err
}

// cipher makes the ciphers of an archive's files. The key does not pass through SQLite, whose URI says only that there is one.
type cipher struct{ key []byte }

// KDF returns the archive's key, and another one for each temporary file.
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

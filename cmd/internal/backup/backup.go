// Package backup reads and writes the file of a backup.
//
// It is a tar archive, so that its files can be unpacked without Lens:
//
//	backup.json   the head: format, version, time, whether the archive is encrypted, and how much it holds
//	SHA256SUMS    a line for the head and for each following file, in their order, as sha256sum writes it
//	lens.db …     the files of the archive
//
// The rules are:
//
//   - A reader refuses a file unless it has all files of SHA256SUMS in their order, with these sums, and nothing else.
//     A backup that was cut short or changed anywhere is not restored in part.
//   - An older version is read; a newer one is refused.
//   - The files are encrypted if those of the archive are. Head and sums never are: they hold no text of it.
package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"strings"
	"time"

	"lens/internal/errs"
	"lens/store"
)

// The first two files of a backup.
const (
	headName = "backup.json"
	sumsName = "SHA256SUMS"
)

// Format and Version identify a backup.
const (
	Format  = "lens backup"
	Version = 1
)

// The maximum sizes of the first two files, in bytes. They are read into memory.
const (
	maxHead = 64 << 10
	maxSums = 64 << 20
)

// Head describes a backup.
type Head struct {
	Format    string       `json:"format"`
	Version   int          `json:"version"`
	Created   time.Time    `json:"created"`
	Encrypted bool         `json:"encrypted"`
	Holds     store.Counts `json:"holds"`
}

// Part is a file of an archive.
type Part struct {
	Name string // in the backup, with slashes; see fs.ValidPath
	Path string // where it is
}

// sum is a line of SHA256SUMS.
type sum struct {
	name string
	hash [sha256.Size]byte
}

func (s sum) line() string { return hex.EncodeToString(s.hash[:]) + "  " + s.name + "\n" }

// isName reports whether a part may have a name.
func isName(name string) bool {
	return fs.ValidPath(name) && name != "." && name != headName && name != sumsName && len(name) <= 255 &&
		!strings.ContainsAny(name, "\\\n\r\x00:")
}

// contextReader ends a long copy when ctx ends.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// errors of reading, each a sentence about the file.
var (
	errForeign = errors.New("is not a backup of Lens")
	errNewer   = errors.New("was written by a newer Lens")
	errDamaged = errors.New("is damaged or incomplete")
)

// explain adds the sentence for people to an error of reading the backup at path.
func explain(path string, err error) error {
	e := &errs.Error{Code: errs.Invalid, Op: "backup: read", Err: err}
	switch {
	case errors.Is(err, errForeign):
		e.Message, e.Hint = path+" "+errForeign.Error(), "name a file that lens backup has written"
	case errors.Is(err, errNewer):
		e.Message, e.Hint = path+" "+errNewer.Error(), "update Lens"
	case errors.Is(err, errDamaged):
		e.Message = path + " " + errDamaged.Error()
		e.Hint = "copy it again from where it was kept, or use an older backup; nothing was changed"
	default:
		return err
	}
	return e
}

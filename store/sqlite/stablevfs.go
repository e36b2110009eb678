package sqlite

import (
	"bytes"

	"github.com/ncruces/go-sqlite3/util/vfsutil"
	"github.com/ncruces/go-sqlite3/vfs"
)

// stableVFS repeats reads of the log until two of them agree. The log's frames are not aligned to the
// encrypted blocks: appending a frame rewrites the block in which the last one ends. Some file systems
// let a concurrent read see old and new bytes of that block. Encrypted, such a mixture decrypts to
// noise; unencrypted, the bytes that the reader needs would be the same before and after.
type stableVFS struct{ vfs.VFS }

func (v stableVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	file, flags, err := vfsutil.WrapOpenFilename(v.VFS, name, flags)
	if err == nil && flags&vfs.OPEN_WAL != 0 {
		file = &stableFile{File: file}
	}
	return file, flags, err
}

// stableFile is the log beneath its encryption.
type stableFile struct {
	vfs.File
	again []byte
}

// ReadAt reads until two reads agree.
func (f *stableFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	if len(f.again) < len(p) {
		f.again = make([]byte, len(p))
	}
	for {
		m, failed := f.File.ReadAt(f.again[:len(p)], off)
		if m == n && bytes.Equal(p[:n], f.again[:n]) {
			return n, err
		}
		n, err = copy(p, f.again[:m]), failed
	}
}

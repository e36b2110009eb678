package sqlite

import (
	"bytes"

	"github.com/ncruces/go-sqlite3/util/vfsutil"
	"github.com/ncruces/go-sqlite3/vfs"
)

// stableVFS makes reads of the log wait until it holds still. The log's frames are not aligned to the blocks that are encrypted: to
// append a frame, the block that the last one ends in is written again. Read halfway through that, which some file systems allow, a
// block that holds both old and new bytes would decrypt to noise, where plain bytes would be the same before and after.
type stableVFS struct{ vfs.VFS }

func (v stableVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	file, flags, err := vfsutil.WrapOpenFilename(v.VFS, name, flags)
	if err == nil && flags&vfs.OPEN_WAL != 0 {
		file = &stableFile{File: file}
	}
	return file, flags, err
}

// stableFile is the log, below its encryption.
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

package input

import (
	"context"
	"io"
	"io/fs"
	"time"

	"lukechampine.com/blake3"
)

const hashSize = 32

// DiskFile is a file on the disk as it was when it was found. It is not safe for concurrent use.
type DiskFile struct {
	Name     string // in its folder, with slashes
	Size     int64
	Modified time.Time

	open func() (io.ReadCloser, error)
	hash *[hashSize]byte // nil: not known yet
}

func newDiskFile(name string, info fs.FileInfo, open func() (io.ReadCloser, error)) *DiskFile {
	return &DiskFile{Name: name, Size: info.Size(), Modified: info.ModTime(), open: open}
}

// Hash returns the BLAKE3 of the content: an export may have gigabytes, for which SHA-256 takes more than twice as
// long. It reads the file once, however often it is asked. Errors: those of reading.
func (d *DiskFile) Hash(ctx context.Context) ([hashSize]byte, error) {
	if d.hash != nil {
		return *d.hash, nil
	}
	in, err := d.open()
	if err != nil {
		return [hashSize]byte{}, pathError(err)
	}
	defer in.Close()
	const piece = 256 << 10
	const margin = 16 << 10 // without it, the hasher would copy the end of each piece to a new one of this size
	h := blake3.New(hashSize, nil)
	if _, err := io.CopyBuffer(h, &stoppable{ctx, in}, make([]byte, piece, piece+margin)); err != nil {
		return [hashSize]byte{}, pathError(err)
	}
	d.hash = (*[hashSize]byte)(h.Sum(nil))
	return *d.hash, nil
}

// stoppable is a reader that ends with ctx.
type stoppable struct {
	ctx context.Context
	io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

// OnDisk returns the files on the disk that decide what parsers find in f: the one that f is, or is in, and those that
// its format reads with it. Nil: it came through a pipe.
func (f *File) OnDisk() []*DiskFile {
	if f.disk == nil {
		return nil
	}
	all := []*DiskFile{f.disk}
	if log, ok := f.log(); ok && f.isDatabase && log.disk != nil {
		return append(all, log.disk)
	}
	if f.folder == nil || f.isDatabase || f.Format.Companion == nil {
		return all
	}
	for _, name := range f.folder.names {
		if c := f.folder.files[name]; c.disk != nil && f.Format.Companion(name) {
			all = append(all, c.disk)
		}
	}
	return all
}

// OnDisk returns a file of the folder as it is on the disk.
func (f *Folder) OnDisk(d FolderFile) *DiskFile {
	return &DiskFile{
		Name: d.Name, Size: d.Size, Modified: d.Modified,
		open: func() (io.ReadCloser, error) { return f.root.Open(d.Name) },
	}
}

package input

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"
	"time"

	"lukechampine.com/blake3"
)

const hashSize = 32

// DiskFile is a file on the disk as it was when it was found. Only reads through watched may be concurrent.
type DiskFile struct {
	Name     string // in its folder, with slashes
	Size     int64
	Modified time.Time

	open func() (io.ReadCloser, error)
	head *hashedHead     // what has been read of it; nil: it is not watched
	hash *[hashSize]byte // nil: not known yet
}

func newDiskFile(name string, info fs.FileInfo, open func() (io.ReadCloser, error)) *DiskFile {
	return &DiskFile{Name: name, Size: info.Size(), Modified: info.ModTime(), open: open}
}

// Hash returns the BLAKE3 of the content: an export may have gigabytes, for which SHA-256 takes more than twice as
// long. It reads the file once, however often it is asked, and only what has not been read in order through watched.
// Errors: those of reading, and a file that changed since it was found.
func (d *DiskFile) Hash(ctx context.Context) ([hashSize]byte, error) {
	if d.hash != nil {
		return *d.hash, nil
	}
	in, err := d.open()
	if err != nil {
		return [hashSize]byte{}, pathError(err)
	}
	defer in.Close()
	sum, err := cmp.Or(d.head, &hashedHead{}).goOn(ctx, in)
	if err == nil {
		err = d.unchanged(in) // not before: what is written meanwhile is in the hash, and was not parsed
	}
	if err != nil {
		return [hashSize]byte{}, pathError(err)
	}
	d.hash = &sum
	return sum, nil
}

var errChanged = errors.New("the file changed since it was found")

func (d *DiskFile) unchanged(in io.Reader) error {
	f, ok := in.(fs.File)
	if !ok {
		return nil
	}
	now, err := f.Stat()
	if err == nil && (now.Size() != d.Size || !now.ModTime().Equal(d.Modified)) {
		err = errChanged
	}
	return err
}

// HashesWhileRead reports whether Hash takes in what is read of the file before it is asked.
func (d *DiskFile) HashesWhileRead() bool { return d.head != nil }

// watched returns a reader of the file, whose hash then takes in what is read, in its order, from the beginning on.
func (d *DiskFile) watched(in io.ReaderAt) io.ReaderAt {
	d.head = &hashedHead{}
	return &watchedFile{in, d.head}
}

type watchedFile struct {
	io.ReaderAt
	head *hashedHead
}

func (w *watchedFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := w.ReaderAt.ReadAt(p, at)
	w.head.add(p[:n], at)
	return n, err
}

// hashedHead is the beginning of a file and its hash.
type hashedHead struct {
	mu    sync.Mutex
	sum   *blake3.Hasher // nil: nothing has been read
	size  int64
	ended bool // the hash is known
}

// add takes in bytes that were read at an offset, unless some before them are missing.
func (h *hashedHead) add(read []byte, at int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended || at > h.size || at+int64(len(read)) <= h.size {
		return
	}
	read = read[h.size-at:]
	h.size += int64(len(read))
	_, _ = h.hasher().Write(read) // never fails
}

func (h *hashedHead) hasher() *blake3.Hasher {
	if h.sum == nil {
		h.sum = blake3.New(hashSize, nil)
	}
	return h.sum
}

// goOn returns the hash of the whole file. It reads what is behind the beginning.
func (h *hashedHead) goOn(ctx context.Context, file io.Reader) (sum [hashSize]byte, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	hasher, size := h.hasher(), h.size
	defer func() { h.sum, h.size, h.ended = nil, 0, err == nil }()
	if seeker, ok := file.(io.Seeker); ok {
		_, err = seeker.Seek(size, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, file, size)
	}
	if err != nil {
		return sum, err
	}
	const piece = 256 << 10
	const margin = 16 << 10 // without it, the hasher would copy the end of each piece to a new one of this size
	if _, err := io.CopyBuffer(hasher, &stoppable{ctx, file}, make([]byte, piece, piece+margin)); err != nil {
		return sum, err
	}
	hasher.Sum(sum[:0])
	return sum, nil
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

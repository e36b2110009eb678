package shard

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lens/internal/errs"
	"lens/internal/lazyregexp"

	"github.com/gofrs/flock"
)

// Folder is a Bucket and its own Files: published files are read in place. An object's ETag is the checksum
// of its bytes, so Get reads the whole object; shards are read through File instead.
type Folder struct {
	dir  string
	lock string
}

var (
	_ Bucket = (*Folder)(nil)
	_ Files  = (*Folder)(nil)
)

// NewFolder returns the folder dir as a bucket. The first Put creates it.
func NewFolder(dir string) *Folder {
	return &Folder{dir: dir, lock: filepath.Join(dir, lockName)}
}

// Other files in the folder. Keys cannot contain these names.
const (
	lockName   = ".lock"
	tempPrefix = "~" // begins the name of a file being written
)

// tempName matches a complete temporary name.
var tempName = lazyregexp.New(`^` + tempPrefix + `[0-9A-Z]{8,}$`)

// Get implements Bucket.
func (b *Folder) Get(ctx context.Context, key string, o GetOptions) (*Object, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f, err := os.Open(b.path(key))
	if err != nil {
		return nil, b.wrap("get", err)
	}
	object, err := readObject(f, key, o)
	if err != nil {
		_ = f.Close()
		return nil, b.wrap("get", err)
	}
	return object, nil
}

// readObject returns the part of an open file that o selects. Closing the object closes the file.
func readObject(f *os.File, key string, o GetOptions) (*Object, error) {
	size, etag, err := digest(f)
	switch {
	case err != nil:
		return nil, err
	case o.IfMatch != "" && o.IfMatch != etag:
		return nil, ErrChanged
	case o.IfNoneMatch != "" && o.IfNoneMatch == etag:
		return nil, ErrNotModified
	case o.Offset < 0 || o.Length < 0 || o.Offset > 0 && o.Offset >= size:
		return nil, ErrRange
	}
	length := size - o.Offset
	if o.Length > 0 {
		length = min(length, o.Length)
	}
	body := struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(f, o.Offset, length), f}
	return &Object{Info{key, size, etag}, body}, nil
}

// digest returns the length and ETag of a file.
func digest(f *os.File) (size int64, etag string, err error) {
	h := sha256.New()
	if size, err = io.Copy(h, f); err != nil {
		return 0, "", err
	}
	return size, hex.EncodeToString(h.Sum(nil)), nil
}

// Put implements Bucket. A lock file serializes writers, also across processes.
func (b *Folder) Put(ctx context.Context, key string, body *io.SectionReader, o PutOptions) (etag string, err error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	at := b.path(key)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return "", b.unusable("put", err) // even if a parent does not exist
	}
	lock := flock.New(b.lock)
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return "", b.wrap("put", err)
	}
	defer func() { err = cmp.Or(err, b.wrap("put", lock.Unlock())) }()
	if err := b.checkCondition(at, o); err != nil {
		return "", b.wrap("put", err)
	}
	etag, err = replaceFile(at, body)
	return etag, b.wrap("put", err)
}

// checkCondition returns ErrChanged unless o's condition holds for the file at a path.
func (b *Folder) checkCondition(at string, o PutOptions) error {
	if o == (PutOptions{}) {
		return nil
	}
	f, err := os.Open(at)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.IfMatch == "":
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return ErrChanged
	case err != nil:
		return err
	}
	defer f.Close()
	if o.IfAbsent {
		return ErrChanged
	}
	if _, etag, err := digest(f); err != nil || etag != o.IfMatch {
		return cmp.Or(err, ErrChanged)
	}
	return nil
}

// replaceFile writes a temporary file, syncs it, and renames it to at.
func replaceFile(at string, body io.Reader) (etag string, err error) {
	draft := filepath.Join(filepath.Dir(at), tempPrefix+rand.Text())
	f, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // minus the umask
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(f, h), body); err != nil {
		return "", err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), os.Rename(f.Name(), at)
}

// List implements Bucket.
func (b *Folder) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		var all []Info
		folder, _ := path.Split(prefix) // other folders may be large
		err := filepath.WalkDir(b.path(folder), func(at string, e fs.DirEntry, err error) error {
			if err != nil || ctx.Err() != nil {
				return cmp.Or(err, ctx.Err())
			}
			key, err := filepath.Rel(b.dir, at)
			key = filepath.ToSlash(key)
			if err != nil || e.IsDir() || !strings.HasPrefix(key, prefix) {
				return err
			}
			if e.Name() == lockName || strings.HasPrefix(e.Name(), tempPrefix) {
				return nil
			}
			info, err := e.Info()
			if err == nil {
				all = append(all, Info{Key: key, Size: info.Size()})
			} else if errors.Is(err, fs.ErrNotExist) { // deleted in the meantime
				err = nil
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield(Info{}, b.wrap("list", err))
			return
		}
		slices.SortFunc(all, func(x, y Info) int { return cmp.Compare(x.Key, y.Key) })
		for _, info := range all {
			if !yield(info, nil) {
				return
			}
		}
	}
}

// deleteTempFiles deletes temporary files that were last modified before a time, and returns their number.
func (b *Folder) deleteTempFiles(folder string, before time.Time) (n int, err error) {
	found, err := os.ReadDir(b.path(folder))
	if err != nil {
		return 0, b.wrap("delete", err)
	}
	for _, e := range found {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !tempName().MatchString(e.Name()) || info.ModTime().After(before) {
			continue
		}
		if err := os.Remove(filepath.Join(b.path(folder), e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return n, b.wrap("delete", err)
		}
		n++
	}
	return n, nil
}

// Delete implements Bucket.
func (b *Folder) Delete(ctx context.Context, key string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := os.Remove(b.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return b.wrap("delete", err)
}

// File implements Files: it returns the object itself, not a copy.
func (b *Folder) File(ctx context.Context, o Ref) (path string, release func(), err error) {
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	path = b.path(o.Key)
	if err := VerifyFile(path, o); err != nil {
		return "", nil, b.wrap("file", err)
	}
	return path, func() {}, nil
}

// VerifyFile checks that the file at path has the bytes that o describes. Errors: ErrDamaged, and those of
// reading the file.
func VerifyFile(path string, o Ref) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	size, sum, err := digest(f)
	if err == nil && (size != o.Size || sum != o.SHA256) {
		err = fmt.Errorf("%s: %w", o.Key, ErrDamaged)
	}
	return err
}

// path returns the path of an object. A key cannot lead out of the folder.
func (b *Folder) path(key string) string {
	return filepath.Join(b.dir, filepath.FromSlash(filepath.Clean("/"+key)))
}

// wrap converts an error of the operating system to a errs.Error.
func (b *Folder) wrap(op string, err error) error {
	var known *errs.Error
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("folder: %s: %w", op, ErrNotFound)
	}
	return b.unusable(op, err)
}

func (b *Folder) unusable(op string, err error) error {
	if info, failed := os.Stat(b.dir); failed == nil && !info.IsDir() {
		return &errs.Error{
			Code: errs.Invalid, Op: "folder: " + op, Message: b.dir + " is a file, not a folder",
			Hint: "name a folder", Err: err,
		}
	}
	return &errs.Error{
		Code: errs.Unavailable, Op: "folder: " + op, Message: "cannot use the folder " + b.dir,
		Hint: "check its permissions and the free disk space", Err: err,
	}
}

package input

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"lens/internal/errs"
)

// Folder lists a folder on disk, or one file of it. Close it when its files have been read.
type Folder struct {
	Path       string       // absolute, with slashes
	Files      []FolderFile // in order of name, without hidden files, links and installed packages
	Unreadable []string     // folders in it that could not be looked into

	root *os.Root
}

// FolderFile is a file of a Folder.
type FolderFile struct {
	Name     string // inside the folder, slashes between folders
	Size     int64
	Modified time.Time
}

// OpenFolder lists the folder called name, with all its subfolders, or only the file called name. It does not follow
// links. Errors: as those of Open.
func OpenFolder(ctx context.Context, name string) (*Folder, error) {
	at, err := filepath.Abs(name)
	if err != nil {
		return nil, pathError(err)
	}
	info, err := os.Stat(at)
	if err != nil {
		return nil, pathError(err)
	}
	dir := at
	if !info.IsDir() {
		dir = filepath.Dir(at)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, pathError(err)
	}
	f := &Folder{Path: filepath.ToSlash(dir), root: root}
	if info.IsDir() {
		f.Files, f.Unreadable, err = list(ctx, root.FS(), isJunk)
	} else {
		f.Files = []FolderFile{{filepath.Base(at), info.Size(), info.ModTime()}}
	}
	if err != nil {
		_ = root.Close()
		return nil, err
	}
	return f, nil
}

// list lists the regular files of a folder and its subfolders without installed packages, and what may not be opened,
// pipes and devices included.
// It skips names that are hidden.
func list(
	ctx context.Context, folder fs.FS, hidden func(name string) bool,
) (files []FolderFile, closed []string, err error) {
	err = fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return canceled(ctx)
		case err != nil && name == ".":
			return pathError(err)
		case err != nil:
			closed = append(closed, name)
			return skipDir(d)
		case name == ".":
			return nil
		case hidden(name), isPackages(d.Name()):
			return skipDir(d)
		case d.Type()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0: // opening a pipe would wait for a writer
			closed = append(closed, name)
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // gone since it was listed
		}
		files = append(files, FolderFile{name, info.Size(), info.ModTime()})
		return nil
	})
	return files, closed, err
}

func skipDir(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// isPackages reports whether a name is that of a folder of installed packages.
func isPackages(name string) bool { return name == "node_modules" || name == "__pycache__" }

// Read returns a file's bytes, at most limit+1 of them. Its errors are of type *errs.Error.
func (f *Folder) Read(name string, limit int64) ([]byte, error) {
	in, err := f.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, pathError(err)
	}
	defer in.Close()
	var data bytes.Buffer
	if info, err := in.Stat(); err == nil { // else it would be copied as it grows
		data.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
	}
	if _, err := data.ReadFrom(io.LimitReader(in, limit+1)); err != nil {
		return nil, pathError(err)
	}
	return data.Bytes(), nil
}

// Open returns a reader of a file. Its errors are of type *errs.Error.
func (f *Folder) Open(ctx context.Context, d FolderFile) (io.ReadCloser, error) {
	file := File{Size: d.Size, open: func() (io.ReadCloser, error) { return f.root.Open(filepath.FromSlash(d.Name)) }}
	return file.Open(ctx)
}

// PathOf returns the absolute path of a file, with slashes.
func (f *Folder) PathOf(name string) string { return path.Join(f.Path, name) }

// Covers reports whether Files would list a file at the absolute path at if it existed: the path is in the folder, and
// not in a subfolder that could not be read.
func (f *Folder) Covers(at string) bool {
	name, inside := strings.CutPrefix(at, strings.TrimSuffix(f.Path, "/")+"/")
	if !inside {
		return false
	}
	for _, shut := range f.Unreadable {
		if name == shut || strings.HasPrefix(name, shut+"/") {
			return false
		}
	}
	return true
}

// Close closes the folder.
func (f *Folder) Close() error { return f.root.Close() }

// IsNoConversations reports whether an error of Open means that the path exists, but holds no conversations.
func IsNoConversations(err error) bool {
	return errs.CodeOf(err) == errs.NotFound && !errors.Is(err, fs.ErrNotExist)
}

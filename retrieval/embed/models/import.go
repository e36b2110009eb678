package models

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"lens/internal/errs"
)

// maxFile bounds what is read of one file in a tarball or folder: no built-in model has a larger one.
const maxFile = 1 << 30

// Import installs a model from a tarball (.tgz, .tar.gz, .tar) or a folder, at any depth inside it, and returns
// which one it was. It recognizes files by name and checksum, skips others, and follows links to files. Errors:
// invalid when it contains no complete built-in model.
func (f Folder) Import(ctx context.Context, from string, progress Progress) (*Model, error) {
	info, err := os.Stat(from)
	if err != nil {
		return nil, &errs.Error{
			Code: errs.NotFound, Op: "models: import", Message: "no such file or folder", Hint: "check the path", Err: err,
		}
	}
	need := 2 * info.Size()
	if info.IsDir() {
		if need, err = modelFilesSize(from); err != nil {
			return nil, err
		}
	}
	if err := f.checkSpace(need); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(string(f), ".import-")
	if err != nil {
		return nil, cannotWrite(err)
	}
	defer os.RemoveAll(dir)
	g := collector{ctx: ctx, dir: dir, progress: progress, collected: make(map[string]string)}
	if info.IsDir() {
		err = g.folder(from)
	} else {
		err = g.tarball(from, info.Size())
	}
	if err != nil {
		return nil, err
	}
	return f.publishFirst(&g)
}

// publishFirst publishes the first built-in model whose files are complete.
func (f Folder) publishFirst(g *collector) (*Model, error) {
	for i := range known {
		m := &known[i]
		if !g.complete(m) {
			continue
		}
		partial, err := f.partial(m)
		if err != nil {
			return nil, err
		}
		for _, file := range m.Files {
			if err := os.Rename(g.collected[file.SHA256], filepath.Join(partial, file.Name)); err != nil {
				return nil, cannotWrite(err)
			}
		}
		return m, f.publish(m, partial)
	}
	return nil, g.incompleteError()
}

// incompleteError says what is missing, for the model that came closest.
func (g *collector) incompleteError() error {
	e := &errs.Error{
		Code: errs.Invalid, Op: "models: import", Message: "it contains no built-in model",
		Hint: "run lens model list to see the models and where they come from; --unverified imports another one",
	}
	most := 0
	for i := range known {
		isCollected := func(file File) bool { return g.collected[file.SHA256] != "" }
		missing := slices.DeleteFunc(slices.Clone(known[i].Files), isCollected)
		if there := len(known[i].Files) - len(missing); there > most {
			most = there
			e.Message = fmt.Sprintf("%s is incomplete: %s is missing or differs from the published file",
				known[i].Name, missing[0].Name)
		}
	}
	if most == 0 && g.mismatched != "" {
		e.Message = fmt.Sprintf("the checksum of %s differs from the published one", g.mismatched)
	}
	return e
}

// collector copies files with the name of a built-in model's file, and keeps them by checksum.
type collector struct {
	ctx        context.Context
	dir        string
	progress   Progress
	collected  map[string]string // checksum → path in dir
	mismatched string            // a file with a known name but another checksum
}

func (g *collector) complete(m *Model) bool {
	for _, file := range m.Files {
		if g.collected[file.SHA256] == "" {
			return false
		}
	}
	return true
}

// checksumsOf returns the checksums that a file of this name may have.
func checksumsOf(name string) map[string]bool {
	sums := make(map[string]bool)
	for _, m := range known {
		for _, file := range m.Files {
			if file.Name == name {
				sums[file.SHA256] = true
			}
		}
	}
	return sums
}

// collect copies r if a built-in model has a file of that name, and keeps it if the checksum matches too.
func (g *collector) collect(name string, r io.Reader) error {
	wanted := checksumsOf(name)
	if len(wanted) == 0 {
		return nil
	}
	at, err := os.CreateTemp(g.dir, "file-")
	if err != nil {
		return cannotWrite(err)
	}
	at.Close()
	s, err := openChecksumFile(at.Name(), false)
	if err != nil {
		return err
	}
	if err := s.fill(g.ctx, r, maxFile, func(int64) {}); err != nil {
		s.file.Close()
		return err
	}
	sum, err := s.close()
	if err != nil {
		return err
	}
	if wanted[sum] {
		g.collected[sum] = at.Name()
		return nil
	}
	g.mismatched = name
	return os.Remove(at.Name())
}

func (g *collector) folder(root string) error {
	return eachModelFile(root, func(path string, info fs.FileInfo) error {
		file, err := os.Open(path)
		if err != nil {
			return unreadable(err)
		}
		defer file.Close()
		return explainRead(g.collect(filepath.Base(path), file), unreadable)
	})
}

// modelFilesSize returns the total size of the files that eachModelFile finds.
func modelFilesSize(root string) (total int64, err error) {
	err = eachModelFile(root, func(_ string, info fs.FileInfo) error { total += info.Size(); return nil })
	return total, err
}

// eachModelFile calls fn for each file below root with the name of a built-in model's file. It skips unreadable
// folders.
func eachModelFile(root string, fn func(path string, info fs.FileInfo) error) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil && path == root {
			return unreadable(err)
		}
		if err != nil || entry.IsDir() || len(checksumsOf(entry.Name())) == 0 {
			return nil
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		return fn(path, info)
	})
}

func unreadable(err error) error {
	return &errs.Error{
		Code: errs.Invalid, Op: "models: import", Message: "the file or folder is unreadable",
		Hint: "check its permissions", Err: err,
	}
}

func (g *collector) tarball(name string, size int64) error {
	file, err := os.Open(name)
	if err != nil {
		return unreadable(err)
	}
	defer file.Close()
	counted := &countingReader{r: file, onRead: func(n int64) { g.report(n, size) }}
	var r io.Reader = counted
	if unzipped, err := gzip.NewReader(counted); err == nil {
		r = unzipped
	} else if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	for t := tar.NewReader(r); ; {
		header, err := t.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return explainRead(err, notATarball)
		case header.Typeflag != tar.TypeReg:
			continue
		}
		if err := g.collect(path.Base(header.Name), t); err != nil {
			return explainRead(err, notATarball)
		}
	}
}

// explainRead explains a read error, unless the context or the disk caused it.
func explainRead(err error, explain func(error) error) error {
	var said *errs.Error
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	if err == nil || ended || errors.As(err, &said) {
		return err
	}
	return explain(err)
}

func notATarball(err error) error {
	return &errs.Error{
		Code: errs.Invalid, Op: "models: import", Message: "not a complete tarball", Hint: "download it again", Err: err,
	}
}

func (g *collector) report(done, total int64) {
	if g.progress != nil {
		g.progress(done, total)
	}
}

type countingReader struct {
	r      io.Reader
	n      int64
	onRead func(int64)
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.onRead(c.n)
	return n, err
}

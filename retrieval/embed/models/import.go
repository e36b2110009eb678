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

	"lens/retrieval/embed"
)

// maxFile bounds what is read of one file in a tarball or folder: no known model has a larger one.
const maxFile = 1 << 30

// Import brings a model from a tarball (.tgz, .tar.gz, .tar) or a folder, at any depth inside it, and returns which one it was. Files are
// recognised by name and checksum; others are passed over, links to files are followed. invalid when no known model is complete in it.
func (f Folder) Import(ctx context.Context, from string, tell Progress) (*Model, error) {
	info, err := os.Stat(from)
	if err != nil {
		return nil, &embed.Error{Code: "not_found", Op: "models: import", Message: "there is no such file or folder", Hint: "Check the path.", Err: err}
	}
	need := 2 * info.Size()
	if info.IsDir() {
		if need, err = wanted(from); err != nil {
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
	g := gathering{ctx: ctx, dir: dir, tell: tell, have: make(map[string]string)}
	if info.IsDir() {
		err = g.folder(from)
	} else {
		err = g.tarball(from, info.Size())
	}
	if err != nil {
		return nil, err
	}
	return f.take(&g)
}

// take publishes the first known model of which every file was found.
func (f Folder) take(g *gathering) (*Model, error) {
	for i := range known {
		k := &known[i]
		if !g.complete(k) {
			continue
		}
		partial, err := f.partial(k)
		if err != nil {
			return nil, err
		}
		for _, file := range k.Files {
			if err := os.Rename(g.have[file.SHA256], filepath.Join(partial, file.Name)); err != nil {
				return nil, cannotWrite(err)
			}
		}
		return k, f.publish(k, partial)
	}
	return nil, g.lack()
}

// lack says what is missing for a model: of the one that came nearest.
func (g *gathering) lack() error {
	e := &embed.Error{
		Code: "invalid", Op: "models: import", Message: "there is no built-in model in it",
		Hint: "`lens model list` names the models and where they come from.",
	}
	most := 0
	for i := range known {
		missing := slices.DeleteFunc(slices.Clone(known[i].Files), func(file File) bool { return g.have[file.SHA256] != "" })
		if there := len(known[i].Files) - len(missing); there > most {
			most = there
			e.Message = fmt.Sprintf("of %s, the file %s is missing in it, or not the one that was published", known[i].Name, missing[0].Name)
		}
	}
	if most == 0 && g.other != "" {
		e.Message = fmt.Sprintf("the file %s in it is not the one that was published: its checksum differs", g.other)
	}
	return e
}

// gathering copies the files that some known model has by name, and remembers them by checksum.
type gathering struct {
	ctx   context.Context
	dir   string
	tell  Progress
	have  map[string]string // checksum → path in dir
	other string            // a file with the name of a model's, but another checksum
}

func (g *gathering) complete(k *Model) bool {
	for _, file := range k.Files {
		if g.have[file.SHA256] == "" {
			return false
		}
	}
	return true
}

// pins returns the checksums that a file of this name may have.
func pins(name string) map[string]bool {
	sums := make(map[string]bool)
	for _, k := range known {
		for _, file := range k.Files {
			if file.Name == name {
				sums[file.SHA256] = true
			}
		}
	}
	return sums
}

// offer copies r when its name is that of a model's file, and keeps it when its checksum is too.
func (g *gathering) offer(name string, r io.Reader) error {
	wanted := pins(name)
	if len(wanted) == 0 {
		return nil
	}
	at, err := os.CreateTemp(g.dir, "file-")
	if err != nil {
		return cannotWrite(err)
	}
	at.Close()
	s, err := openSink(at.Name(), false)
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
		g.have[sum] = at.Name()
		return nil
	}
	g.other = name
	return os.Remove(at.Name())
}

func (g *gathering) folder(root string) error {
	return eachWanted(root, func(path string, info fs.FileInfo) error {
		file, err := os.Open(path)
		if err != nil {
			return unreadable(err)
		}
		defer file.Close()
		return blame(g.offer(filepath.Base(path), file), unreadable)
	})
}

// wanted returns how many bytes the files have that eachWanted finds.
func wanted(root string) (total int64, err error) {
	err = eachWanted(root, func(_ string, info fs.FileInfo) error { total += info.Size(); return nil })
	return total, err
}

// eachWanted calls fn for each file below root that has the name of a model's. Folders that may not be looked into are passed over.
func eachWanted(root string, fn func(path string, info fs.FileInfo) error) error {
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil && path == root {
			return unreadable(err)
		}
		if err != nil || entry.IsDir() || len(pins(entry.Name())) == 0 {
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
	return &embed.Error{Code: "invalid", Op: "models: import", Message: "it cannot be read", Hint: "Look at its permissions.", Err: err}
}

func (g *gathering) tarball(name string, size int64) error {
	file, err := os.Open(name)
	if err != nil {
		return unreadable(err)
	}
	defer file.Close()
	counted := &countingReader{r: file, tell: func(n int64) { g.report(n, size) }}
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
			return blame(err, noTarball)
		case header.Typeflag != tar.TypeReg:
			continue
		}
		if err := g.offer(path.Base(header.Name), t); err != nil {
			return blame(err, noTarball)
		}
	}
}

// blame explains what went wrong by what was read, unless the context or the disk is to blame.
func blame(err error, explain func(error) error) error {
	var said *embed.Error
	if err == nil || errors.As(err, &said) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return explain(err)
}

func noTarball(err error) error {
	return &embed.Error{Code: "invalid", Op: "models: import", Message: "the file is no whole tarball", Hint: "Download it again.", Err: err}
}

func (g *gathering) report(done, total int64) {
	if g.tell != nil {
		g.tell(done, total)
	}
}

type countingReader struct {
	r    io.Reader
	n    int64
	tell func(int64)
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	c.tell(c.n)
	return n, err
}

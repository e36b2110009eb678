package input

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"lens/store/ingest/source"
)

// companions are the files of a folder or zip that formats read with others. It implements source.Folder.
type companions struct {
	ctx   context.Context
	files map[string]File // by name
	names []string        // in order
}

// isCompanion reports whether a format reads a file with others. The name alone tells: there may be very many.
func isCompanion(name string) bool {
	return slices.ContainsFunc(formats, func(f *source.Format) bool { return f.Companion != nil && f.Companion(name) })
}

// newCompanions returns the files among entries that formats read with others.
func (f *finder) newCompanions(prefix string, entries []entry) (*companions, error) {
	c := &companions{ctx: f.ctx, files: map[string]File{}}
	for _, e := range entries {
		if !isCompanion(e.name) {
			continue
		}
		if err := f.budget.admit(e); err != nil {
			return nil, err
		}
		c.add(File{Name: printable(prefix + e.name), Size: e.size, open: e.open, disk: e.disk})
	}
	return c, nil
}

func (c *companions) add(f File) {
	if _, known := c.files[f.Name]; !known {
		c.names = append(c.names, f.Name)
	}
	c.files[f.Name] = f
	slices.Sort(c.names)
}

// List implements source.Folder.
func (c *companions) List(folder string) (all []string) {
	prefix := path.Clean(folder) + "/"
	for _, name := range c.names[sort.SearchStrings(c.names, prefix):] {
		rest, inside := strings.CutPrefix(name, prefix)
		if !inside {
			break
		}
		if !strings.Contains(rest, "/") {
			all = append(all, name)
		}
	}
	return all
}

// Open implements source.Folder. Its errors are of type *errs.Error.
func (c *companions) Open(name string) (io.ReadCloser, error) {
	f, ok := c.files[path.Clean(name)]
	if !ok {
		return nil, pathError(fs.ErrNotExist)
	}
	return f.Open(c.ctx)
}

// unread counts those that belong to none of the files.
func (c *companions) unread(files []File, unread *Unread) {
	for _, name := range c.names {
		reads := func(f File) bool { return f.Format.Companion != nil && f.Format.Companion(name) }
		if !slices.ContainsFunc(files, reads) {
			unread.Count(name)
		}
	}
}

// logOf returns the write-ahead log beside a file, nil for none.
func logOf(ctx context.Context, file string) *companions {
	name := file + source.LogSuffix
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	c := &companions{ctx: ctx, files: map[string]File{}}
	open := func() (io.ReadCloser, error) { return os.Open(name) }
	disk := newDiskFile(filepath.Base(name), info, open)
	c.add(File{Name: printable(disk.Name), Size: disk.Size, open: open, disk: disk})
	return c
}

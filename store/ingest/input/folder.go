package input

import (
	"io"
	"io/fs"
	"os"
)

// folder opens an unpacked export. It does not follow links out of the folder.
func (f *finder) folder(path string) error {
	root, err := os.OpenRoot(path)
	if err != nil {
		return pathError(err)
	}
	f.export.closers = append(f.export.closers, root)
	entries, err := f.walk(root)
	if err != nil {
		return err
	}
	if err := f.addEntries("", entries); err != nil {
		return err
	}
	if len(f.export.Files) == 0 {
		if err := f.addZips(root, entries); err != nil {
			return err
		}
	}
	if broken := f.export.Broken; len(broken) > 0 && len(f.export.Files) == 0 {
		return withNames(broken)
	}
	return f.requireFiles("nothing to import in this folder: no export and no documents")
}

// walk lists the regular files of a folder, up to a depth that no export reaches.
func (f *finder) walk(root *os.Root) ([]entry, error) {
	var all []entry
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case f.ctx.Err() != nil:
			return canceled(f.ctx)
		case err != nil && name == ".":
			return pathError(err)
		case err != nil, d.IsDir() && name != "." && (isHidden(name) || depth(name) > f.depth):
			return skipDir(d)
		case !d.Type().IsRegular():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // gone since it was listed
		}
		open := func() (io.ReadCloser, error) { return root.Open(name) }
		all = append(all, entry{name: name, size: info.Size(), open: open})
		return nil
	})
	return all, err
}

func skipDir(d fs.DirEntry) error {
	if d != nil && d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

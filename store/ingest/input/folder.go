package input

import (
	"io"
	"os"
)

// folder opens an unpacked export. It does not follow links out of the folder.
func (f *finder) folder(path string) error {
	root, err := os.OpenRoot(path)
	if err != nil {
		return pathError(err)
	}
	f.export.closers = append(f.export.closers, root)
	files, closed, err := list(f.ctx, root.FS(), isHidden)
	if err != nil {
		return err
	}
	f.export.Unread.Closed = closed
	entries := make([]entry, len(files))
	for i, file := range files {
		open := func() (io.ReadCloser, error) { return root.Open(file.Name) }
		disk := &DiskFile{Name: file.Name, Size: file.Size, Modified: file.Modified, open: open}
		entries[i] = entry{name: file.Name, size: file.Size, open: open, disk: disk}
	}
	if err := f.addEntries("", entries); err != nil {
		return err
	}
	if err := f.addZips(root, entries); err != nil {
		return err
	}
	if broken := f.export.Broken; len(broken) > 0 && len(f.export.Files) == 0 {
		return withNames(broken)
	}
	return f.requireFiles("nothing to import in this folder: no export and no documents")
}

package datadir

// File is a JSON file next to the archive. It may be locked and unlocked between two calls.
type File struct {
	Folder *Folder
	Name   string
}

// Load decodes the file, and reports whether there is one. An unreadable file counts as absent.
func (f File) Load(into any) bool {
	h, err := f.Folder.Home()
	return err == nil && h.Load(f.Name, into)
}

// Save replaces the file atomically. Errors: locked, those of the file system.
func (f File) Save(content any) error {
	h, err := f.Folder.Home()
	if err != nil {
		return err
	}
	return h.Save(f.Name, content)
}

// Remove removes the file, if it exists. Errors: locked, those of the file system.
func (f File) Remove() error {
	h, err := f.Folder.Home()
	if err != nil {
		return err
	}
	return h.Remove(f.Name)
}

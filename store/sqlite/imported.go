package sqlite

import (
	"context"

	"lens/store"
)

// ImportedRoots implements store.Reader.
func (s *Store) ImportedRoots(ctx context.Context) (store.Imported, error) {
	return s.imported(ctx, "imported roots", "ImportedRoots")
}

// ImportedFiles implements store.Reader.
func (s *Store) ImportedFiles(ctx context.Context, root string) (store.Imported, error) {
	return s.imported(ctx, "imported files", "ImportedFiles", []byte(root))
}

func (s *Store) imported(ctx context.Context, op, name string, args ...any) (all store.Imported, err error) {
	err = s.read(ctx, op, func(c *conn) error {
		all, err = c.imported(name, args...)
		return err
	})
	return all, err
}

func (c *conn) imported(name string, args ...any) (all store.Imported, err error) {
	if all.Epoch, err = c.number("ImportedEpoch"); err != nil {
		return all, err
	}
	all.Files, err = collect(c, row.importedFile, name, args...)
	return all, err
}

// importedFile reads the columns of ImportedFiles.
func (r row) importedFile() store.ImportedFile {
	return store.ImportedFile{
		Root: string(r.ColumnRawBlob(0)), Path: string(r.ColumnRawBlob(1)),
		Data: []byte(r.ColumnText(2)), Imported: r.time(3),
	}
}

// ImportedEpoch implements store.Tx.
func (t *tx) ImportedEpoch(context.Context) (int64, error) { return t.number("ImportedEpoch") }

// PutImportedFiles implements store.Tx.
func (t *tx) PutImportedFiles(ctx context.Context, epoch int64, files []store.ImportedFile) error {
	now, err := t.ImportedEpoch(ctx)
	if err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		if now != epoch && !f.IsRoot() {
			continue
		}
		if err := t.run("PutImportedFile", []byte(f.Root), []byte(f.Path), string(f.Data), f.Imported); err != nil {
			return err
		}
	}
	return nil
}

// DropImportedFiles implements store.Tx.
func (t *tx) DropImportedFiles(_ context.Context, root string, paths []string) error {
	for _, path := range paths {
		if err := t.run("DropImportedFile", []byte(root), []byte(path)); err != nil {
			return err
		}
	}
	return nil
}

// distrustImported drops what is known of imported files.
func (t *tx) distrustImported() error {
	if err := t.run("DistrustImportedFiles"); err != nil {
		return err
	}
	return t.run("RaiseImportedEpoch")
}

package postgres

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
	err = s.snapshot(ctx, op, func(c *conn) error {
		all, err = c.imported(ctx, name, args...)
		return err
	})
	return all, err
}

func (c *conn) imported(ctx context.Context, name string, args ...any) (all store.Imported, err error) {
	if all.Epoch, err = c.number(ctx, "ImportedEpoch"); err != nil {
		return all, err
	}
	all.Files, err = collect(ctx, c, row.importedFile, name, args...)
	return all, err
}

// importedFile reads the columns of ImportedFiles.
func (r row) importedFile() store.ImportedFile {
	return store.ImportedFile{
		Root: string(r.bytes(0)), Path: string(r.bytes(1)), Data: r.bytes(2), Imported: r.time(3),
	}
}

// ImportedEpoch implements store.Tx.
func (t *tx) ImportedEpoch(ctx context.Context) (int64, error) { return t.number(ctx, "ImportedEpoch") }

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
		_, err := t.run(ctx, "PutImportedFile", []byte(f.Root), []byte(f.Path), string(f.Data), f.Imported)
		if err != nil {
			return err
		}
	}
	return nil
}

// DropImportedFiles implements store.Tx.
func (t *tx) DropImportedFiles(ctx context.Context, root string, paths []string) error {
	all := make([][]byte, len(paths))
	for i, path := range paths {
		all[i] = []byte(path)
	}
	_, err := t.run(ctx, "DropImportedFiles", []byte(root), all)
	return err
}

// distrustImported drops what is known of imported files.
func (t *tx) distrustImported(ctx context.Context) error {
	if _, err := t.run(ctx, "DistrustImportedFiles"); err != nil {
		return err
	}
	_, err := t.run(ctx, "RaiseImportedEpoch")
	return err
}

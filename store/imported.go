package store

import (
	"context"
	"time"
)

// ImportedFile is what an import remembers of a file that it read to its end, or of a path that the user named.
type ImportedFile struct {
	Root string // the absolute path that the user named
	// Path is the absolute path of a file: Root, or a file in it, also inside a zip. "": not a file, but Root as it was
	// named, which a refresh reads again.
	Path     string
	Data     []byte // JSON that only ingest knows
	Imported time.Time
}

// IsRoot reports whether f is a path as the user named it.
func (f *ImportedFile) IsRoot() bool { return f.Path == "" }

// Imported is what an archive remembers of files.
type Imported struct {
	// Epoch is a number that grows whenever something is forgotten or restored. What is known of the files is dropped
	// then, because they have to be read again.
	Epoch int64
	Files []ImportedFile // by Root, then Path
}

// ImportReader reads when and from where an archive was filled.
type ImportReader interface {
	// ImportRuns returns the import runs, newest first.
	ImportRuns(ctx context.Context, limit int) ([]ImportRun, error)

	// ImportedRoots returns the paths that the user named.
	ImportedRoots(ctx context.Context) (Imported, error)

	// ImportedFiles returns the files of a root, and the root itself if it was named.
	ImportedFiles(ctx context.Context, root string) (Imported, error)
}

// ImportedWriter is the part of a Tx that remembers files.
type ImportedWriter interface {
	// ImportedEpoch returns the archive's epoch.
	ImportedEpoch(ctx context.Context) (int64, error)

	// PutImportedFiles inserts or replaces files. It leaves out all but roots when the archive's epoch is another one:
	// something was forgotten or restored since the files were read.
	PutImportedFiles(ctx context.Context, epoch int64, files []ImportedFile) error

	// DropImportedFiles removes files of a root, given by Path. "" also stands for the root alone.
	DropImportedFiles(ctx context.Context, root string, paths []string) error
}

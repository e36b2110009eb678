package archive

import (
	"context"
	"os"

	"lens/cmd/internal/backup"
	"lens/internal/errs"
	"lens/store/ingest"
)

// The types of what an import would bring in.
type (
	Detected       = ingest.Detected
	DetectedFormat = ingest.DetectedFormat
)

// Detect says what paths are and what an import would bring in. It neither opens the archive nor needs one, so it also
// works while that is locked.
func (a *Archive) Detect(ctx context.Context, paths []string, opts ImportOptions) ([]Detected, error) {
	opts.Refuse = refuseBackup
	opts.Spool = a.spool()
	return ingest.Detect(ctx, paths, opts)
}

// refuseBackup returns the error of importing a backup, nil for another file.
func refuseBackup(path string) error {
	if !backup.IsBegun(path) {
		return nil
	}
	return &errs.Error{
		Code: errs.Invalid, Op: "import", Message: "it is a backup of Lens", Hint: "run lens restore with it",
	}
}

// refusedBackups returns the error of importing nothing but backups.
func refusedBackups(ctx context.Context, paths []string) error {
	for _, path := range paths {
		if !backup.IsBegun(path) {
			return nil
		}
	}
	_, err := ingest.Detect(ctx, paths, ingest.Options{Refuse: refuseBackup})
	return err
}

// spool returns the folder for what has to be unpacked: the data folder, "" while there is none.
func (a *Archive) spool() string {
	if info, err := os.Stat(a.opts.DataDir); err != nil || !info.IsDir() {
		return ""
	}
	return a.opts.DataDir
}

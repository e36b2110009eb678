package sqlite

import (
	"fmt"
	"os"

	"lens/internal/errs"
	"lens/store/failure"
)

// A migration and a rebuilt keyword index are one transaction each. Until it is folded into the database file, the log
// holds every page that it wrote, so both need room beside the archive. SQLite would notice a full disk too, but only
// after minutes of work.

// needSpace returns an error unless the disk of the archive has that many bytes free, as far as that is known.
// purpose completes "… needs 1.5 GB": "upgrading the archive".
func (s *Store) needSpace(purpose string, bytes int64) error {
	free, known := freeSpace(s.dir)
	if !known || free >= bytes {
		return nil
	}
	return failure.New(
		errs.Unavailable,
		fmt.Sprintf("%s needs %d MB, and the disk has %d MB free", purpose, bytes/megabyte+1, free/megabyte),
		"free some space on the disk of "+s.dir+"; nothing was changed",
	)
}

// databaseBytes returns the size of the database file.
func (s *Store) databaseBytes() (int64, error) {
	info, err := os.Stat(s.path())
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

const megabyte = 1_000_000 // bytes, as disks are sold

package vecindex

import (
	"fmt"
	"os"

	"github.com/edsrzf/mmap-go"
)

// Open maps the index at path. It reads what is needed of every row; planes and halves are read, and verified, when they are first used.
// Errors: fs.ErrNotExist, ErrDamaged (also for a format that this version does not know).
func Open(path string) (*Index, error) { return OpenPrefix(path, -1) }

// OpenPrefix maps the index that is the first length bytes of a file, all of it when length is negative. Errors: as Open.
func OpenPrefix(path string, length int64) (*Index, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("vecindex: open: %w", err)
	}
	defer f.Close() // the mapping stays
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("vecindex: open: %w", err)
	}
	if length < 0 {
		length = info.Size()
	}
	if length < headerBytes || length > info.Size() { // also what cannot be mapped: an empty file
		return nil, fmt.Errorf("vecindex: open: length: %w", ErrDamaged)
	}
	m, err := mmap.MapRegion(f, int(length), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil, fmt.Errorf("vecindex: open: %w", err)
	}
	var x *Index
	err = CatchFault(func() error {
		x, err = decode(m)
		return err
	})
	if err != nil {
		_ = m.Unmap()
		return nil, fmt.Errorf("vecindex: open: %w", err)
	}
	x.unmap = m.Unmap
	return x, nil
}

// Decode returns the index of a file that was read into memory, and is the index's from then on: closing it overwrites the bytes with
// zeros. Errors: ErrDamaged.
func Decode(file []byte) (*Index, error) {
	x, err := decode(file)
	if err != nil {
		return nil, fmt.Errorf("vecindex: decode: %w", err)
	}
	x.unmap = func() error {
		clear(file)
		return nil
	}
	return x, nil
}

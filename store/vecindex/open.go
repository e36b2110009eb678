package vecindex

import (
	"fmt"
	"os"

	"github.com/edsrzf/mmap-go"
)

// Open maps the index at path. It reads and verifies what is needed of every row; planes and halves
// are verified on first use. Errors: fs.ErrNotExist, ErrDamaged (also for an unknown version of the
// format).
func Open(path string) (*Index, error) { return OpenPrefix(path, -1) }

// OpenPrefix maps an index in the first length bytes of a file; the whole file if length is negative.
// Errors: as Open.
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
	if length < headerBytes || length > info.Size() { // also an empty file, which cannot be mapped
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

// Decode returns the index of a file in memory. It owns the bytes from then on, and Close overwrites
// them and all copies of them with zeros. Errors: ErrDamaged.
func Decode(file []byte) (*Index, error) {
	x, err := decode(file)
	if err != nil {
		return nil, fmt.Errorf("vecindex: decode: %w", err)
	}
	plane := x.plane
	x.unmap = func() error {
		clear(file)
		if plane != nil && plane.groups != nil {
			plane.groups.erase()
		}
		return nil
	}
	return x, nil
}

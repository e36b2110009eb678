package vecindex

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"path/filepath"

	"lens/store"
)

// errRows is what a maker is told whose rows do not fit what it announced.
var errRows = errors.New("rows do not match ords and dim")

// Write makes the file at path: row i holds the halves of ords[i], 2*dim bytes. rows yields exactly one row an ord, and may
// fail. The file appears at path when it is complete; whatever was there before stays until then. Nothing waits for the disk:
// what a power cut leaves half written, checksums reveal.
func Write(path string, dim int, tag Tag, ords []store.Ord, rows iter.Seq2[[]byte, error]) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // mode 0600
	if err != nil {
		return fmt.Errorf("vecindex: write: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			err = fmt.Errorf("vecindex: write: %w", err)
		}
	}()
	l := newLayout(dim, len(ords), tag)
	sums, err := writeRows(f, l, rows)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(l.head(ords, sums), 0); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// writeRows writes the rows where they belong and returns the checksum of each block.
func writeRows(f *os.File, l layout, rows iter.Seq2[[]byte, error]) ([]uint32, error) {
	if _, err := f.Seek(l.rowsAt(), io.SeekStart); err != nil {
		return nil, err
	}
	w := bufio.NewWriterSize(f, blockBytes)
	sums := make([]uint32, l.blocks())
	n := 0
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if n == l.rows || len(row) != 2*l.dim {
			return nil, errRows
		}
		sums[n/l.perBlock] = crc32.Update(sums[n/l.perBlock], castagnoli, row)
		if _, err := w.Write(row); err != nil {
			return nil, err
		}
		n++
	}
	if n != l.rows {
		return nil, errRows
	}
	return sums, w.Flush()
}

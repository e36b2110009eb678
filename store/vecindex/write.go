package vecindex

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"lens/internal/simd"
)

// errRows means that Rows does not match Ords, Keys or Dim.
var errRows = errors.New("rows do not match ords, keys and dim")

// New returns an index in memory. Errors: ErrDamaged for rows that are not unit vectors, and those of
// c.Rows.
func New(c Contents) (*Index, error) {
	m := newBuilder(c, signsPlane)
	rows := make([]byte, 0, 2*c.Dim*len(c.Ords))
	err := m.read(c.Rows, func(row []byte) error {
		rows = append(rows, row...)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("vecindex: new: %w", err)
	}
	x := m.index(make([]byte, m.codes().size()), make([]byte, m.rests().size()), rows)
	if p := x.plane; p != nil {
		for i := range m.rows {
			m.encode(i, p.codes.of(i, i+1), p.rests.of(i, i+1), rows[2*m.dim*i:2*m.dim*(i+1)])
		}
	}
	return x, nil
}

// Write creates or replaces the file at path atomically. It does not sync: checksums reveal what a
// power cut leaves half written. Errors: as New.
func Write(path string, c Contents) (err error) {
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
	m := newBuilder(c, groupsPlane)
	if err := f.Truncate(m.size()); err != nil { // an empty index ends at the position of its halves
		return err
	}
	if err := m.writeTo(f, c); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Encode returns the bytes of the file that Write creates. Errors: as New.
func Encode(c Contents) ([]byte, error) { return encode(c, groupsPlane) }

// EncodePublished returns the bytes of a file that an earlier Lens also reads: signs are not grouped. Errors: as New.
func EncodePublished(c Contents) ([]byte, error) { return encode(c, signsPlane) }

func encode(c Contents, signs kind) ([]byte, error) {
	m := newBuilder(c, signs)
	file := make(memory, m.size())
	if err := m.writeTo(file, c); err != nil {
		return nil, fmt.Errorf("vecindex: encode: %w", err)
	}
	return file, nil
}

// image is a file being written, at its final length.
type image interface {
	io.ReaderAt
	io.WriterAt
}

// memory is an image in memory.
type memory []byte

func (m memory) ReadAt(p []byte, off int64) (int, error)  { return bytes.NewReader(m).ReadAt(p, off) }
func (m memory) WriteAt(p []byte, off int64) (int, error) { return copy(m[off:], p), nil }

func (m *builder) writeTo(f image, c Contents) error {
	if err := m.writeHalves(f, c); err != nil {
		return err
	}
	if err := m.writePlane(f); err != nil {
		return err
	}
	m.writeSum()
	_, err := f.WriteAt(m.bytes, 0)
	return err
}

func (m *builder) writeHalves(f image, c Contents) error {
	w := bufio.NewWriterSize(io.NewOffsetWriter(f, m.halvesAt()), blockBytes)
	sums, n := m.rowSums(), 0
	err := m.read(c.Rows, func(row []byte) error {
		sums[n] = crc32.Checksum(row, castagnoli)
		n++
		_, err := w.Write(row)
		return err
	})
	return errors.Join(err, w.Flush())
}

// writePlane reads the halves back, since the mean is known only after all rows.
func (m *builder) writePlane(f image) error {
	if m.kind == noPlane {
		return nil
	}
	r := bufio.NewReaderSize(io.NewSectionReader(f, m.halvesAt(), m.size()-m.halvesAt()), blockBytes)
	codes := newBlockWriter(f, m.codesAt(), m.codes(), m.sums()[:m.codes().blocks()])
	if m.kind == groupsPlane {
		codes = newGroupWriter(f, m.codesAt(), m.codes(), m.sums()[:m.codes().blocks()])
	}
	rests := newBlockWriter(f, m.restsAt(), m.rests(), m.sums()[m.codes().blocks():])
	row := make([]byte, 2*m.dim)
	for i := range m.rows {
		if _, err := io.ReadFull(r, row); err != nil {
			return err
		}
		code, err := codes.next()
		if err != nil {
			return err
		}
		rest, err := rests.next()
		if err != nil {
			return err
		}
		m.encode(i, code, rest, row)
	}
	return errors.Join(codes.finish(), rests.finish())
}

// blockWriter writes codes in order, in groups of rows if it has one, and computes the checksums of their blocks.
type blockWriter struct {
	*bufio.Writer
	table
	rows    []byte // of the next group, or the next row; its capacity is that of a whole one
	group   []byte // nil: rows are not grouped
	written int    // rows
	sums    []uint32
}

func newBlockWriter(f image, at int64, t table, sums []uint32) *blockWriter {
	w := bufio.NewWriterSize(io.NewOffsetWriter(f, at), blockBytes)
	return &blockWriter{Writer: w, table: t, rows: make([]byte, 0, t.rowBytes), sums: sums}
}

func newGroupWriter(f image, at int64, t table, sums []uint32) *blockWriter {
	w := newBlockWriter(f, at, t, sums)
	w.rows, w.group = make([]byte, 0, simd.GroupRows*t.rowBytes), make([]byte, simd.GroupRows*t.rowBytes)
	return w
}

// next returns zeroed memory for the code of the next row, after writing a whole group.
func (w *blockWriter) next() ([]byte, error) {
	if len(w.rows) == cap(w.rows) {
		if err := w.write(); err != nil {
			return nil, err
		}
	}
	code := w.rows[len(w.rows):][:w.rowBytes]
	w.rows = w.rows[:len(w.rows)+w.rowBytes]
	clear(code)
	return code, nil
}

func (w *blockWriter) write() error {
	codes := w.rows
	if w.group != nil && len(w.rows) > 0 {
		codes = w.group
		simd.Group(codes, w.rows, w.rowBytes)
	}
	if len(codes) == 0 {
		return nil
	}
	sum := &w.sums[w.written/w.perBlock()]
	*sum = crc32.Update(*sum, castagnoli, codes)
	w.written += len(codes) / w.rowBytes
	w.rows = w.rows[:0]
	_, err := w.Write(codes)
	return err
}

// finish writes what is left.
func (w *blockWriter) finish() error { return errors.Join(w.write(), w.Flush()) }

// Package vecindex is the flat vector index: one generation's unit vectors in time order, in one memory-mapped file. It is a
// cache of what SQL holds and never the only copy of anything; a file that is missing, older or damaged is made again.
//
// The rules are:
//
//   - Every vector is there twice: in halves, as SQL has it, and as a code in a plane, which is small and fast to compare. A search
//     estimates the similarities of all rows of the window from the plane, ranks the best few hundred by store.Dot of their halves, learns
//     from these how far off estimates are, and ranks whatever may still belong to the answer. So similarities are exact, always; what
//     can be missed depends on the plane. Recall is that of the benchmarks, above 0.999.
//   - Codes are of what a vector is beyond the mean of all, in four bits a dimension below 1024 dimensions, and in one, its sign, from 1024
//     on. Of signs a search reads the first 1024 of every row, and the rest of those few thousand rows whose first ones look best.
//   - Up to 2,000 rows, of an index or of a window, are ranked without a plane.
//   - A filter acts inside the scan: as a range of rows, which is a range of time, and as a set of rows.
//   - No byte is believed before its checksum was: what is needed of every row when a file is opened, the plane block by block and
//     the halves row by row when they are first touched, so that opening a file costs next to nothing.
//   - A file that becomes shorter while it is mapped is damaged, which ends the search and not the process.
//   - A file is written whole or not at all, and never changed afterwards.
//   - A Sketch is a plane of bits alone, over vectors that lie elsewhere and are compared there.
//
// # File format, version 4
//
// Integers and floats are little endian, every section begins at a multiple of 64 bytes, what lies between is zero.
//
//	header   0  "LENSVEC" and a zero byte
//	         8  uint32 version of this format
//	        12  uint32 CRC-32C of all from byte 16 to the end of the sums
//	        16  uint32 dim
//	        20  uint32 kind of plane: 0 none, 1 signs, 2 steps
//	        24  uint64 rows
//	        32  int64 × 4 tag: what the file was made from, as its maker says
//	ords     uint32 each row: the turn's ordinal
//	keys     int64 each row: the vector's name, as the maker says
//	guide    float32 each dimension, the mean of all rows; then float32 × 2 each row, its inner product with the mean, and the square of
//	         the length of what it is beyond the mean, divided by the inner product of that and its code; nothing without a plane
//	rowsums  uint32 each row: CRC-32C of its halves
//	sums     uint32 each block of the codes, as many rows as fit into 256 KiB but one at least: CRC-32C of the block; then of the rests
//	codes    signs: of the first 1024 dimensions a bit each, 1 where the value is greater than the mean; steps: four bits each, from
//	         0 to 15, of the first 64 dimensions in the lower halves of 64 bytes, of the next 64 in their upper halves, and so on; each
//	         row ends at a multiple of 64 bytes
//	rests    signs: the bits of all further dimensions, likewise
//	halves   dim IEEE 754 halves each row
package vecindex

import (
	"errors"
	"iter"

	"lens/internal/simd"
	"lens/store"
)

// ErrDamaged is wrapped by every error that says the bytes of an index are not what was written, or never were vectors.
var ErrDamaged = errors.New("vector index is damaged")

// Tag says what an index was made from. Its meaning is its maker's: an index whose tag is not the expected one is stale.
type Tag [4]int64

// Contents is what an index is made of. Row i is the turn Ords[i], goes by Keys[i] and holds the i-th of Rows: 2*Dim bytes, the
// halves of a unit vector, as store.Halves encodes it. Rows is ranged over once and may fail.
type Contents struct {
	Dim  int
	Tag  Tag
	Ords []store.Ord
	Keys []int64
	Rows iter.Seq2[[]byte, error]
}

// Index is a searchable set of vectors. It is safe for concurrent use until it is closed.
type Index struct {
	Dim int
	Tag Tag

	ords   []store.Ord
	keys   []int64
	halves halves
	plane  *plane // nil: a search ranks every row
	unmap  func() error
}

// Len returns the number of rows.
func (x *Index) Len() int { return len(x.ords) }

// Ord returns the turn of a row.
func (x *Index) Ord(row int) store.Ord { return x.ords[row] }

// Key returns what its maker calls a row.
func (x *Index) Key(row int) int64 { return x.keys[row] }

// Halves returns the vector of a row as it was written. Errors: ErrDamaged. The bytes are good until Close.
func (x *Index) Halves(row int) ([]byte, error) { return x.halves.row(row) }

// Close gives the file back. No other method may be running or called afterwards.
func (x *Index) Close() error {
	if x.unmap == nil {
		return nil
	}
	unmap := x.unmap
	*x = Index{Dim: x.Dim, Tag: x.Tag}
	return unmap()
}

// Similarity returns the inner product of query, dim long, with a row, as store.Dot computes it. Errors: ErrDamaged.
func (x *Index) Similarity(query []float32, row int) (float64, error) {
	var out [1]float64
	err := CatchFault(func() error {
		half, err := x.halves.row(row)
		if err == nil {
			simd.DotHalfRows64(out[:], query, view[uint16](half))
		}
		return err
	})
	return out[0], err
}

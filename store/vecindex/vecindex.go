// Package vecindex is the flat vector index: one generation's unit vectors as halves, in time order, in one memory-mapped file.
// It is a cache of what SQL holds and never the only copy of anything; a file that is missing, older or damaged is made again.
//
// The rules are:
//
//   - A search is exact. A fast pass in float32 finds every row that could be among the k best, store.Dot decides.
//   - A filter acts inside the scan: as a range of rows, which is a range of time, and as a test of each row.
//   - No row is believed before its checksum was: blocks of rows are verified when they are first touched, so that opening a
//     file costs next to nothing.
//   - A file is written whole or not at all, and never changed afterwards.
//
// # File format, version 1
//
// Integers are little endian, every section begins at a multiple of 64 bytes, what lies between is zero.
//
//	header   0  "LENSVEC" and a zero byte
//	         8  uint32 version of this format
//	        12  uint32 CRC-32C of the header from byte 16 on, the ords and the block checksums
//	        16  uint32 dim
//	        20  uint32 rows in a block (the last block may have fewer)
//	        24  uint64 rows
//	        32  int64 × 3 tag: what the file was made from, as its maker says
//	        56  uint64 zero
//	ords     uint32 each row: the turn's ordinal
//	sums     uint32 each block: CRC-32C of its rows
//	rows     dim halves (IEEE 754 binary16) each row
package vecindex

import (
	"errors"

	"lens/store"
)

// ErrDamaged is wrapped by every error that says the bytes of an index are not what was written.
var ErrDamaged = errors.New("vector index is damaged")

// Tag says what an index was made from. Its meaning is its maker's: an index whose tag is not the expected one is stale.
type Tag [3]int64

// Index is a searchable set of vectors. It is safe for concurrent use until it is closed.
type Index struct {
	Dim int
	Tag Tag

	ords   []store.Ord
	blocks blocks
	unmap  func() error
}

// New returns an index in memory: ords[i] has the halves rows[2*dim*i : 2*dim*(i+1)]. It takes both slices over.
func New(dim int, ords []store.Ord, rows []byte) *Index {
	return &Index{Dim: dim, ords: ords, blocks: blocks{rows: rows, rowBytes: 2 * dim}}
}

// Len returns the number of rows.
func (x *Index) Len() int { return len(x.ords) }

// Ord returns the turn of a row.
func (x *Index) Ord(row int) store.Ord { return x.ords[row] }

// Close gives the file back. No other method may be running or called afterwards.
func (x *Index) Close() error {
	if x.unmap == nil {
		return nil
	}
	unmap := x.unmap
	x.unmap, x.ords, x.blocks = nil, nil, blocks{}
	return unmap()
}

// Similarity returns the inner product of query, dim long, with a row, as store.Dot computes it. Errors: ErrDamaged.
func (x *Index) Similarity(query []float32, row int) (float64, error) {
	half, err := x.blocks.row(row)
	if err != nil {
		return 0, err
	}
	return store.Dot(query, half), nil
}

// Package vecindex is the flat vector index: the unit vectors of one generation in time order, in one
// memory-mapped file. It is a cache of the vectors in SQL; a missing, older or damaged file is
// rebuilt.
//
// The rules are:
//
//   - Every vector is stored twice: in halves, as in SQL, and as a code in a plane, which is small and fast to
//     compare. A search estimates the similarities of all rows of the range from the plane and ranks the best few
//     hundred by store.Dot of their halves. The errors of these estimates show which further rows may belong to the
//     result, and the search ranks those too. Similarities are therefore always exact; the plane only decides which
//     rows are missed. The recall in the benchmarks is above 0.999.
//   - A code describes the difference between a vector and the mean of all vectors: with four bits per dimension
//     below 1024 dimensions, and with one bit, its sign, from 1024 on. A search reads the first 1024 signs of every
//     row, and the remaining ones of the few thousand rows with the best estimates.
//   - The first signs are compared in groups of rows, by table. Write and Encode store them so. EncodePublished stores
//     rows, because deployed readers of shards know nothing else; their groups are copied on first use.
//   - Up to 2,000 rows, of an index or of a range, are ranked without a plane.
//   - A filter applies inside the scan: as a range of rows, which is a range of time, and as a set of rows.
//   - No byte is used before its checksum is verified. Opening a file verifies what it needs of every row. The plane
//     is verified block by block and the halves row by row on first use, so that opening a file is nearly free.
//   - A file that is truncated while it is mapped is damaged: the search fails, the process goes on.
//   - A file is written atomically and never changed.
//   - A Sketch is a plane of signs alone, over vectors that are stored and compared elsewhere.
//
// # File format, version 4
//
// Integers and floats are little endian, every section begins at a multiple of 64 bytes, gaps are zero.
//
//	header   0  "LENSVEC" and a zero byte
//	         8  uint32 version of this format
//	        12  uint32 CRC-32C of everything from byte 16 to the end of the sums
//	        16  uint32 dim
//	        20  uint32 kind of plane: 0 none, 1 signs, 2 steps, 3 signs in groups
//	        24  uint64 rows
//	        32  int64 × 4 tag: the state that the file was made from
//	ords     uint32 per row: the turn's ordinal
//	keys     int64 per row: the caller's key of the vector
//	factors  float32 per dimension: the mean of all rows; then float32 × 2 per row: its inner product with the
//	         mean, and the squared length of its residual (the difference from the mean) divided by the inner
//	         product of residual and code; empty without a plane
//	rowsums  uint32 per row: CRC-32C of its halves
//	sums     uint32 per block of codes (as many rows as fit into 256 KiB, at least one): CRC-32C of the block;
//	         then the same of the rests
//	codes    signs: one bit for each of the first 1024 dimensions, 1 if the value is greater than the mean;
//	         in groups: likewise, byte i of row n of a group of 32 rows at 32i + n, the last group filled with zeros;
//	         steps: four bits each, from 0 to 15, of the first 64 dimensions in the lower halves of 64 bytes, of
//	         the next 64 in their upper halves, and so on; each row ends at a multiple of 64 bytes
//	rests    signs, in groups or not: the bits of all further dimensions, row by row
//	halves   dim IEEE 754 halves per row
package vecindex

import (
	"errors"
	"iter"

	"lens/store"
)

// ErrDamaged is wrapped by every error about bytes that differ from the written ones or are not unit
// vectors.
var ErrDamaged = errors.New("vector index is damaged")

// Tag identifies the state that an index was made from. The caller defines its meaning: an index whose
// tag is not the expected one is stale.
type Tag [4]int64

// Contents is the input of an index. Row i belongs to the turn Ords[i] and has the key Keys[i]; the
// i-th of Rows holds its 2*Dim bytes, the halves of a unit vector as encoded by store.Halves. Rows is
// ranged over once and may fail.
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

// Key returns the caller's key of a row.
func (x *Index) Key(row int) int64 { return x.keys[row] }

// Halves returns the halves of a row. The bytes are valid until Close. Errors: ErrDamaged.
func (x *Index) Halves(row int) ([]byte, error) { return x.halves.row(row) }

// Close unmaps the file. Do not call it while another method is running, and call no method
// afterwards.
func (x *Index) Close() error {
	if x.unmap == nil {
		return nil
	}
	unmap := x.unmap
	*x = Index{Dim: x.Dim, Tag: x.Tag}
	return unmap()
}

// Similarity returns the inner product of query, of length Dim, with a row, as store.Dot computes it.
// Errors: ErrDamaged.
func (x *Index) Similarity(query []float32, row int) (float64, error) {
	var out [1]float64
	err := x.Similarities(out[:], query, []int32{int32(row)})
	return out[0], err
}

// Similarities sets out to what Similarity returns for each of rows. Errors: ErrDamaged.
func (x *Index) Similarities(out []float64, query []float32, rows []int32) error {
	return CatchFault(func() error { return x.halves.similarities(out, query, rows) })
}

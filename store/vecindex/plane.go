package vecindex

import (
	"fmt"
	"hash/crc32"
	"sync/atomic"

	"lens/store"
)

// kind is how a plane holds a vector.
type kind uint32

const (
	noPlane kind = iota
	bitsPlane
	bytesPlane
)

// exactLimit is up to how many rows are ranked without a plane: their halves are read in less time than it takes to choose.
const exactLimit = store.ExactWindow

// bitsFrom is from which dimension on signs are enough: below, a thousand candidates begin to miss neighbours.
const bitsFrom = 1024

func kindFor(dim, rows int) kind {
	switch {
	case rows <= exactLimit:
		return noPlane
	case dim >= bitsFrom:
		return bitsPlane
	}
	return bytesPlane
}

// rowBytes is the size of a row.
func (k kind) rowBytes(dim int) int {
	switch k {
	case bitsPlane:
		return (dim + 63) / 64 * 8
	case bytesPlane:
		return dim
	}
	return 0
}

// guideBytes is the size of what is needed to read the plane.
func (k kind) guideBytes(dim, rows int) int64 {
	switch k {
	case bitsPlane:
		return 4 * (int64(dim) + int64(rows))
	case bytesPlane:
		return 8 * int64(rows)
	}
	return 0
}

// plane measures how far rows are from a query, without reading their halves.
type plane interface {
	// probe prepares for a query.
	probe(query []float32) probe
}

// probe knows the distances to one query: small integers that grow as similarity shrinks.
type probe interface {
	// bins is one more than the greatest distance.
	bins() int
	// measure sets distances to those of the rows from lo on, and counts in counts the distances that they surely do not exceed.
	measure(distances, counts []uint32, lo int)
	// cut returns up to which distance rows can be among the k nearest of n.
	cut(counts []uint32, k, n int) (within uint32)
}

// openPlane returns the plane that lies in data.
func openPlane(k kind, dim int, guide, data []byte) plane {
	switch k {
	case bitsPlane:
		return &bitMap{words: view[uint64](data), width: k.rowBytes(dim) / 8, mean: view[float32](guide)[:dim], onMean: view[float32](guide)[dim:]}
	case bytesPlane:
		return &byteMap{values: view[int8](data), dim: dim, guide: view[float32](guide)}
	}
	return nil
}

// blocks are the bytes of a plane in a file, verified block by block when first touched.
type blocks struct {
	data     []byte
	rowBytes int
	perBlock int
	sums     []uint32
	verified []atomic.Bool
}

// verify makes sure that rows lo to hi are what was written.
func (b *blocks) verify(lo, hi int) error {
	if b.sums == nil || lo >= hi {
		return nil
	}
	size := b.perBlock * b.rowBytes
	for n := lo / b.perBlock; n <= (hi-1)/b.perBlock; n++ {
		if b.verified[n].Load() {
			continue
		}
		if crc32.Checksum(b.data[n*size:min((n+1)*size, len(b.data))], castagnoli) != b.sums[n] {
			return fmt.Errorf("block %d: %w", n, ErrDamaged)
		}
		b.verified[n].Store(true)
	}
	return nil
}

// reached returns the smallest distance up to which counts holds at least n rows.
func reached(counts []uint32, n int) uint32 {
	seen := 0
	for d, c := range counts {
		if seen += int(c); seen >= n {
			return uint32(d)
		}
	}
	return uint32(len(counts))
}

package vecindex

import (
	"fmt"
	"hash/crc32"
	"sync/atomic"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blocks are the rows of an index, verified block by block when first touched. Without checksums (an index in memory) they are
// believed as they are.
type blocks struct {
	rows     []byte
	rowBytes int
	perBlock int      // rows in a block
	sums     []uint32 // CRC-32C of each block
	verified []atomic.Bool
}

// init makes room for the checksums of n blocks.
func (b *blocks) init(n int) {
	b.sums, b.verified = make([]uint32, n), make([]atomic.Bool, n)
}

// row returns the halves of one row.
func (b *blocks) row(i int) ([]byte, error) {
	if err := b.verify(i, i+1); err != nil {
		return nil, err
	}
	return b.rows[i*b.rowBytes : (i+1)*b.rowBytes], nil
}

// verify makes sure that rows lo to hi are what was written.
func (b *blocks) verify(lo, hi int) error {
	if b.sums == nil || lo >= hi {
		return nil
	}
	for n := lo / b.perBlock; n <= (hi-1)/b.perBlock; n++ {
		if b.verified[n].Load() {
			continue
		}
		if crc32.Checksum(b.block(n), castagnoli) != b.sums[n] {
			return fmt.Errorf("block %d: %w", n, ErrDamaged)
		}
		b.verified[n].Store(true)
	}
	return nil
}

func (b *blocks) block(n int) []byte {
	size := b.perBlock * b.rowBytes
	return b.rows[n*size : min((n+1)*size, len(b.rows))]
}

package vecindex

import (
	"fmt"
	"hash/crc32"
	"sync/atomic"
)

// table is the layout of codes in a section.
type table struct{ rows, rowBytes int }

func (t table) size() int64   { return int64(t.rows) * int64(t.rowBytes) }
func (t table) perBlock() int { return max(1, blockBytes/max(1, t.rowBytes)) }

func (t table) blocks() int {
	if t.rowBytes == 0 {
		return 0
	}
	return (t.rows + t.perBlock() - 1) / t.perBlock()
}

// blocks are the codes of a section, each block verified on first use. Without checksums (an index in
// memory) they are not verified.
type blocks struct {
	table
	data     []byte
	sums     []uint32
	verified []atomic.Bool
}

// of returns the codes of rows lo to hi.
func (b *blocks) of(lo, hi int) []byte { return b.data[lo*b.rowBytes : hi*b.rowBytes] }

// setSums sets the checksums of the blocks.
func (b *blocks) setSums(sums []uint32) { b.sums, b.verified = sums, make([]atomic.Bool, len(sums)) }

// verify checks the blocks of rows lo to hi.
func (b *blocks) verify(lo, hi int) error {
	if b.sums == nil || lo >= hi {
		return nil
	}
	rows := b.perBlock()
	for n := lo / rows; n <= (hi-1)/rows; n++ {
		if b.verified[n].Load() {
			continue
		}
		if crc32.Checksum(b.of(n*rows, min((n+1)*rows, b.rows)), castagnoli) != b.sums[n] {
			return fmt.Errorf("block %d: %w", n, ErrDamaged)
		}
		b.verified[n].Store(true)
	}
	return nil
}

// verifyRows checks the blocks of rows, which mostly ascend.
func (b *blocks) verifyRows(rows []int32) error {
	if b.sums == nil {
		return nil
	}
	lo, hi := 0, 0 // of the block of the last row
	for _, row := range rows {
		if row := int(row); row < lo || row >= hi {
			if err := b.verify(row, row+1); err != nil {
				return err
			}
			lo = row / b.perBlock() * b.perBlock()
			hi = lo + b.perBlock()
		}
	}
	return nil
}

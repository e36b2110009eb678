package vecindex

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"lens/store"
)

const (
	magic         = "LENSVEC\x00"
	formatVersion = 1
	headerBytes   = 64
	align         = 64
	blockBytes    = 256 << 10 // what is verified at once: about 25 µs of checksum
)

// layout is where the sections of a file lie, given what its header says.
type layout struct {
	dim, perBlock, rows int
	tag                 Tag
}

func newLayout(dim, rows int, tag Tag) layout {
	return layout{dim: dim, perBlock: max(1, blockBytes/(2*dim)), rows: rows, tag: tag}
}

func (l layout) blocks() int   { return (l.rows + l.perBlock - 1) / l.perBlock }
func (l layout) sumsAt() int64 { return aligned(headerBytes + 4*int64(l.rows)) }
func (l layout) rowsAt() int64 { return aligned(l.sumsAt() + 4*int64(l.blocks())) }
func (l layout) size() int64   { return l.rowsAt() + int64(l.rows)*int64(2*l.dim) }

func aligned(n int64) int64 { return (n + align - 1) / align * align }

// head encodes everything before the rows.
func (l layout) head(ords []store.Ord, sums []uint32) []byte {
	b := make([]byte, l.rowsAt())
	copy(b, magic)
	binary.LittleEndian.PutUint32(b[8:], formatVersion)
	binary.LittleEndian.PutUint32(b[16:], uint32(l.dim))
	binary.LittleEndian.PutUint32(b[20:], uint32(l.perBlock))
	binary.LittleEndian.PutUint64(b[24:], uint64(l.rows))
	for i, v := range l.tag {
		binary.LittleEndian.PutUint64(b[32+8*i:], uint64(v))
	}
	for i, ord := range ords {
		binary.LittleEndian.PutUint32(b[headerBytes+4*i:], uint32(ord))
	}
	for i, sum := range sums {
		binary.LittleEndian.PutUint32(b[l.sumsAt()+4*int64(i):], sum)
	}
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[16:], castagnoli))
	return b
}

// decode checks everything before the rows and returns the index that lies in file.
func decode(file []byte) (*Index, error) {
	l, err := decodeLayout(file)
	if err != nil {
		return nil, err
	}
	head := file[:l.rowsAt()]
	if crc32.Checksum(head[16:], castagnoli) != binary.LittleEndian.Uint32(head[12:]) {
		return nil, fmt.Errorf("header: %w", ErrDamaged)
	}
	x := New(l.dim, make([]store.Ord, l.rows), file[l.rowsAt():])
	x.Tag = l.tag
	for i := range x.ords {
		x.ords[i] = store.Ord(binary.LittleEndian.Uint32(head[headerBytes+4*i:]))
	}
	x.blocks.expect(l, head[l.sumsAt():])
	return x, nil
}

// decodeLayout reads the header and makes sure that the file is as long as it says.
func decodeLayout(file []byte) (layout, error) {
	if len(file) < headerBytes || string(file[:len(magic)]) != magic {
		return layout{}, fmt.Errorf("not an index: %w", ErrDamaged)
	}
	if v := binary.LittleEndian.Uint32(file[8:]); v != formatVersion {
		return layout{}, fmt.Errorf("format %d: %w", v, ErrDamaged)
	}
	dim, perBlock := binary.LittleEndian.Uint32(file[16:]), binary.LittleEndian.Uint32(file[20:])
	rows := binary.LittleEndian.Uint64(file[24:])
	if dim == 0 || dim > 1<<20 || rows > math.MaxInt32 || perBlock == 0 || perBlock > blockBytes {
		return layout{}, fmt.Errorf("header: %w", ErrDamaged)
	}
	l := layout{dim: int(dim), perBlock: int(perBlock), rows: int(rows)}
	for i := range l.tag {
		l.tag[i] = int64(binary.LittleEndian.Uint64(file[32+8*i:]))
	}
	if l.size() != int64(len(file)) {
		return layout{}, fmt.Errorf("length: %w", ErrDamaged)
	}
	return l, nil
}

// expect sets the checksums that rows must have.
func (b *blocks) expect(l layout, sums []byte) {
	b.perBlock = l.perBlock
	b.init(l.blocks())
	for i := range b.sums {
		b.sums[i] = binary.LittleEndian.Uint32(sums[4*i:])
	}
}

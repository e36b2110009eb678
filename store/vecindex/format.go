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
	formatVersion = 4
	headerBytes   = 64
	align         = 64
	blockBytes    = 256 << 10 // of codes, verified together: about 25 µs of checksum
)

// layout computes the positions of a file's sections from its header.
type layout struct {
	dim, rows int
	kind      kind
	tag       Tag
}

func (l layout) keysAt() int64    { return aligned(headerBytes + 4*int64(l.rows)) }
func (l layout) factorsAt() int64 { return aligned(l.keysAt() + 8*int64(l.rows)) }
func (l layout) rowSumsAt() int64 { return aligned(l.factorsAt() + l.kind.factorBytes(l.dim, l.rows)) }
func (l layout) sumsAt() int64    { return aligned(l.rowSumsAt() + 4*int64(l.rows)) }
func (l layout) sumsEnd() int64   { return l.sumsAt() + 4*int64(l.codes().blocks()+l.rests().blocks()) }
func (l layout) codesAt() int64   { return aligned(l.sumsEnd()) }
func (l layout) restsAt() int64   { return l.codesAt() + l.codes().size() }
func (l layout) halvesAt() int64  { return l.restsAt() + l.rests().size() }
func (l layout) size() int64      { return l.halvesAt() + int64(l.rows)*int64(2*l.dim) }

func (l layout) codes() table {
	if l.kind == groupsPlane {
		return table{wholeGroups(l.rows), l.kind.codeBytes(l.dim)}
	}
	return table{l.rows, l.kind.codeBytes(l.dim)}
}

func (l layout) rests() table { return table{l.rows, l.kind.restBytes(l.dim)} }

func aligned(n int64) int64 { return (n + align - 1) / align * align }

// head is the part of a file before the plane: what opening it needs of every row.
type head struct {
	layout
	bytes []byte
}

// newHead returns a head with ords and keys.
func newHead(l layout, ords []store.Ord, keys []int64) head {
	h := head{l, make([]byte, l.sumsEnd())}
	copy(h.bytes, magic)
	binary.LittleEndian.PutUint32(h.bytes[8:], formatVersion)
	binary.LittleEndian.PutUint32(h.bytes[16:], uint32(l.dim))
	binary.LittleEndian.PutUint32(h.bytes[20:], uint32(l.kind))
	binary.LittleEndian.PutUint64(h.bytes[24:], uint64(l.rows))
	copy(view[int64](h.bytes[32:headerBytes]), l.tag[:])
	copy(h.ords(), ords)
	copy(h.keys(), keys)
	return h
}

func (h head) ords() []store.Ord { return view[store.Ord](h.bytes[headerBytes:][:4*h.rows]) }
func (h head) keys() []int64     { return view[int64](h.bytes[h.keysAt():][:8*h.rows]) }
func (h head) mean() []float32 {
	return view[float32](h.bytes[h.factorsAt():][:h.kind.factorBytes(h.dim, 0)])
}

func (h head) factors() []float32 {
	return view[float32](h.bytes[h.factorsAt():][:h.kind.factorBytes(h.dim, h.rows)])[len(h.mean()):]
}
func (h head) rowSums() []uint32 { return view[uint32](h.bytes[h.rowSumsAt():][:4*h.rows]) }
func (h head) sums() []uint32    { return view[uint32](h.bytes[h.sumsAt():h.sumsEnd()]) }

// writeSum writes the checksum.
func (h head) writeSum() { binary.LittleEndian.PutUint32(h.bytes[12:], h.sum()) }

func (h head) sum() uint32 { return crc32.Checksum(h.bytes[16:], castagnoli) }

// decode verifies everything before the plane and returns the index in file.
func decode(file []byte) (*Index, error) {
	l, err := decodeLayout(file)
	if err != nil {
		return nil, err
	}
	h := head{l, file[:l.sumsEnd()]}
	if h.sum() != binary.LittleEndian.Uint32(file[12:]) {
		return nil, fmt.Errorf("header: %w", ErrDamaged)
	}
	x := h.index(file[l.codesAt():l.restsAt()], file[l.restsAt():l.halvesAt()], file[l.halvesAt():])
	x.halves.setSums(h.rowSums())
	if x.plane != nil {
		x.plane.codes.setSums(h.sums()[:l.codes().blocks()])
		x.plane.rests.setSums(h.sums()[l.codes().blocks():])
	}
	return x, nil
}

// index returns the index with head h. It verifies nothing.
func (h head) index(codes, rests, rows []byte) *Index {
	x := &Index{
		Dim: h.dim, Tag: h.tag,
		ords: h.ords(), keys: h.keys(), halves: halves{data: rows, rowBytes: 2 * h.dim},
	}
	if h.kind != noPlane {
		x.plane = &plane{
			kind: h.kind, mean: h.mean(), factors: h.factors(),
			codes: blocks{table: h.codes(), data: codes}, rests: blocks{table: h.rests(), data: rests},
		}
		switch h.kind {
		case groupsPlane:
			x.plane.groups = storedGroups(&x.plane.codes)
		case signsPlane:
			x.plane.groups = copiedGroups(&x.plane.codes)
		}
	}
	return x
}

// decodeLayout reads the header and checks the length of the file.
func decodeLayout(file []byte) (layout, error) {
	if len(file) < headerBytes || string(file[:len(magic)]) != magic {
		return layout{}, fmt.Errorf("not an index: %w", ErrDamaged)
	}
	if v := binary.LittleEndian.Uint32(file[8:]); v != formatVersion {
		return layout{}, fmt.Errorf("format %d: %w", v, ErrDamaged)
	}
	dim, rows := binary.LittleEndian.Uint32(file[16:]), binary.LittleEndian.Uint64(file[24:])
	if dim == 0 || dim > 1<<20 || rows > math.MaxInt32 {
		return layout{}, fmt.Errorf("header: %w", ErrDamaged)
	}
	l := layout{dim: int(dim), rows: int(rows), kind: kind(binary.LittleEndian.Uint32(file[20:]))}
	copy(l.tag[:], view[int64](file[32:headerBytes]))
	if !l.kind.fits(l.dim, l.rows) || l.size() != int64(len(file)) {
		return layout{}, fmt.Errorf("length: %w", ErrDamaged)
	}
	return l, nil
}

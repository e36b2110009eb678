package store

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"strings"
	"unsafe"

	"github.com/google/uuid"
)

// The encoded form of a catalog, little endian:
//
//	 0  "LENSCAT" and a zero byte
//	 8  uint32 version of this format
//	12  uint32 CRC-32C of what follows
//	16  int64 tag, rows, conversations, dated rows, greatest ordinal, total length, size of the sources in bytes
//	72  the columns, in the order of the fields of Catalog
//	    the sources, one per line
const (
	catalogMagic   = "LENSCAT\x00"
	catalogFormat  = 2
	catalogHeader  = 72
	catalogRow     = 8 + 4 + 16 + 4 + 1 + 4 + 4 + 4
	catalogConv    = 16 + 1
	catalogSumFrom = 16
)

// ErrDamagedCatalog is returned for bytes that are not an encoded catalog of this format and tag.
var ErrDamagedCatalog = errors.New("catalog is damaged")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// EncodeCatalog returns c as bytes, without its version. tag identifies the state that c was made
// from.
func EncodeCatalog(c *Catalog, tag int64) []byte {
	sources := c.sourceLines()
	b := make([]byte, 0, catalogHeader+catalogRow*c.Len()+catalogConv*len(c.Conversations)+len(sources))
	b = append(b, catalogMagic...)
	b = binary.LittleEndian.AppendUint32(b, catalogFormat)
	b = binary.LittleEndian.AppendUint32(b, 0)
	head := []int64{
		tag,
		int64(c.Len()),
		int64(len(c.Conversations)),
		int64(c.Dated),
		int64(len(c.rowOf) - 1),
		c.TotalLength,
		int64(len(sources)),
	}
	for _, n := range head {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	for _, column := range c.columns() {
		b = append(b, column...)
	}
	b = append(b, sources...)
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[catalogSumFrom:], castagnoli))
	return b
}

// DecodeCatalog returns the encoded catalog with the given version. Errors: ErrDamagedCatalog, also if
// the tag is not the expected one.
func DecodeCatalog(b []byte, tag, version int64) (*Catalog, error) {
	if len(b) < catalogHeader || string(b[:len(catalogMagic)]) != catalogMagic ||
		binary.LittleEndian.Uint32(b[8:]) != catalogFormat {
		return nil, ErrDamagedCatalog
	}
	if binary.LittleEndian.Uint32(b[12:]) != crc32.Checksum(b[catalogSumFrom:], castagnoli) {
		return nil, ErrDamagedCatalog
	}
	var head [7]int64
	for i := range head {
		head[i] = int64(binary.LittleEndian.Uint64(b[catalogSumFrom+8*i:]))
	}
	n, conversations, dated, top, sources := head[1], head[2], head[3], head[4], head[6]
	within := func(x, limit int64) bool { return x >= 0 && x <= limit }
	if head[0] != tag || !within(n, math.MaxInt32) || !within(conversations, n) || !within(dated, n) ||
		!within(top, math.MaxUint32) || !within(sources, int64(len(b))) {
		return nil, ErrDamagedCatalog
	}
	if int64(len(b)) != catalogHeader+catalogRow*n+catalogConv*conversations+sources {
		return nil, ErrDamagedCatalog
	}
	c := emptyCatalog(version, int(n))
	c.Dated, c.TotalLength, c.Conversations = int(dated), head[5], make([]uuid.UUID, conversations)
	c.SourceOf = make([]uint8, conversations)
	rest := b[catalogHeader:]
	for _, column := range c.columns() {
		rest = rest[copy(column, rest):]
	}
	for line := range strings.Lines(string(rest)) {
		source, whole := strings.CutSuffix(line, "\n")
		if !whole {
			return nil, ErrDamagedCatalog
		}
		c.Sources = append(c.Sources, Source(source))
	}
	for _, ord := range c.Ord {
		if int64(ord) > top {
			return nil, ErrDamagedCatalog
		}
	}
	for _, source := range c.SourceOf {
		if int(source) >= len(c.Sources) {
			return nil, ErrDamagedCatalog
		}
	}
	c.indexOrds(Ord(top))
	return c, nil
}

// sourceLines returns the sources, one per line. The name of a source has no line breaks.
func (c *Catalog) sourceLines() []byte {
	var lines []byte
	for _, source := range c.Sources {
		lines = append(append(lines, source...), '\n')
	}
	return lines
}

// columns returns the memory of the catalog's slices.
func (c *Catalog) columns() [][]byte {
	return [][]byte{
		raw(c.Time),
		raw(c.Ord),
		raw(c.ID),
		raw(c.Conversation),
		raw(c.Conversations),
		raw(c.SourceOf),
		raw(c.Flags),
		raw(c.Length),
		raw(c.Prev),
		raw(c.Next),
	}
}

// raw returns the memory of values. Lens supports little-endian machines only.
func raw[T int64 | int32 | uint8 | Ord | Flag | uuid.UUID](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(values[0])))
}

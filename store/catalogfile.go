package store

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"unsafe"

	"github.com/google/uuid"
)

// A catalog as bytes, little endian:
//
//	 0  "LENSCAT" and a zero byte
//	 8  uint32 version of this format
//	12  uint32 CRC-32C of what follows
//	16  int64 tag, rows, conversations, dated rows, greatest ordinal, total length
//	64  the columns, in the order of the fields of Catalog
const (
	catalogMagic   = "LENSCAT\x00"
	catalogFormat  = 1
	catalogHeader  = 64
	catalogRow     = 8 + 4 + 16 + 4 + 1 + 4 + 4 + 4
	catalogID      = 16
	catalogSumFrom = 16
)

// ErrDamagedCatalog is returned for bytes that no catalog was encoded to, or not by this version.
var ErrDamagedCatalog = errors.New("catalog is damaged")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// EncodeCatalog returns c as bytes, without its version. tag says what it was made from, as its maker likes.
func EncodeCatalog(c *Catalog, tag int64) []byte {
	b := make([]byte, 0, catalogHeader+catalogRow*c.Len()+catalogID*len(c.Conversations))
	b = append(b, catalogMagic...)
	b = binary.LittleEndian.AppendUint32(b, catalogFormat)
	b = binary.LittleEndian.AppendUint32(b, 0)
	for _, n := range []int64{tag, int64(c.Len()), int64(len(c.Conversations)), int64(c.Dated), int64(len(c.rowOf) - 1), c.TotalLength} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	for _, column := range c.columns() {
		b = append(b, column...)
	}
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[catalogSumFrom:], castagnoli))
	return b
}

// DecodeCatalog returns the catalog that was encoded to b, with this version, if its tag is the given one. Errors:
// ErrDamagedCatalog, also for another tag.
func DecodeCatalog(b []byte, tag, version int64) (*Catalog, error) {
	if len(b) < catalogHeader || string(b[:len(catalogMagic)]) != catalogMagic || binary.LittleEndian.Uint32(b[8:]) != catalogFormat {
		return nil, ErrDamagedCatalog
	}
	if binary.LittleEndian.Uint32(b[12:]) != crc32.Checksum(b[catalogSumFrom:], castagnoli) {
		return nil, ErrDamagedCatalog
	}
	var head [6]int64
	for i := range head {
		head[i] = int64(binary.LittleEndian.Uint64(b[catalogSumFrom+8*i:]))
	}
	n, conversations, dated, top := head[1], head[2], head[3], head[4]
	if head[0] != tag || n < 0 || n > math.MaxInt32 || conversations < 0 || conversations > n || dated < 0 || dated > n || top < 0 || top > math.MaxUint32 {
		return nil, ErrDamagedCatalog
	}
	if int64(len(b)) != catalogHeader+catalogRow*n+catalogID*conversations {
		return nil, ErrDamagedCatalog
	}
	c := emptyCatalog(version, int(n))
	c.Dated, c.TotalLength, c.Conversations = int(dated), head[5], make([]uuid.UUID, conversations)
	rest := b[catalogHeader:]
	for _, column := range c.columns() {
		rest = rest[copy(column, rest):]
	}
	for _, ord := range c.Ord {
		if int64(ord) > top {
			return nil, ErrDamagedCatalog
		}
	}
	c.indexOrds(Ord(top))
	return c, nil
}

// columns are the bytes of a catalog's slices.
func (c *Catalog) columns() [][]byte {
	return [][]byte{
		raw(c.Time), raw(c.Ord), raw(c.ID), raw(c.Conversation), raw(c.Conversations), raw(c.Flags), raw(c.Length), raw(c.Prev), raw(c.Next),
	}
}

// raw is the memory of values: Lens runs on little-endian machines only.
func raw[T int64 | int32 | Ord | Flag | uuid.UUID](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(values[0])))
}

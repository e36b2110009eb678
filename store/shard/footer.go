package shard

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// A published object concatenates two existing formats and a footer, all little endian:
//
//	the vector index of its records, in the format of store/vecindex, first so that it can be mapped
//	zeros up to a multiple of 4096
//	an image of an archive with these records, in the format of store/sqlite: texts, metadata, keyword index
//	footer  0  "LENSPART"
//	        8  uint32 version of this format
//	       12  uint32 CRC-32C of the rest of the footer
//	       16  int64 length of the vector index
//	       24  int64 start of the image
//	       32  int64 length of the image
//	       40  int64 records
//
// The footer comes last because the parts before it are written as they are generated.
type footer struct {
	vectorLength int64 // length of the vector index
	imageStart   int64
	imageLength  int64 // of the image
	records      int64
}

const (
	footerMagic = "LENSPART"
	footerBytes = 48
	imageAlign  = 4096
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (f footer) encode() []byte {
	b := append([]byte(nil), footerMagic...)
	b = binary.LittleEndian.AppendUint32(b, Format)
	b = binary.LittleEndian.AppendUint32(b, 0)
	for _, n := range []int64{f.vectorLength, f.imageStart, f.imageLength, f.records} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[16:], castagnoli))
	return b
}

// decodeFooter decodes the last bytes of an object of the given size, and checks that its parts fill it.
// Errors: ErrDamaged, ErrNewer.
func decodeFooter(b []byte, size int64) (footer, error) {
	if len(b) != footerBytes || string(b[:8]) != footerMagic {
		return footer{}, fmt.Errorf("footer: %w", ErrDamaged)
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v > Format {
		return footer{}, fmt.Errorf("footer: format %d: %w", v, ErrNewer)
	}
	var n [4]int64
	for i := range n {
		n[i] = int64(binary.LittleEndian.Uint64(b[16+8*i:]))
	}
	f := footer{vectorLength: n[0], imageStart: n[1], imageLength: n[2], records: n[3]}
	switch {
	case binary.LittleEndian.Uint32(b[8:]) != Format:
	case binary.LittleEndian.Uint32(b[12:]) != crc32.Checksum(b[16:], castagnoli):
	case f.vectorLength <= 0 || f.vectorLength > size || f.imageStart != aligned(f.vectorLength):
	case f.imageLength <= 0 || f.imageLength > size || f.imageStart+f.imageLength+footerBytes != size:
	case f.records <= 0 || f.records > maxRecords:
	default:
		return f, nil
	}
	return footer{}, fmt.Errorf("footer: %w", ErrDamaged)
}

// aligned returns the start of an image after n bytes.
func aligned(n int64) int64 { return (n + imageAlign - 1) / imageAlign * imageAlign }

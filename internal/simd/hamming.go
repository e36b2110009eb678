package simd

import "encoding/binary"

// BitQuery is a query of WeightedHammingRows, prepared for many rows. It is safe for concurrent use.
type BitQuery struct {
	planes []uint64
	table  []byte // what a nibble of a row adds to its result: 16 bytes for each of its nibbles; nil: not in use
}

// NewBitQuery prepares the four bit planes of a query, which must not change from then on.
func NewBitQuery(planes []uint64) BitQuery {
	checkBlocks(len(planes), 4*CodeBlock/8)
	return BitQuery{planes: planes, table: hammingTable(planes)}
}

// HammingRows does what WeightedHammingRows does, faster for many rows.
func (q BitQuery) HammingRows(out []int32, rows []uint64) {
	width := len(q.planes) / 4
	if !checkRows(len(out), width, len(rows)) {
		return
	}
	if n := len(out) / tableRows; n > 0 && q.table != nil {
		weightedHammingBlocks(out[:n*tableRows], q.table, rows, width)
		out, rows = out[n*tableRows:], rows[n*tableRows*width:]
	}
	if len(out) > 0 {
		weightedHammingRows(out, q.planes, rows)
	}
}

// tableRows is the number of rows that are looked up together.
const tableRows = 32

// maxTableWidth is the most words of a row whose result fits into 16 bits.
const maxTableWidth = 64

// Bytes that are 1 where bit i of a number from 0 to 7 is set. Byte n stands for the number n.
var setIn = [3]uint64{0x01_00_01_00_01_00_01_00, 0x01_01_00_00_01_01_00_00, 0x01_01_01_01_00_00_00_00}

// everyByte has a 1 in each byte.
const everyByte = 0x01_01_01_01_01_01_01_01

// newHammingTable returns the table of a query: a set bit adds 15 less its number, any other the number.
func newHammingTable(planes []uint64) []byte {
	width := len(planes) / 4
	table := make([]byte, 0, width*16*16)
	for word := range width {
		a, b, c, d := planes[word], planes[width+word], planes[2*width+word], planes[3*width+word]
		for bit := 0; bit < 64; bit += 4 {
			var low uint64 // sums of the nibbles 0 to 7, one in each byte
			var last uint64
			for i := range 4 {
				at := bit + i
				last = a>>at&1 | b>>at&1<<1 | c>>at&1<<2 | d>>at&1<<3
				if i < 3 {
					low += last*(everyByte-setIn[i]) + (15-last)*setIn[i]
				}
			}
			table = binary.LittleEndian.AppendUint64(table, low+last*everyByte)
			table = binary.LittleEndian.AppendUint64(table, low+(15-last)*everyByte)
		}
	}
	return table
}

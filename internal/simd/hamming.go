package simd

import "encoding/binary"

// GroupRows is the number of rows of a group. Its bytes are stored column by column: byte i of row n is at
// GroupRows*i + n.
const GroupRows = 32

// MaxGroupWidth is the most bytes of a row in a group: sums of 16 bits hold its result.
const MaxGroupWidth = 512

// columnTable is the length of the table for a column: what a byte of it adds, 16 values by its low nibble and 16 by
// its high nibble.
const columnTable = 32

// BitQuery is a query of WeightedHammingPicked for groups of rows. It is immutable and safe for concurrent use.
type BitQuery struct{ table []byte }

// NewBitQuery prepares the four bit planes of a query for rows of at most MaxGroupWidth bytes. Other lengths panic.
func NewBitQuery(planes []uint64) BitQuery {
	checkBlocks(len(planes), 4*CodeBlock/8)
	if 8*len(planes) > 4*MaxGroupWidth {
		panic("simd: rows are too wide for a group")
	}
	return BitQuery{hammingTable(planes)}
}

// HammingGroups sets out to what WeightedHammingPicked computes for the rows of the groups in columns. len(out) is a
// multiple of GroupRows, and columns holds so many rows. Other lengths panic.
func (q BitQuery) HammingGroups(out []int32, columns []byte) {
	checkBlocks(len(out), GroupRows)
	if checkRows(len(out), len(q.table)/columnTable, len(columns)) {
		hammingGroups(out, q.table, columns)
	}
}

// Group sets columns to the groups of rows, each of width bytes, a positive multiple of eight. The rows that the last
// group lacks are zero. Other lengths panic.
func Group(columns, rows []byte, width int) {
	n := len(rows) / width
	checkBlocks(width, 8)
	checkRows(n, width, len(rows))
	checkRows((n+GroupRows-1)/GroupRows*GroupRows, width, len(columns))
	for from := 0; from < len(columns)/width; from += 8 {
		group := columns[from/GroupRows*GroupRows*width+from%GroupRows:]
		for column := 0; column < width; column += 8 {
			var square [8]uint64
			for i := range min(8, max(n-from, 0)) {
				square[i] = binary.LittleEndian.Uint64(rows[(from+i)*width+column:])
			}
			square = transposed(square)
			for i, bytes := range square {
				binary.LittleEndian.PutUint64(group[(column+i)*GroupRows:], bytes)
			}
		}
	}
}

// transposed returns a square of bytes with its rows as columns: it exchanges halves, quarters and eighths of rows.
func transposed(s [8]uint64) [8]uint64 {
	const halves, quarters, eighths = 0x00000000_FFFFFFFF, 0x0000FFFF_0000FFFF, 0x00FF00FF_00FF00FF
	s[0], s[4] = exchange(s[0], s[4], 32, halves)
	s[1], s[5] = exchange(s[1], s[5], 32, halves)
	s[2], s[6] = exchange(s[2], s[6], 32, halves)
	s[3], s[7] = exchange(s[3], s[7], 32, halves)
	s[0], s[2] = exchange(s[0], s[2], 16, quarters)
	s[1], s[3] = exchange(s[1], s[3], 16, quarters)
	s[4], s[6] = exchange(s[4], s[6], 16, quarters)
	s[5], s[7] = exchange(s[5], s[7], 16, quarters)
	s[0], s[1] = exchange(s[0], s[1], 8, eighths)
	s[2], s[3] = exchange(s[2], s[3], 8, eighths)
	s[4], s[5] = exchange(s[4], s[5], 8, eighths)
	s[6], s[7] = exchange(s[6], s[7], 8, eighths)
	return s
}

// exchange exchanges the upper parts of a, shift bits up, with the lower parts of b, which mask selects.
func exchange(a, b uint64, shift int, mask uint64) (uint64, uint64) {
	moved := (a>>shift ^ b) & mask
	return a ^ moved<<shift, b ^ moved
}

// Bytes that are 1 where bit i of a number from 0 to 7 is set. Byte n stands for the number n.
var setIn = [3]uint64{0x01_00_01_00_01_00_01_00, 0x01_01_00_00_01_01_00_00, 0x01_01_01_01_00_00_00_00}

// everyByte has a 1 in each byte.
const everyByte = 0x01_01_01_01_01_01_01_01

// hammingTable returns the tables of a query: a set bit adds 15 less its number, any other the number.
func hammingTable(planes []uint64) []byte {
	width := len(planes) / 4
	table := make([]byte, 0, 8*width*columnTable)
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

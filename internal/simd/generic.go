package simd

import (
	"math"
	"math/bits"
)

// Reference implementations: they define what each kernel computes. On every machine they also add the tails of rows.

func weightedHammingPickedGo(out []int32, query, rows []uint64, picked []int32) {
	w := len(query) / 4
	for i, row := range picked {
		sum := 0
		for j, word := range rows[int(row)*w:][:w] {
			sum += bits.OnesCount64(query[j]^word) + 2*bits.OnesCount64(query[w+j]^word) +
				4*bits.OnesCount64(query[2*w+j]^word) + 8*bits.OnesCount64(query[3*w+j]^word)
		}
		out[i] = int32(sum)
	}
}

// hammingGroupsGo adds two columns at a time, at most 240 in a byte.
func hammingGroupsGo(out []int32, table, columns []byte) {
	clear(out)
	for len(out) > 0 {
		group := (*[GroupRows]int32)(out)
		for at := 0; at < len(table); at += 2 * columnTable {
			low, high := (*[16]uint8)(table[at:]), (*[16]uint8)(table[at+16:])
			lowNext, highNext := (*[16]uint8)(table[at+columnTable:]), (*[16]uint8)(table[at+columnTable+16:])
			column, next := (*[GroupRows]uint8)(columns), (*[GroupRows]uint8)(columns[GroupRows:])
			for i := range group {
				b, c := column[i], next[i]
				group[i] += int32(low[b&15] + high[b>>4] + lowNext[c&15] + highNext[c>>4])
			}
			columns = columns[2*GroupRows:]
		}
		out = out[GroupRows:]
	}
}

func dotNibbleRowsGo(out []int32, query []int8, rows []byte) {
	w := len(query) / 2
	for i := range out {
		var sum int32
		for at := 0; at < w; at += CodeBlock {
			block, low, high := rows[i*w+at:][:CodeBlock], query[2*at:][:CodeBlock], query[2*at+CodeBlock:][:CodeBlock]
			for j, b := range block {
				sum += int32(low[j])*int32(b&15) + int32(high[j])*int32(b>>4)
			}
		}
		out[i] = sum
	}
}

func dotRowsGo(out, query, rows []float32) {
	w := len(query)
	for i := range out {
		out[i] = dotGo(query, rows[i*w:(i+1)*w])
	}
}

// dotGo adds into four sums, so that the additions do not wait for one another.
func dotGo(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	j := 0
	for ; j+3 < len(a); j += 4 {
		s0 += a[j] * b[j]
		s1 += a[j+1] * b[j+1]
		s2 += a[j+2] * b[j+2]
		s3 += a[j+3] * b[j+3]
	}
	for ; j < len(a); j++ {
		s0 += a[j] * b[j]
	}
	return s0 + s1 + (s2 + s3)
}

// half widens an IEEE 754 half. Shifted into place, its exponent is too small by 112, for subnormals as well; one
// multiplication corrects both.
func half(h uint16) float32 {
	sign, rest := uint32(h&0x8000)<<16, uint32(h&0x7fff)<<13
	if h&0x7c00 == 0x7c00 { // infinity or NaN
		return math.Float32frombits(sign | 0x7f800000 | rest)
	}
	return math.Float32frombits(sign | math.Float32bits(math.Float32frombits(rest)*0x1p112))
}

// Tails: they add columns [from, len(query)) of every row to out.

func addTail(out, query, rows []float32, from int) {
	for i := range out {
		for j := from; j < len(query); j++ {
			out[i] += query[j] * rows[i*len(query)+j]
		}
	}
}

// tileGo adds the product of a packed 4-row panel of a and a packed 4-column panel of b to a tile of c, whose rows are
// ldc apart.
func tileGo(c []float32, ldc int, a, b []float32, k int) {
	var t [16]float32
	for p := range k {
		x, y := a[4*p:4*p+4:4*p+4], b[4*p:4*p+4:4*p+4]
		for i := range 4 {
			t[4*i] += x[i] * y[0]
			t[4*i+1] += x[i] * y[1]
			t[4*i+2] += x[i] * y[2]
			t[4*i+3] += x[i] * y[3]
		}
	}
	for i := range 4 {
		for j := range 4 {
			c[i*ldc+j] += t[4*i+j]
		}
	}
}

package simd

// DotHalfRows64 sets out[i] to the inner product of query with row i of rows, whose values are IEEE 754 halves, in
// double precision and bit-identical on every machine: products are exact; value j of each whole block of eight is
// added to sum j; the sums are then added in pairs that are four, two and one apart; the tail of the row follows in
// order. Lengths are as for DotHalfRows.
func DotHalfRows64(out []float64, query []float32, rows []uint16) {
	if !checkRows(len(out), len(query), len(rows)) {
		return
	}
	w := len(query)
	whole := w &^ 7
	if whole > 0 {
		dotHalfBlocks64(out, query, rows)
	}
	for i := range out {
		if whole == 0 {
			out[i] = 0
		}
		for j := whole; j < w; j++ {
			out[i] += float64(query[j]) * float64(half(rows[i*w+j]))
		}
	}
}

// DotHalfPicked64 sets out[i] to what DotHalfRows64 computes for row picked[i] of rows. out and picked have the same
// length; each picked row is within rows. Anything else panics.
func DotHalfPicked64(out []float64, query []float32, rows []uint16, picked []int32) {
	if len(out) != len(picked) {
		panic("simd: rows do not match the output")
	}
	width := len(query)
	for i := dotHalfFours64(out, query, rows, picked); i < len(out); i++ {
		DotHalfRows64(out[i:i+1], query, rows[int(picked[i])*width:][:width])
	}
}

// dotHalfBlocks64Go is the reference implementation for the whole blocks of eight of every row.
func dotHalfBlocks64Go(out []float64, query []float32, rows []uint16) {
	w := len(query)
	for i := range out {
		var s0, s1, s2, s3, s4, s5, s6, s7 float64
		for row, rest := rows[i*w:(i+1)*w], query; len(rest) >= 8 && len(row) >= 8; row, rest = row[8:], rest[8:] {
			q, h := (*[8]float32)(rest), (*[8]uint16)(row)
			s0 += float64(q[0]) * float64(half(h[0]))
			s1 += float64(q[1]) * float64(half(h[1]))
			s2 += float64(q[2]) * float64(half(h[2]))
			s3 += float64(q[3]) * float64(half(h[3]))
			s4 += float64(q[4]) * float64(half(h[4]))
			s5 += float64(q[5]) * float64(half(h[5]))
			s6 += float64(q[6]) * float64(half(h[6]))
			s7 += float64(q[7]) * float64(half(h[7]))
		}
		out[i] = ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
	}
}

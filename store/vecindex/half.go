package vecindex

import (
	"encoding/binary"

	"lens/store"
)

// dot returns the inner product of query with a row of halves in float32. Four sums at once, so that one addition need not
// wait for the other.
func dot(query []float32, row []byte) float32 {
	var a, b, c, d float32
	for len(query) >= 4 && len(row) >= 8 {
		q := (*[4]float32)(query)
		four := binary.LittleEndian.Uint64(row)
		a += q[0] * store.Widen(uint16(four))
		b += q[1] * store.Widen(uint16(four>>16))
		c += q[2] * store.Widen(uint16(four>>32))
		d += q[3] * store.Widen(uint16(four>>48))
		query, row = query[4:], row[8:]
	}
	for i, x := range query {
		a += x * store.Widen(binary.LittleEndian.Uint16(row[2*i:]))
	}
	return (a + b) + (c + d)
}

// slack bounds how far dot may be from the exact inner product of two vectors of at most unit length. An n-term sum in one chain
// errs by at most n·u·Σ|qᵢvᵢ| with u = 2⁻²⁴ (Higham, Accuracy and Stability of Numerical Algorithms, 3.1); four chains of
// n/4 terms, two joining additions and the rounding of each product make n/4+3. Σ|qᵢvᵢ| ≤ 1 by Cauchy-Schwarz; halves
// may be longer than 1 by their rounding, hence the factor of two.
func slack(dim int) float32 { return 2 * float32(dim/4+3) / (1 << 24) }

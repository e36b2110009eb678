package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"lens/internal/errs"

	"github.com/x448/float16"
)

// ErrNotAVector is returned by Unit for a vector that has no direction.
var ErrNotAVector = errors.New("vector is zero or not finite")

// Unit returns v scaled to length one, or v itself if its length is one within 1e-6. Errors:
// ErrNotAVector for zero, NaN or infinity.
func Unit(v []float32) ([]float32, error) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, ErrNotAVector
	}
	norm := math.Sqrt(sum)
	if math.Abs(norm-1) <= 1e-6 {
		return v, nil
	}
	unit := make([]float32, len(v))
	for i, x := range v {
		unit[i] = float32(float64(x) / norm)
	}
	return unit, nil
}

// Unit returns v scaled to length one, for operation op. Errors: errs.DimensionMismatch if v does not fit into g, and
// errs.Invalid.
func (g Generation) Unit(op string, v []float32) ([]float32, error) {
	if len(v) != g.Dim {
		return nil, &errs.Error{
			Code: errs.DimensionMismatch, Op: op,
			Message: fmt.Sprintf("a vector has %d dimensions, but its generation has %d", len(v), g.Dim),
		}
	}
	unit, err := Unit(v)
	if err != nil {
		return nil, &errs.Error{Code: errs.Invalid, Op: op, Err: err}
	}
	return unit, nil
}

// UnitOf returns the values of v to store, for operation op: those of a stored vector as they are. Errors: as Unit.
func (g Generation) UnitOf(op string, v *Vector) ([]float32, error) {
	unit, err := g.Unit(op, v.Values)
	if v.Stored && err == nil {
		return v.Values, nil
	}
	return unit, err
}

// ExactWindow is the number of eligible turns up to which Nearest is exact on every backend.
const ExactWindow = 2000

// queryTolerance is the tolerated deviation of a query's length from one: the rounding of float32 and
// of the provider.
const queryTolerance = 1e-3

// CheckQuery returns an error for operation op unless query is a unit vector of dim dimensions.
// Errors: errs.DimensionMismatch, errs.Invalid for a vector that is zero, not finite or not of unit
// length.
func CheckQuery(op string, query []float32, dim int) error {
	if len(query) != dim {
		return &errs.Error{
			Code: errs.DimensionMismatch, Op: op,
			Message: fmt.Sprintf("the query vector has %d dimensions, but the archive's vectors have %d", len(query), dim),
			Hint:    "use the model that embedded the archive, or run lens embed",
		}
	}
	var sum float64
	for _, x := range query {
		sum += float64(x) * float64(x)
	}
	if length := math.Sqrt(sum); !(math.Abs(length-1) <= queryTolerance) { // also rejects NaN
		return &errs.Error{
			Code: errs.Invalid, Op: op, Message: fmt.Sprintf("the query vector has length %.3g instead of 1", length),
			Hint: "use a model that returns unit vectors, or scale them",
		}
	}
	return nil
}

// Halves encodes v as IEEE 754 halves, little endian, two bytes each.
func Halves(v []float32) []byte {
	b := make([]byte, 0, 2*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, float16.Fromfloat32(x).Bits())
	}
	return b
}

// Widened returns the values of a row of Halves.
func Widened(row []byte) []float32 {
	v := make([]float32, len(row)/2)
	for i := range v {
		v[i] = Widen(binary.LittleEndian.Uint16(row[2*i:]))
	}
	return v
}

// Dot returns the inner product of query with a row of Halves in double precision. It adds in one
// fixed order, so that every backend and every machine agrees to the last bit: products are exact,
// value i of each whole block of eight goes to sum i, the sums are added in pairs four, two and one
// apart, and the remaining values follow in order. len(row) must be 2*len(query).
func Dot(query []float32, row []byte) float64 {
	var s0, s1, s2, s3, s4, s5, s6, s7 float64
	for len(query) >= 8 && len(row) >= 16 {
		q, h := (*[8]float32)(query), (*[16]byte)(row)
		low, high := binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:])
		s0 += float64(q[0]) * float64(Widen(uint16(low)))
		s1 += float64(q[1]) * float64(Widen(uint16(low>>16)))
		s2 += float64(q[2]) * float64(Widen(uint16(low>>32)))
		s3 += float64(q[3]) * float64(Widen(uint16(low>>48)))
		s4 += float64(q[4]) * float64(Widen(uint16(high)))
		s5 += float64(q[5]) * float64(Widen(uint16(high>>16)))
		s6 += float64(q[6]) * float64(Widen(uint16(high>>32)))
		s7 += float64(q[7]) * float64(Widen(uint16(high>>48)))
		query, row = query[8:], row[16:]
	}
	sum := ((s0 + s4) + (s2 + s6)) + ((s1 + s5) + (s3 + s7))
	for i, x := range query {
		sum += float64(x) * float64(Widen(binary.LittleEndian.Uint16(row[2*i:])))
	}
	return sum
}

// widened holds the float32 of every half. A lookup costs half a nanosecond. Widening by shifts alone
// costs the same for normal halves but twenty times that for subnormal ones, which vectors do have.
var widened = func() (table [1 << 16]float32) {
	for i := range table {
		table[i] = float16.Frombits(uint16(i)).Float32()
	}
	return table
}()

// Widen returns the value of an IEEE 754 half, given its bits.
func Widen(half uint16) float32 { return widened[half] }

package vecindex

import (
	"encoding/binary"
	"math"

	"lens/internal/simd"
)

// byteMap is a plane of vectors in steps of their own, 127 to the largest element.
type byteMap struct {
	values []int8
	dim    int
	guide  []float32 // step and loss each row
}

// steps writes v to dst in steps, and returns the value of a step and the length of what rounding took away, or a little more.
func steps(dst []byte, v []float32) (step, loss float32) {
	var largest float32
	for _, x := range v {
		largest = max(largest, float32(math.Abs(float64(x))))
	}
	step = largest / 127
	var sum float64
	for i, x := range v {
		n := int8(math.RoundToEven(float64(x) / float64(step)))
		d := float64(x) - float64(step)*float64(n)
		sum += d * d
		dst[i] = byte(n)
	}
	return step, float32(math.Sqrt(sum) * (1 + 1e-6))
}

func putGuide(dst []byte, step, loss float32) {
	binary.LittleEndian.PutUint32(dst, math.Float32bits(step))
	binary.LittleEndian.PutUint32(dst[4:], math.Float32bits(loss))
}

func (m *byteMap) probe(query []float32) probe {
	b := make([]byte, m.dim)
	step, loss := steps(b, query)
	return &byteProbe{byteMap: m, query: view[int8](b), step: step, loss: loss}
}

type byteProbe struct {
	*byteMap
	query      []int8
	step, loss float32
}

// Distances are similarities from farthest down to -farthest in so many bins a unit.
const (
	farthest = 1.25
	perUnit  = 4096
)

func bin(similarity float32) uint32 { return binAt((farthest - similarity) * perUnit) }

// binAt returns the bin that a distance in bins falls into. It is clamped as a whole number, which costs a third of clamping a float.
func binAt(distance float32) uint32 { return uint32(min(max(int32(distance), 0), 2*farthest*perUnit)) }

func (p *byteProbe) bins() int { return 2*farthest*perUnit + 1 }

// measure takes for each row the products of steps, and how far they can be from the true similarity: with q and x the vectors, q'
// and x' their steps, |q·x - q'·x'| ≤ |q||x-x'| + |q-q'||x'| by Cauchy-Schwarz, and |x'| ≤ |x| + |x-x'|. Lengths are 1, to
// 0.2 %. The distance is that of the upper end, what is counted is the lower.
func (p *byteProbe) measure(distances, counts []uint32, lo int) {
	const length, rounding = 1.002, 1e-6
	stepWeight, lossWeight, leastSlack := p.step*perUnit, (length+p.loss)*perUnit, (length*p.loss+rounding)*perUnit
	var products [256]int32
	for from := 0; from < len(distances); from += len(products) {
		out := distances[from:min(from+len(products), len(distances))]
		first := lo + from
		simd.DotInt8Rows(products[:len(out)], p.query, p.values[first*p.dim:(first+len(out))*p.dim])
		guide := p.guide[2*first : 2*(first+len(out))]
		for i := range out {
			step, loss := guide[2*i], guide[2*i+1]
			middle := farthest*perUnit - step*stepWeight*float32(products[i])
			slack := loss*lossWeight + leastSlack
			out[i] = binAt(middle - slack)
			counts[binAt(middle+slack)]++
		}
	}
}

// cut is certain: k rows are surely as near as within, and a row whose upper end is below that is farther than each of them.
func (p *byteProbe) cut(counts []uint32, k, _ int) (within uint32) { return reached(counts, k) }

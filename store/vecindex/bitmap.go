package vecindex

import (
	"encoding/binary"
	"math"

	"lens/internal/simd"
)

// bitMap is a plane of signs, those of what a vector is beyond the mean of all. The more signs two vectors share, the smaller is the angle
// between them (Charikar, Similarity estimation techniques from rounding algorithms, 2002): so likely, not surely.
type bitMap struct {
	words  []uint64
	width  int // words a row
	mean   []float32
	onMean []float32 // by row: the inner product with mean
}

func (m *bitMap) row(i int) []uint64 { return m.words[i*m.width : (i+1)*m.width] }

// signs writes the signs of v beyond mean to dst.
func signs(dst []byte, v, mean []float32) {
	for from := 0; from < len(v); from += 64 {
		var word uint64
		for i := from; i < min(from+64, len(v)); i++ {
			if v[i] > mean[i] {
				word |= 1 << (i % 64)
			}
		}
		binary.LittleEndian.PutUint64(dst[from/8:], word)
	}
}

// bitProbe estimates similarities. With m the mean, q = m + v a query and x = m + u a row,
//
//	q·x = v·u + m·x + v·m
//
// of which m·x is known for each row, v·m is the same for all, and v·u is told by the signs of u: the cosine of v and u by how many of them
// v's signs share, better by v itself. Only v is rounded then, to four bits, and so the estimate is as quick as four times a comparison of
// signs (Gao and Long, RaBitQ, 2024).
type bitProbe struct {
	*bitMap
	steps   []uint64 // v in steps from 0 to 15: a plane of width words for each bit, the last of which are v's signs
	perMean float32  // how many signs a unit of m·x is worth
	most    float32  // how many signs the greatest m·x is worth
	square  float64  // the weighed distance of a row at a right angle
	scale   float64  // v·u a step of that, but for the length of u
	norm    float64  // m·m
}

// queryBits are how many a dimension of the query is rounded to, and widest how many of its standard deviations that spans to either side.
const (
	queryBits = 4
	widest    = 2.5
)

func (m *bitMap) probe(query []float32) probe {
	dim := float64(len(query))
	v := make([]float32, len(query))
	squares, norm := 1e-12, 0.0 // a query that is the mean is no trouble
	for i, x := range query {
		v[i] = x - m.mean[i]
		squares += float64(v[i]) * float64(v[i])
		norm += float64(m.mean[i]) * float64(m.mean[i])
	}
	p := &bitProbe{bitMap: m, steps: make([]uint64, queryBits*m.width), norm: norm}
	const levels = 1 << queryBits
	step := 2 * widest / levels * math.Sqrt(squares/dim)
	for i, x := range v {
		n := uint64(min(max(math.Floor(float64(x)/step)+levels/2, 0), levels-1))
		for bit := range queryBits {
			p.steps[bit*m.width+i/64] |= n >> bit & 1 << (i % 64)
		}
	}
	signs := dim / (math.Pi * math.Sqrt(squares*max(1-norm, 0.01)))
	p.perMean = float32(min(signs, dim/math.Sqrt(norm)))
	p.most = p.perMean * float32(math.Sqrt(norm))
	p.square, p.scale = (levels-1)*dim/2, step/math.Sqrt(dim*2/math.Pi)
	return p
}

func (p *bitProbe) bins() int { return 64*p.width + 2*int(p.most) + 3 }

// measure counts signs that differ. That cosine and signs go by half a circle's arc is left out: near a right angle, where nearly all rows are,
// it is a line.
func (p *bitProbe) measure(distances, counts []uint32, lo int) {
	simd.HammingRows(distances, p.steps[(queryBits-1)*p.width:], p.words[lo*p.width:(lo+len(distances))*p.width])
	last := uint32(len(counts) - 1)
	for i, along := range p.onMean[lo : lo+len(distances)] {
		d := min(distances[i]+uint32(max(p.most-p.perMean*along, 0)), last)
		distances[i] = d
		counts[d]++
	}
}

// The similarities of so many rows are estimated at least: the fewer signs a row has, the less sure is what they say.
const (
	signsEstimated = 12 << 20 // of 4096 rows at 3072 dimensions
	shareEstimated = 100      // one row of the window in so many
	timesEstimated = 16       // for each row that is asked for
)

func (p *bitProbe) cut(counts []uint32, k, n int) (within uint32) {
	return reached(counts, max(signsEstimated/len(p.mean), n/shareEstimated, timesEstimated*k))
}

// ahead is how many rows before it is read a row is fetched from memory. They lie apart, and to wait for each takes four times as long as
// to estimate it.
const ahead = 8

func (p *bitProbe) estimate(found []candidate) {
	var differ [queryBits]uint32
	for i := range found {
		if i+ahead < len(found) {
			simd.Prefetch(p.row(int(found[i+ahead].row)))
		}
		row := int(found[i].row)
		simd.HammingRows(differ[:], p.row(row), p.steps)
		weighed := uint32(0)
		for bit, n := range differ {
			weighed += n << bit
		}
		along := float64(p.onMean[row])
		length := math.Sqrt(max(1-2*along+p.norm, 0)) // of u
		found[i].similarity = along + p.scale*length*(p.square-float64(weighed))
	}
}

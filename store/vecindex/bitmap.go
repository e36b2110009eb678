package vecindex

import (
	"encoding/binary"
	"math"

	"lens/internal/simd"
)

// bitMap is a plane of signs. The more signs two vectors share, the smaller is the angle between them (Charikar, Similarity
// estimation techniques from rounding algorithms, 2002): so likely, not surely.
type bitMap struct {
	words []uint64
	width int // words a row
	mean  []float32
}

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

func (m *bitMap) probe(query []float32) probe {
	b := make([]byte, 8*m.width)
	signs(b, query, m.mean)
	return &bitProbe{bitMap: m, query: view[uint64](b)}
}

type bitProbe struct {
	*bitMap
	query []uint64
}

func (p *bitProbe) bins() int { return 64*p.width + 1 }

func (p *bitProbe) measure(distances, counts []uint32, lo int) {
	simd.HammingRows(distances, p.query, p.words[lo*p.width:(lo+len(distances))*p.width])
	for _, d := range distances {
		counts[d]++
	}
}

// The first round ranks that many rows at least, and that share of the window.
const (
	leastRanked = 1000
	shareRanked = 500 // one in so many
	timesRanked = 4   // for each row that is asked for
)

// certainty is how many standard deviations of its distance a row of the answer may lie beyond where it belongs: one in two
// thousand lies farther.
const certainty = 3.3

func (p *bitProbe) cut(counts []uint32, k, n int) (within uint32) {
	return reached(counts, max(leastRanked, n/shareRanked, timesRanked*k))
}

// doubt takes the last half of the best for rows that are just near enough. Signs that differ are counted like heads of so many
// tosses: that gives the deviation, unless it is seen to be greater, as when dimensions depend on one another.
func (p *bitProbe) doubt(best []candidate) (within uint32) {
	last := best[len(best)/2:]
	var sum, squares float64
	for _, c := range last {
		d := float64(c.distance)
		sum += d
		squares += d * d
	}
	mean := sum / float64(len(last))
	dim := float64(len(p.mean))
	tossed := mean * (1 - mean/dim)
	seen := squares/float64(len(last)) - mean*mean
	return uint32(mean + certainty*math.Sqrt(max(tossed, seen)))
}

package embedtest

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"unicode"
)

// Vector returns the unit vector of text: the sum of a random direction per word, and a weak one for the whole
// text. Texts that share words are near, equal texts are equal, and every machine gets the same vectors.
func Vector(text string, dim int) []float32 {
	sum := make([]float64, dim)
	separates := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	words := strings.FieldsFunc(strings.ToLower(text), separates)
	for _, word := range words {
		addDirection(sum, word, 1)
	}
	addDirection(sum, "\x00"+text, 0.25)
	var square float64
	for _, x := range sum {
		square += x * x
	}
	vector := make([]float32, dim)
	for i, x := range sum {
		vector[i] = float32(x / math.Sqrt(square))
	}
	return vector
}

func addDirection(sum []float64, seed string, weight float64) {
	h := fnv.New64a()
	h.Write([]byte(seed))
	random := rand.New(rand.NewPCG(h.Sum64(), 1))
	for i := range sum {
		sum[i] += weight * random.NormFloat64()
	}
}

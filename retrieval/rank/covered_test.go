package rank_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lens/retrieval/rank"
)

func TestCovered(t *testing.T) {
	words := []rank.Word{{Rows: []int32{1, 4}, IDF: 1}, {Rows: []int32{2, 4}, IDF: 2}, {Rows: []int32{3}, IDF: 4}, {IDF: 9}}
	for _, test := range []struct {
		name     string
		eligible []int32
		want     float64
	}{
		{"one word", []int32{1, 2}, 2. / 16},
		{"two words", []int32{1, 2, 4}, 3. / 16},
		{"a rare word", []int32{1, 2, 3, 4}, 4. / 16},
		{"none", []int32{5}, 0},
	} {
		got := rank.Covered(words, func(row int32) bool { return slices.Contains(test.eligible, row) })
		if got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
	if got := rank.Covered(nil, func(int32) bool { return true }); got != 0 {
		t.Errorf("without words: %v", got)
	}
}

// What is left out early must not be the best row.
func TestCovered_EqualsCountingEveryRow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		const n = 200
		words := make([]rank.Word, 1+r.IntN(8))
		held, total := make([]float64, n), 0.0
		for i := range words {
			words[i].IDF = r.Float64()
			total += words[i].IDF
			share := r.Float64() * r.Float64()
			for row := range int32(n) {
				if r.Float64() < share {
					words[i].Rows = append(words[i].Rows, row)
					held[row] += words[i].IDF
				}
			}
		}
		even := func(row int32) bool { return row%2 == 0 }
		want := 0.0
		for row := 0; row < n; row += 2 {
			want = max(want, held[row]/total)
		}
		if got := rank.Covered(words, even); math.Abs(got-want) > 1e-9 {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

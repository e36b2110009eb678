package embedtest_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"lens/retrieval/embed/embedtest"
)

func cosine(a, b string) float64 {
	x, y := embedtest.Vector(a, 256), embedtest.Vector(b, 256)
	var sum float64
	for i := range x {
		sum += float64(x[i]) * float64(y[i])
	}
	return sum
}

func TestVector_SharedWords(t *testing.T) {
	same := cosine("sourdough starter smells", "my Sourdough starter died")
	other := cosine("sourdough starter smells", "cancel a request in Go")
	if same < 0.3 || other > 0.2 || same < other+0.2 {
		t.Errorf("same topic %.2f, another %.2f", same, other)
	}
}

func TestVector_UnitLengthAndDeterministic(t *testing.T) {
	for _, text := range []string{"", "a", "two words", "お誕生日"} {
		if got := cosine(text, text); math.Abs(got-1) > 1e-6 {
			t.Errorf("%q has length %v", text, got)
		}
		if !slices.Equal(embedtest.Vector(text, 16), embedtest.Vector(text, 16)) {
			t.Errorf("%q has two vectors", text)
		}
	}
}

func ExampleVector() {
	fmt.Printf("%.3f\n", embedtest.Vector("a text", 4))
	// Output: [0.045 -0.979 0.183 0.083]
}

package simd

import "math"

// ExpSum replaces every x of v by e^((x-m)*scale), where m is the maximum of v, and returns the sum: a softmax without
// the division. v must not be empty and scale must not be negative. The relative error is at most 3e-7; results below
// e^-87 are 0.
func ExpSum(v []float32, scale float32) float32 {
	block := activationBlock()
	if block == 1 {
		return expSumGo(v, scale)
	}
	whole := len(v) &^ (block - 1)
	var end [widestBlock]float32
	tail := end[:block]
	for i := copy(tail, v[whole:]); i < block; i++ {
		tail[i] = -math.MaxFloat32 // its exponential is 0
	}
	top := maxOfBlocks(tail)
	if whole > 0 {
		top = max(top, maxOfBlocks(v[:whole]))
	}
	sum := expSumBlocks(tail, top, scale)
	copy(v[whole:], tail)
	if whole > 0 {
		sum += expSumBlocks(v[:whole], top, scale)
	}
	return sum
}

// GELU replaces every x of v by x·Φ(x), where Φ is the normal distribution function: BERT's definition, by erf rather
// than tanh. The error is below 1e-6·|x|.
func GELU(v []float32) {
	if block := activationBlock(); block > 1 {
		if whole := len(v) &^ (block - 1); whole > 0 {
			geluBlocks(v[:whole])
			v = v[whole:]
		}
	}
	for i, x := range v {
		v[i] = gelu(x)
	}
}

// widestBlock is the largest value of activationBlock.
const widestBlock = 16

func expSumGo(v []float32, scale float32) (sum float32) {
	top := v[0]
	for _, x := range v {
		if x > top {
			top = x
		}
	}
	for i, x := range v {
		v[i] = exp((x - top) * scale)
		sum += v[i]
	}
	return sum
}

// exp writes x as n·ln 2 + r with |r| <= ln 2 / 2 and evaluates the series of e^r up to the seventh power.
func exp(x float32) float32 {
	if x < expFloor {
		return 0
	}
	n := float32(math.RoundToEven(float64(x * log2e)))
	r := x - n*ln2High - n*ln2Low
	p := float32(1.0 / 5040)
	p = p*r + 1.0/720
	p = p*r + 1.0/120
	p = p*r + 1.0/24
	p = p*r + 1.0/6
	p = p*r + 0.5
	p = p*r + 1
	p = p*r + 1
	return math.Float32frombits(math.Float32bits(p) + uint32(int32(n))<<23)
}

const (
	expFloor = -87
	log2e    = 1.44269504
	ln2High  = 0.693359375 // 10 bits, so that a product with n is exact
	ln2Low   = -2.12194440e-4
)

// gelu approximates 1-erf(|x|/√2) by 1/(1 + a1·y + … + a6·y⁶)¹⁶: Abramowitz and Stegun, Handbook of Mathematical
// Functions, 7.1.28.
func gelu(x float32) float32 {
	y := float32(math.Abs(float64(x))) * math.Sqrt2 / 2
	p := float32(erf6)
	p = p*y + erf5
	p = p*y + erf4
	p = p*y + erf3
	p = p*y + erf2
	p = p*y + erf1
	p = p*y + 1
	p *= p
	p *= p
	p *= p
	p *= p
	tail := x * 0.5 / p
	if x < 0 {
		return tail
	}
	return x - tail
}

const (
	erf1 = 0.0705230784
	erf2 = 0.0422820123
	erf3 = 0.0092705272
	erf4 = 0.0001520143
	erf5 = 0.0002765672
	erf6 = 0.0000430638
)

//go:build purego || !amd64

package simd

// activationBlock is the number of values in a block; 1 if there are no block functions.
func activationBlock() int { return 1 }

func maxOfBlocks([]float32) float32 { return 0 }

func expSumBlocks([]float32, float32, float32) float32 { return 0 }

func geluBlocks([]float32) {}

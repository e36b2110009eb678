//go:build purego || !amd64

package simd

// activateBlock is how many values the block functions handle at a time; 1: there are none, all values take the plain way.
func activateBlock() int { return 1 }

func greatestOfBlocks([]float32) float32 { return 0 }

func expSumBlocks([]float32, float32, float32) float32 { return 0 }

func geluBlocks([]float32) {}

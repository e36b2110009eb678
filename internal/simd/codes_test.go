package simd

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// compareCodes reads queries and rows of so many blocks out of data, beginning offset bytes in.
func compareCodes(t testing.TB, data []byte, blocks, n, offset int) {
	t.Helper()
	bytes := data[offset:]
	words := make([]uint64, len(bytes)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(bytes[8*i:])
	}
	query := make([]int8, 2*CodeBlock*blocks)
	for i := range query {
		query[i] = int8(bytes[i])
	}
	rows := bytes[4*CodeBlock*blocks:][:n*CodeBlock*blocks]
	rowWords := words[4*CodeBlock/8*blocks:][:n*CodeBlock/8*blocks]
	got, want := make([]int32, n), make([]int32, n)
	picked := make([]int32, n)
	for i := range picked {
		picked[i] = int32((i*7 + offset) % n)
	}
	WeightedHammingPicked(got, words[:4*CodeBlock/8*blocks], rowWords, picked)
	weightedHammingPickedGo(want, words[:4*CodeBlock/8*blocks], rowWords, picked)
	if !slices.Equal(got, want) {
		t.Fatalf("bits at level %s, %d blocks: %v, plain Go says %v", level, blocks, got, want)
	}
	if width := CodeBlock * blocks; width <= MaxGroupWidth {
		for i := range picked {
			picked[i] = int32(i)
		}
		weightedHammingPickedGo(want, words[:4*CodeBlock/8*blocks], rowWords, picked)
		whole := (n + GroupRows - 1) / GroupRows * GroupRows
		columns, grouped := make([]byte, whole*width), make([]int32, whole)
		Group(columns, rows, width)
		NewBitQuery(words[:4*CodeBlock/8*blocks]).HammingGroups(grouped, columns)
		if !slices.Equal(grouped[:n], want) {
			t.Fatalf("groups at level %s, %d blocks: %v, plain Go says %v", level, blocks, grouped[:n], want)
		}
	}
	DotNibbleRows(got, query, rows)
	dotNibbleRowsGo(want, query, rows)
	if !slices.Equal(got, want) {
		t.Fatalf("nibbles at level %s, %d blocks: %v, plain Go says %v", level, blocks, got, want)
	}
}

func TestCodeKernels_EqualReference(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for blocks := 1; blocks < 10; blocks++ {
		for _, n := range []int{1, 2, 3, 7, 31, 32, 33, 100, 170, 300} {
			for offset := range 3 {
				data := make([]byte, CodeBlock*blocks*(n+4)+offset)
				for i := range data {
					data[i] = byte(r.Uint32())
				}
				atEachLevel(t, func(t *testing.T) { compareCodes(t, data, blocks, n, offset) })
			}
		}
	}
}

func TestGroup_StoresColumns(t *testing.T) {
	for _, n := range []int{0, 1, 8, 31, 32, 33, 70} {
		for _, width := range []int{8, 24, 128} {
			rows, columns := make([]byte, n*width), make([]byte, (n+31)/32*32*width)
			for i := range rows {
				rows[i] = byte(i*i>>3) | 1
			}
			for i := range columns {
				columns[i] = 0xFF
			}
			Group(columns, rows, width)
			for row := range len(columns) / width {
				for i := range width {
					want := byte(0)
					if row < n {
						want = rows[row*width+i]
					}
					if got := columns[row/32*32*width+32*i+row%32]; got != want {
						t.Fatalf("byte %d of row %d of %d, %d wide, is %d instead of %d", i, row, n, width, got, want)
					}
				}
			}
		}
	}
}

func TestCodeKernels_Extremes(t *testing.T) {
	const blocks, n = 8, 130 // the widest rows whose sums fit into 16 bits; more than four groups
	for _, b := range []byte{0, 0x7F, 0x80, 0xFF} {
		data := make([]byte, CodeBlock*blocks*(n+4))
		for i := range data {
			data[i] = b
			if i >= 4*CodeBlock*blocks {
				data[i] = 0xFF
			}
		}
		atEachLevel(t, func(t *testing.T) { compareCodes(t, data, blocks, n, 0) })
	}
}

func FuzzCodeKernels(f *testing.F) {
	f.Add(make([]byte, 700), uint8(2), uint8(1))
	f.Add(make([]byte, 70*CodeBlock), uint8(0), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, blocks, offset uint8) {
		b := 1 + int(blocks)%8
		n := (len(data)-int(offset))/(CodeBlock*b) - 4
		if n < 1 {
			return
		}
		atEachLevel(t, func(t *testing.T) { compareCodes(t, data, b, n, int(offset)) })
	})
}

func TestCodeKernels_PartialBlocksPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"bits": func() {
			WeightedHammingPicked(make([]int32, 1), make([]uint64, 12), make([]uint64, 3), make([]int32, 1))
		},
		"few": func() {
			WeightedHammingPicked(make([]int32, 2), make([]uint64, 32), make([]uint64, 8), make([]int32, 1))
		},
		"beyond":  func() { WeightedHammingPicked(make([]int32, 1), make([]uint64, 32), make([]uint64, 8), []int32{1}) },
		"before":  func() { WeightedHammingPicked(make([]int32, 1), make([]uint64, 32), make([]uint64, 8), []int32{-1}) },
		"nibbles": func() { DotNibbleRows(make([]int32, 1), make([]int8, 64), make([]byte, 32)) },
		"rows":    func() { DotNibbleRows(make([]int32, 2), make([]int8, 128), make([]byte, 64)) },
		"group":   func() { NewBitQuery(make([]uint64, 32)).HammingGroups(make([]int32, 31), make([]byte, 31*64)) },
		"columns": func() { NewBitQuery(make([]uint64, 32)).HammingGroups(make([]int32, 32), make([]byte, 31*64)) },
		"wide":    func() { NewBitQuery(make([]uint64, 4*MaxGroupWidth/8+32)) },
		"whole":   func() { Group(make([]byte, 33*64), make([]byte, 33*64), 64) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

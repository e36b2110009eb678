package vecindex

import (
	"slices"
	"sync"
	"sync/atomic"

	"lens/internal/simd"
)

// groups are the first signs of all rows as a search compares them fastest: in groups of 32 rows, stored column by
// column (simd.Group). They are those of a file, copied block by block on first use from a file that holds rows, or
// those of a sketch.
type groups struct {
	rowBytes int
	data     []byte  // the rows that fill up the last group are zero
	file     *blocks // nil: a sketch

	mu     sync.Mutex    // of copying a block
	copied []atomic.Bool // by block; nil: data is that of file
}

// storedGroups returns the groups in codes.
func storedGroups(codes *blocks) *groups {
	return &groups{rowBytes: codes.rowBytes, data: codes.data, file: codes}
}

// copiedGroups returns groups of the rows in codes.
func copiedGroups(codes *blocks) *groups {
	return &groups{rowBytes: codes.rowBytes, file: codes, copied: make([]atomic.Bool, codes.blocks())}
}

// of returns the groups of rows lo to hi, multiples of the rows of a group.
func (g *groups) of(lo, hi int) []byte { return g.data[lo*g.rowBytes : hi*g.rowBytes] }

// verify checks the blocks of rows lo to hi, and copies them if need be.
func (g *groups) verify(lo, hi int) error {
	if g.file == nil || lo >= hi {
		return nil
	}
	if g.copied == nil {
		return g.file.verify(lo, hi)
	}
	rows := g.file.perBlock()
	for n := lo / rows; n <= (hi-1)/rows; n++ {
		if g.copied[n].Load() {
			continue
		}
		if err := g.copy(n); err != nil {
			return err
		}
	}
	return nil
}

// copy verifies a block and copies it, once.
func (g *groups) copy(n int) error {
	g.mu.Lock()
	defer g.mu.Unlock() // also if the file has been truncated
	if g.copied[n].Load() {
		return nil
	}
	lo := n * g.file.perBlock()
	hi := min(lo+g.file.perBlock(), g.file.rows)
	if err := g.file.verify(lo, hi); err != nil {
		return err
	}
	if g.data == nil {
		g.data = make([]byte, wholeGroups(g.file.rows)*g.rowBytes)
	}
	simd.Group(g.of(lo, wholeGroups(hi)), g.file.of(lo, hi), g.rowBytes)
	g.copied[n].Store(true)
	return nil
}

// erase overwrites the copies with zeros.
func (g *groups) erase() {
	if g.copied != nil {
		clear(g.data)
	}
}

// with returns groups with additional rows after the first n. They share the memory of whole groups only: a search may
// be reading the last group.
func (g *groups) with(n int, rows [][]uint64) *groups {
	data := g.data
	if n%simd.GroupRows != 0 {
		data = slices.Clone(data)
	}
	data = append(data, make([]byte, wholeGroups(n+len(rows))*g.rowBytes-len(data))...)
	for i, words := range rows {
		group := data[(n+i)/simd.GroupRows*simd.GroupRows*g.rowBytes:]
		for j := range g.rowBytes {
			group[j*simd.GroupRows+(n+i)%simd.GroupRows] = byte(words[j/8] >> (j % 8 * 8))
		}
	}
	return &groups{rowBytes: g.rowBytes, data: data}
}

// wholeGroups returns the number of rows of the groups of n rows.
func wholeGroups(n int) int { return (n + simd.GroupRows - 1) / simd.GroupRows * simd.GroupRows }

// Package termindex is the keyword index as pure data: immutable segments of sorted terms with the
// turns that contain them.
//
// The rules are:
//
//   - A write adds a segment; nothing is changed in place. Merging segments drops dead turns.
//
//   - A segment is a sequence of blocks, a block a sequence of entries in bytewise order of their terms. All numbers
//     are unsigned varints (LEB128, as in encoding/binary):
//
//     entry = shared suffix-length suffix size list
//     list  = n first-ord (ord-delta)ⁿ⁻¹ (count−1)ⁿ
//
//     shared is the length in bytes of the prefix that the term shares with the one before it in its block (0 for the
//     first). size is the length of list in bytes, so that a reader can skip other terms. Ords ascend strictly.
//
//   - Reading damaged bytes returns an error or a wrong result. It never panics and needs no more memory than the
//     bytes do.
package termindex

import (
	"errors"
	"iter"
)

// Block is a run of consecutive terms of a segment. It has about 8 KiB, and more only if a single term
// needs more. A term can only be in the block with the greatest FirstTerm that is not greater than the
// term (bytewise order). FirstTerm is unique in a segment.
type Block struct {
	FirstTerm string
	Data      []byte
}

// Segment yields a segment's blocks in ascending order of FirstTerm, and may fail. It may reuse a
// block's Data for the next one.
type Segment = iter.Seq2[Block, error]

// ErrDamaged means that a block does not have the format above.
var ErrDamaged = errors.New("termindex: damaged block")

// blockSize is the target size of a block. Smaller blocks cost rows, larger ones make reading a term
// slower.
const blockSize = 8 << 10

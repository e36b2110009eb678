// Package termindex is the keyword index as pure data: immutable segments of sorted terms with the turns in which they occur.
//
// The rules are:
//
//   - A write adds a segment; nothing is ever changed in place. What is dead is left out when segments are merged.
//
//   - A segment is a sequence of blocks, a block a sequence of entries in bytewise order of their terms. All numbers are unsigned
//     varints (LEB128, as in encoding/binary):
//
//     entry = shared suffix-length suffix size list
//     list  = n first-ord (ord-delta)ⁿ⁻¹ (count−1)ⁿ
//
//     shared is how many bytes the term has in common with the one before it in its block (0 for the first), size the length
//     of list in bytes, so that a reader who wants another term steps over it. Ords ascend strictly.
//
//   - Bytes may be damaged: reading them yields an error or a wrong answer, but no panic and no more memory than bytes.
package termindex

import (
	"errors"
	"iter"
)

// Block is a run of consecutive terms of a segment, about 8 KiB long; longer only when one term alone needs more. A term stands
// in the block with the greatest FirstTerm that is not above it (bytewise order), or not at all. FirstTerm is unique in a segment.
type Block struct {
	FirstTerm string
	Data      []byte
}

// Segment yields a segment's blocks in ascending order of FirstTerm, and may fail. A block's Data may be reused once the next
// one is asked for.
type Segment = iter.Seq2[Block, error]

// ErrDamaged says that a block does not follow the format.
var ErrDamaged = errors.New("termindex: damaged block")

// blockSize is what a block is filled up to. Smaller blocks cost rows, larger ones the reading of a term.
const blockSize = 8 << 10

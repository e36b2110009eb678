package sqlite

import (
	"encoding/binary"
	"math/bits"
	"sync"

	"github.com/klauspost/compress/s2"
)

var dictionary = sync.OnceValue(func() *s2.Dict { return s2.MakeDict(phrases, nil) })

// maxShortBlock is how long a block may be that blockPacker packs. Longer ones need a larger table.
const maxShortBlock = 8 << 10

// blockPacker packs short blocks with the dictionary. Dict.Encode clears 64 KB for each block, which takes longer than
// packing one. What it writes is read by Dict.Decode.
//
// A block is packed behind the dictionary, so that both are one window.
type blockPacker struct {
	window []byte // begins with phrases
	table  blockTable
	packed []byte
}

// blockTable holds places in the window by a hash of the bytes there.
type blockTable [1 << blockTableBits]uint16

const blockTableBits = 12

// phraseTable is the table of the dictionary alone.
var phraseTable = sync.OnceValue(func() *blockTable {
	var t blockTable
	for i := 0; i+8 <= len(phrases); i++ {
		t[blockHash(binary.LittleEndian.Uint64(phrases[i:]))] = uint16(i)
	}
	return &t
})

// blockHash hashes the first five bytes of eight.
func blockHash(v uint64) uint64 { return v << 24 * 889523592379 >> (64 - blockTableBits) }

// begin returns the empty block, to append to.
func (p *blockPacker) begin() []byte {
	if len(p.window) == 0 {
		p.window = append(make([]byte, 0, len(phrases)+maxShortBlock), phrases...)
	}
	return p.window[:len(phrases)]
}

// pack returns a block packed. window is the block after what begin returned. The result is valid until the next call.
func (p *blockPacker) pack(window []byte) []byte {
	p.window = window
	block := window[len(phrases):]
	if len(block) > maxShortBlock {
		p.packed = dictionary().Encode(p.packed[:cap(p.packed)], block)
		return p.packed
	}
	p.packed = binary.AppendUvarint(p.packed[:0], uint64(len(block)))
	p.table = *phraseTable()
	const margin = 8 // bytes that are read at once
	var last int     // offset of the copy before; 0: none
	done := len(phrases)
	for at := done; at+margin <= len(window); {
		v := binary.LittleEndian.Uint64(window[at:])
		slot := &p.table[blockHash(v)]
		from := int(*slot)
		*slot = uint16(at)
		if last > 0 && binary.LittleEndian.Uint32(window[at-last:]) == uint32(v) {
			from = at - last // costs less
		} else if binary.LittleEndian.Uint32(window[from:]) != uint32(v) {
			at += 1 + (at-done)>>5
			continue
		}
		n := matchLength(window, from, at)
		if n < 4 {
			at++
			continue
		}
		for at > done && from > 0 && from != len(phrases) && window[from-1] == window[at-1] {
			from, at, n = from-1, at-1, n+1
		}
		p.packed = appendLiteral(p.packed, window[done:at])
		p.packed = appendCopy(p.packed, at-from, n, at-from == last)
		last = at - from
		at += n
		done = at
		if at+margin <= len(window) {
			p.table[blockHash(binary.LittleEndian.Uint64(window[at-2:]))] = uint16(at - 2)
		}
	}
	p.packed = appendLiteral(p.packed, window[done:])
	return p.packed
}

// matchLength returns how many bytes at two places are the same. A copy from the dictionary ends with it.
func matchLength(window []byte, from, at int) (n int) {
	end := len(window) - at
	if from < len(phrases) {
		end = min(end, len(phrases)-from)
	}
	for ; n+8 <= end; n += 8 {
		differs := binary.LittleEndian.Uint64(window[from+n:]) ^ binary.LittleEndian.Uint64(window[at+n:])
		if differs != 0 {
			return n + bits.TrailingZeros64(differs)/8
		}
	}
	for n < end && window[from+n] == window[at+n] {
		n++
	}
	return n
}

// The kinds of copies of S2, in the lowest two bits of an element. Those of a literal are zero.
const (
	copy1 = 1 // an offset of up to 11 bits; 0: that of the copy before
	copy2 = 2 // of 16 bits
)

// appendLiteral appends bytes as they are, at most maxShortBlock.
func appendLiteral(dst, bytes []byte) []byte {
	switch n := len(bytes) - 1; {
	case n < 0:
		return dst
	case n < 60:
		dst = append(dst, byte(n<<2))
	case n < 1<<8:
		dst = append(dst, 60<<2, byte(n))
	default:
		dst = append(dst, 61<<2, byte(n), byte(n>>8))
	}
	return append(dst, bytes...)
}

// appendCopy appends a copy of at least 4 bytes; again: with the offset of the copy before.
func appendCopy(dst []byte, offset, n int, again bool) []byte {
	switch {
	case again:
	case n < 12 && offset < 1<<11:
		return append(dst, byte(offset>>8<<5|(n-4)<<2|copy1), byte(offset))
	case n <= 64:
		return append(dst, byte((n-1)<<2|copy2), byte(offset), byte(offset>>8))
	default:
		dst = append(dst, 59<<2|copy2, byte(offset), byte(offset>>8))
		n -= 60
	}
	switch n -= 4; {
	case n < 5:
		return append(dst, byte(n<<2|copy1), 0)
	case n < 4+1<<8:
		return append(dst, 5<<2|copy1, 0, byte(n-4))
	default:
		n -= 1 << 8
		return append(dst, 6<<2|copy1, 0, byte(n), byte(n>>8))
	}
}

// unpackBlock is the inverse of packing a block with the dictionary.
func unpackBlock(block []byte) ([]byte, error) { return unpackInto(nil, block, dictionary()) }

// unpackInto unpacks a block into the memory of scratch, if that is enough; nil: it was packed without a dictionary.
func unpackInto(scratch, block []byte, with *s2.Dict) ([]byte, error) {
	if n, err := s2.DecodedLen(block); err != nil || n > maxTextBytes {
		return nil, errBody
	}
	unpack := s2.Decode
	if with != nil {
		unpack = with.Decode
	}
	unpacked, err := unpack(scratch[:cap(scratch)], block)
	if err != nil {
		return nil, errBody
	}
	return unpacked, nil
}

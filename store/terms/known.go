package terms

import (
	"math/bits"
	"slices"
)

// readBlocks reads the text from i on, and returns where it stopped: few bytes are left. It is for a text that has more
// than stop words. Tokens are letters and digits of ASCII, not longer than shortToken, and known, but for a few, which
// it leaves to readOne.
//
// Which tokens come is hard to foresee, for the processor too: where a branch would decide, such as whether a token is
// a stop word or occurs for the first time, numbers do.
func (a *Analyzer) readBlocks(text string, i int, heard *hits) int {
	for len(text)-i >= blockSize+shortToken {
		letters, wide := lettersAt(text, i)
		at := 0
		for at < blockSize {
			known := a.readKnown(text[i:i+blockSize+shortToken], at, letters, wide, heard)
			if at = known; at >= blockSize {
				break
			}
			if n := bits.TrailingZeros64(^(letters >> at)); at+n == blockSize && at > 0 {
				break // it may go on
			}
			at = a.readOne(text, i+at, heard) - i
		}
		i += at
	}
	return i
}

// readKnown counts tokens of a block from at on, up to one that is not known. It returns where that begins, or
// blockSize.
func (a *Analyzer) readKnown(block string, at int, letters, wide uint64, heard *hits) int {
	a.hold()
	t, counts, touched, used := &a.lexicon.tokens, a.counts, a.touched[:cap(a.touched)], len(a.touched)
	for {
		begins := (letters | wide) >> at
		if begins == 0 {
			at = blockSize
			break
		}
		at += bits.TrailingZeros64(begins)
		n := bits.TrailingZeros64(^(letters >> at))
		if n-1 >= shortToken || n == 0 || at+n >= blockSize || !separatesAt(block, at+n) {
			break
		}
		key := tokenKey{eightBytes(block, at) & firstBytes[n], eightBytes(block, at+8) & secondBytes[n]}
		s := find(t.slots, t.start(key), key)
		if s == nil {
			break
		}
		if s.flags&severalTerms != 0 {
			a.touched = touched[:used]
			a.add(a.lexicon.idsOf(s.entry()))
			a.hold()
			touched, used = a.touched[:cap(a.touched)], len(a.touched)
		}
		heard.sets[s.functions]++
		heard.english += int(s.flags / speaksEnglish & 1)
		heard.foreign += int(s.flags / speaksOther & 1)
		id := s.at & -uint32(s.flags/oneTerm&1) // 0 stands for no term
		count := counts[id]
		counts[id] = count + 1
		touched[used] = id
		if count == 0 {
			used++
		}
		at += n + 1
	}
	a.touched = touched[:used]
	return at
}

// hold makes room for the tokens of a block, and for the counts of all terms. The count of 0, which stands for no term,
// is never zero.
func (a *Analyzer) hold() {
	a.touched = slices.Grow(a.touched, blockSize)
	if n := a.lexicon.vocabulary.Len() - len(a.counts); n > 0 {
		a.counts = append(a.counts, make([]uint32, n)...)
	}
	a.counts[0] = 1
}

// blockSize is how many bytes readBlocks looks at at once.
const blockSize = 64

// firstBytes and secondBytes keep the first n of sixteen bytes.
var firstBytes, secondBytes = func() (first, second [shortToken + 1]uint64) {
	for n := range first {
		first[n], second[n] = 1<<(8*min(n, 8))-1, 1<<(8*max(n-8, 0))-1
	}
	return first, second
}()

// lettersAt tells which of the blockSize bytes from i on are letters and digits of ASCII, and which are not ASCII: the
// byte i by the lowest bit.
func lettersAt(text string, i int) (letters, wide uint64) {
	block := text[i : i+blockSize]
	for j := 0; j < blockSize; j += 8 {
		bytes := eightBytes(block, j)
		letters |= highestBits(lettersIn(bytes)) << j
		wide |= highestBits(bytes&highest) << j
	}
	return letters, wide
}

// highestBits returns the highest bits of eight bytes, which have no others, as the lowest eight bits.
func highestBits(bytes uint64) uint64 { return bytes >> 7 * 0x0102040810204080 >> 56 }

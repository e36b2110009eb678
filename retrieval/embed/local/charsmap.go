package local

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// charsmap is a map of characters that SentencePiece has compiled ("precompiled_charsmap"): what NFKC and its own rules
// make of a text. It holds the size of a trie in bytes, the trie, and the replacements, each ended by a zero.
//
// The trie is a double array as in Darts-clone: the unit of a node holds, as an offset, where its children are, and
// each child the byte that leads to it. A node that ends a key has a child for the byte zero, whose unit is a value:
// where the replacement begins.
type charsmap struct {
	trie         []uint32
	replacements string
}

func readCharsmap(data []byte) (*charsmap, error) {
	if len(data) < 4 {
		return nil, errors.New("precompiled_charsmap: too short")
	}
	size, data := binary.LittleEndian.Uint32(data), data[4:]
	if size == 0 || size%4 != 0 || uint64(size) > uint64(len(data)) {
		return nil, errors.New("precompiled_charsmap: the trie does not fit")
	}
	m := &charsmap{trie: make([]uint32, size/4), replacements: string(data[size:])}
	for i := range m.trie {
		m.trie[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	if !utf8.ValidString(m.replacements) {
		return nil, errors.New("precompiled_charsmap: the replacements are not UTF-8")
	}
	return m, nil
}

// longestKey is how many bytes of characters that form one are looked up together, as the library tokenizers does.
const longestKey = 5

// normalize replaces what the map knows: characters that form one (a letter and its accents) together, else one by one.
func (m *charsmap) normalize(text string) string {
	var b strings.Builder
	b.Grow(len(text) + 16)
	for state := -1; text != ""; {
		var cluster string
		cluster, text, _, state = uniseg.FirstGraphemeClusterInString(text, state)
		if len(cluster) <= longestKey {
			if to, ok := m.lookup(cluster); ok {
				b.WriteString(to)
				continue
			}
		}
		for len(cluster) > 0 {
			_, size := utf8.DecodeRuneInString(cluster)
			if to, ok := m.lookup(cluster[:size]); ok {
				b.WriteString(to)
			} else {
				b.WriteString(cluster[:size])
			}
			cluster = cluster[size:]
		}
	}
	return b.String()
}

// lookup returns the replacement of the shortest key that text begins with. What follows the key is dropped, as the
// library tokenizers does.
func (m *charsmap) lookup(text string) (string, bool) {
	at := offsetOf(m.trie[0])
	for i := range len(text) {
		if text[i] == 0 {
			break
		}
		if at ^= uint32(text[i]); at >= uint32(len(m.trie)) || labelOf(m.trie[at]) != uint32(text[i]) {
			break
		}
		unit := m.trie[at]
		if at ^= offsetOf(unit); at >= uint32(len(m.trie)) {
			break
		}
		if unit>>8&1 == 1 {
			return m.replacement(m.trie[at] &^ (1 << 31))
		}
	}
	return "", false
}

func (m *charsmap) replacement(at uint32) (string, bool) {
	if at >= uint32(len(m.replacements)) || !utf8.RuneStart(m.replacements[at]) {
		return "", false
	}
	to, _, _ := strings.Cut(m.replacements[at:], "\x00")
	return to, true
}

// labelOf returns the byte that leads to a unit; more than a byte for a value.
func labelOf(unit uint32) uint32 { return unit & (1<<31 | 0xFF) }

// offsetOf returns the distance to a unit's children.
func offsetOf(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

package sqlite

import (
	"sync"

	"github.com/klauspost/compress/s2"
)

var dictionary = sync.OnceValue(func() *s2.Dict { return s2.MakeDict(phrases, nil) })

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

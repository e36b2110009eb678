package sqlite

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"sync"

	"github.com/klauspost/compress/s2"
)

// A message's text and raw JSON are compressed into one value, its body: raw repeats the text, and messages
// repeat each other's member names and brackets. A packed archive is a third as large as its exports; packing and
// unpacking take less time than the disk saves.
//
//	body = form text-size S2(text raw)     form packedTogether: text-size is that of the text
//	body = form text-size S2(text) S2(raw) form packedApart: text-size is that of S2(text)
//
// Sizes are unsigned varints. Blocks are compressed with a dictionary.
const (
	packedTogether byte = iota
	packedApart
)

const (
	maxJointBody = 256 << 10 // limit of packedTogether, which copies both and unpacks raw to get the text
	maxTextBytes = 1 << 30   // limits the memory that a damaged size can make Lens allocate
)

// errBody means that a body does not have the format above.
var errBody = errors.New("damaged message body")

// phrases is the dictionary of all blocks. Every stored body depends on it, so no byte of it may ever change.
//
//go:embed phrases.json
var phrases []byte

var dictionary = sync.OnceValue(func() *s2.Dict { return s2.MakeDict(phrases, nil) })

// packer packs bodies. It must stay on one goroutine.
type packer struct{ both, block []byte } // scratch

// pack returns a new body.
func (p *packer) pack(text string, raw []byte) []byte {
	if len(text)+len(raw) > maxJointBody {
		block := dictionary().Encode(nil, []byte(text))
		body := binary.AppendUvarint([]byte{packedApart}, uint64(len(block)))
		return append(append(body, block...), dictionary().Encode(nil, raw)...)
	}
	p.both = append(append(p.both[:0], text...), raw...)
	p.block = dictionary().Encode(p.block[:cap(p.block)], p.both)
	body := make([]byte, 1, 1+binary.MaxVarintLen32+len(p.block)) // packedTogether
	return append(binary.AppendUvarint(body, uint64(len(text))), p.block...)
}

// unpackText returns the text of a body. It does not retain body. Errors: errBody.
func unpackText(body []byte) (string, error) {
	form, size, blocks, err := openBody(body)
	if err != nil {
		return "", err
	}
	if form == packedApart {
		text, err := unpackBlock(blocks[:size])
		return string(text), err
	}
	both, err := unpackBlock(blocks)
	if err != nil || size > len(both) {
		return "", errBody
	}
	return string(both[:size]), nil
}

// unpack is the inverse of pack. It does not retain body. Errors: errBody.
func unpack(body []byte) (text string, raw []byte, err error) {
	form, size, blocks, err := openBody(body)
	if err != nil {
		return "", nil, err
	}
	if form == packedApart {
		if raw, err = unpackBlock(blocks[size:]); err != nil {
			return "", nil, err
		}
		text, err = unpackText(body)
		return text, raw, err
	}
	both, err := unpackBlock(blocks)
	if err != nil || size > len(both) {
		return "", nil, errBody
	}
	return string(both[:size]), both[size:], nil
}

// openBody parses the header in front of the blocks. For packedApart, size is at most len(blocks).
func openBody(body []byte) (form byte, size int, blocks []byte, err error) {
	if len(body) == 0 || body[0] > packedApart {
		return 0, 0, nil, errBody
	}
	n, width := binary.Uvarint(body[1:])
	blocks = body[1+max(width, 0):]
	if width <= 0 || n > maxTextBytes || body[0] == packedApart && n > uint64(len(blocks)) {
		return 0, 0, nil, errBody
	}
	return body[0], int(n), blocks, nil
}

func unpackBlock(block []byte) ([]byte, error) { return unpackInto(nil, block) }

// unpackInto is unpackBlock into the memory of scratch, if that is enough.
func unpackInto(scratch, block []byte) ([]byte, error) {
	if n, err := s2.DecodedLen(block); err != nil || n > maxTextBytes {
		return nil, errBody
	}
	unpacked, err := dictionary().Decode(scratch[:cap(scratch)], block)
	if err != nil {
		return nil, errBody
	}
	return unpacked, nil
}

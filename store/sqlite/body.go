package sqlite

import (
	_ "embed"
	"encoding/binary"
	"errors"

	"github.com/klauspost/compress/s2"
)

// A message's text and raw JSON are compressed into one value, its body: raw repeats the text, and messages
// repeat each other's member names and brackets. A packed archive is a third as large as its exports; packing and
// unpacking take less time than the disk saves.
//
//	body = form text-size S2(text raw)     form packedTogether: text-size is that of the text
//	body = form text-size S2(text) S2(raw) form packedApart: text-size is that of S2(text)
//	body = form text-size how {before} S2(text) S2(rest)
//
// Sizes are unsigned varints. Blocks are compressed with a dictionary, but for the text of the third form, packedOnce:
// text-size is that of S2(text), rest is raw without the text, which stands in it as JSON. how is twice the number of
// places, plus the quoting, and before the bytes of rest before each place, from the place before.
const (
	packedTogether byte = iota
	packedApart
	packedOnce
)

const (
	maxJointBody = 256 << 10 // limit of the forms that copy both
	minOnce      = 24        // bytes of text: packing a shorter one once saves nothing
	maxTextBytes = 1 << 30   // limits the memory that a damaged size can make Lens allocate
)

// packedOnceSchema is the first schema of archives whose bodies may be packedOnce.
const packedOnceSchema = 10

// errBody means that a body does not have the format above.
var errBody = errors.New("damaged message body")

// phrases is the dictionary of all blocks. Every stored body depends on it, so no byte of it may ever change.
//
//go:embed phrases.json
var phrases []byte

// packer packs bodies. It must stay on one goroutine.
type packer struct {
	both, text, rest, block []byte // scratch
	places                  []int  // likewise
}

// pack returns a new body. Lens of a schema before packedOnceSchema cannot read it: see packForAll.
func (p *packer) pack(text string, raw []byte) []byte {
	if len(text)+len(raw) > maxJointBody {
		return packApart(text, raw)
	}
	if len(text) >= minOnce {
		p.both = append(p.both[:0], text...)
		rest, places, q := cutQuoted(p.rest[:0], p.both, raw, p.places[:0])
		p.rest = rest
		if len(places) > 0 {
			p.places = places
			return p.packOnce(q)
		}
	}
	return p.packForAll(text, raw)
}

// packOnce returns the body of the text in p.both, which was at p.places, and of p.rest.
func (p *packer) packOnce(q quoting) []byte {
	p.text = s2.Encode(p.text[:cap(p.text)], p.both)
	p.block = dictionary().Encode(p.block[:cap(p.block)], p.rest)
	body := make([]byte, 1, 1+(2+maxPlaces)*binary.MaxVarintLen32+len(p.text)+len(p.block))
	body[0] = packedOnce
	body = binary.AppendUvarint(body, uint64(len(p.text)))
	body = binary.AppendUvarint(body, uint64(2*len(p.places))+uint64(q))
	for _, before := range p.places {
		body = binary.AppendUvarint(body, uint64(before))
	}
	return append(append(body, p.text...), p.block...)
}

// packForAll is pack for every Lens, and makes the same bytes as they did.
func (p *packer) packForAll(text string, raw []byte) []byte {
	if len(text)+len(raw) > maxJointBody {
		return packApart(text, raw)
	}
	p.both = append(append(p.both[:0], text...), raw...)
	p.text = dictionary().Encode(p.text[:cap(p.text)], p.both)
	return together(len(text), p.text)
}

func packApart(text string, raw []byte) []byte {
	block := dictionary().Encode(nil, []byte(text))
	body := binary.AppendUvarint([]byte{packedApart}, uint64(len(block)))
	return append(append(body, block...), dictionary().Encode(nil, raw)...)
}

func together(text int, block []byte) []byte {
	body := make([]byte, 1, 1+binary.MaxVarintLen32+len(block)) // packedTogether
	return append(binary.AppendUvarint(body, uint64(text)), block...)
}

// unpackText returns the text of a body. It does not retain body. Errors: errBody.
func unpackText(body []byte) (string, error) {
	text, err := unpackTextInto(nil, body)
	return string(text), err
}

// unpackTextInto is unpackText into the memory of scratch, if that is enough.
func unpackTextInto(scratch, body []byte) ([]byte, error) {
	b, err := openBody(body)
	if err != nil {
		return nil, err
	}
	switch b.form {
	case packedOnce:
		return unpackInto(scratch, b.blocks[:b.size], nil)
	case packedApart:
		return unpackInto(scratch, b.blocks[:b.size], dictionary())
	}
	both, err := unpackInto(scratch, b.blocks, dictionary())
	if err != nil || b.size > len(both) {
		return nil, errBody
	}
	return both[:b.size], nil
}

// unpack is the inverse of pack. It does not retain body. Errors: errBody.
func unpack(body []byte) (text string, raw []byte, err error) {
	b, err := openBody(body)
	if err != nil {
		return "", nil, err
	}
	if b.form == packedTogether {
		both, err := unpackBlock(b.blocks)
		if err != nil || b.size > len(both) {
			return "", nil, errBody
		}
		return string(both[:b.size]), both[b.size:], nil
	}
	if raw, err = unpackBlock(b.blocks[b.size:]); err != nil {
		return "", nil, err
	}
	if text, err = unpackText(body); err == nil && b.form == packedOnce {
		raw, err = b.restore(text, raw)
	}
	return text, raw, err
}

// packedBody is a body whose header was read.
type packedBody struct {
	form   byte
	size   int // of the text, or its block; then at most len(blocks)
	places []int
	quoting
	blocks []byte
}

// openBody parses the header in front of the blocks.
func openBody(body []byte) (b packedBody, err error) {
	if len(body) == 0 || body[0] > packedOnce {
		return b, errBody
	}
	b.form, body = body[0], body[1:]
	number := func() (n int) {
		v, width := binary.Uvarint(body)
		if width <= 0 || v > maxTextBytes {
			err = errBody
			return 0
		}
		body = body[width:]
		return int(v)
	}
	b.size = number()
	if b.form == packedOnce {
		how := number()
		if how/2 > maxPlaces {
			return b, errBody
		}
		b.quoting = quoting(how % 2)
		for range how / 2 {
			b.places = append(b.places, number())
		}
	}
	b.blocks = body
	if err != nil || b.form != packedTogether && b.size > len(b.blocks) {
		return b, errBody
	}
	return b, nil
}

// restore puts the text back into the rest of raw.
func (b *packedBody) restore(text string, rest []byte) ([]byte, error) {
	quoted := b.appendQuoted(nil, []byte(text))
	raw := make([]byte, 0, len(rest)+len(b.places)*len(quoted))
	for _, before := range b.places {
		if before > len(rest) {
			return nil, errBody
		}
		raw = append(append(raw, rest[:before]...), quoted...)
		rest = rest[before:]
	}
	return append(raw, rest...), nil
}

package sqlite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
)

func TestBody_RoundTrip(t *testing.T) {
	noise := make([]byte, maxJointBody)
	rand.NewChaCha8([32]byte{}).Read(noise)
	p := new(packer)
	for name, c := range map[string]struct {
		text string
		raw  []byte
	}{
		"empty":               {"", nil},
		"text alone":          {"What is a heron?", nil},
		"raw alone":           {"", []byte(`{"content": null}`)},
		"a message":           {"What is a heron?", []byte(`{"author": {"role": "user"}, "content": {"parts": ["What is a heron?"]}}`)},
		"just short":          {"heron", noise[:maxJointBody-5]},
		"just too long":       {"heron", noise[:maxJointBody-4]},
		"long and repetitive": {strings.Repeat("A wading bird. ", 100_000), []byte(strings.Repeat(`"A wading bird. "`, 100_000))},
	} {
		body := p.pack(c.text, c.raw)
		text, raw, err := unpack(body)
		if err != nil || text != c.text || !bytes.Equal(raw, c.raw) {
			t.Errorf("%s: got %d and %d bytes, %v", name, len(text), len(raw), err)
		}
		if text, err := unpackText(body); err != nil || text != c.text {
			t.Errorf("%s: the text alone has %d bytes, %v", name, len(text), err)
		}
	}
}

func TestBody_CompressionRatio(t *testing.T) {
	text := "How do I tell a heron from a crane when both are far away?"
	raw := []byte(`{"id": "aaa2e94f-053b-401a-bdf9-f64dd026e87e", "author": {"role": "user", "name": null, "metadata": {}}, "create_time": 1686318451.483391, "update_time": null, "content": {"content_type": "text", "parts": ["` + text + `"]}, "status": "finished_successfully", "end_turn": null, "weight": 1.0, "metadata": {"timestamp_": "absolute", "message_type": null}, "recipient": "all"}`)
	if size := len(new(packer).pack(text, raw)); size > (len(text)+len(raw))/3 {
		t.Errorf("%d of %d bytes", size, len(text)+len(raw))
	}
}

func TestBody_DictionaryIsUnchanged(t *testing.T) {
	sum := sha256.Sum256(phrases)
	if got := hex.EncodeToString(sum[:8]); got != "c71d31f3bbbf3626" {
		t.Errorf("phrases.json has the checksum %s: archives that were packed with another cannot be read", got)
	}
}

func FuzzUnpack(f *testing.F) {
	p := new(packer)
	f.Add(p.pack("What is a heron?", []byte(`{"parts": ["What is a heron?"]}`)))
	f.Add(p.pack(strings.Repeat("heron", maxJointBody), nil))
	f.Add([]byte{packedApart, 3, 1, 0, 'x', 1, 0, 'y'})
	f.Add([]byte{packedTogether, 0xff, 0xff, 0xff, 0xff, 0x0f, 1, 0, 'x'})
	f.Fuzz(func(t *testing.T, body []byte) {
		if promisesTooMuch(body) {
			t.Skip("allocating up to 1 GiB, which a damaged size may ask for, stalls the fuzzer")
		}
		alone, err := unpackText(body)
		text, _, errBoth := unpack(body)
		if errBoth == nil && (err != nil || text != alone) {
			t.Errorf("the text is %q with raw, %q alone (%v)", text, alone, err)
		}
	})
}

// promisesTooMuch reports whether a block of body claims to unpack to more than 16 MiB.
func promisesTooMuch(body []byte) bool {
	form, size, blocks, err := openBody(body)
	if err != nil {
		return false
	}
	parts := [][]byte{blocks}
	if form == packedApart {
		parts = [][]byte{blocks[:size], blocks[size:]}
	}
	return slices.ContainsFunc(parts, func(block []byte) bool {
		n, err := s2.DecodedLen(block)
		return err == nil && n > 16<<20
	})
}

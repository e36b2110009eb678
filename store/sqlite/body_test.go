package sqlite

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

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
		"escaped as ASCII":    {"Variërend:\n\"tot\"\t\\ 🪶 standby \x01", []byte(`{"parts": ["Vari\u00ebrend:\n\"tot\"\t\\ \ud83e\udeb6 standby \u0001"]}`)},
		"escaped as UTF-8":    {"Variërend:\n\"tot\"\t\\ 🪶 standby \x01", []byte(`{"parts":["Variërend:\n\"tot\"\t\\ 🪶 standby \u0001"]}`)},
		"both":                {"Variërend en geïnteresseerd", []byte(`{"parts":["Variërend en ge\u00efnteresseerd"]}`)},
		"in both quotings":    {"What is a heron, geïnteresseerd?", []byte(`["What is a heron, geïnteresseerd?","What is a heron, ge\u00efnteresseerd?"]`)},
		"twice":               {"What is a heron, and where?", []byte(`{"text":"What is a heron, and where?","content":[{"text":"What is a heron, and where?"}]}`)},
		"once too often":      {strings.Repeat("heron", 6), []byte(strings.Repeat("heron", 60))},
		"a part":              {"What is a heron, and where?", []byte(`{"parts": ["\n What is a heron, and where?  "]}`)},
		"a beginning":         {"What is a heron, and where?", []byte(`{"title": "What is a heron, and", "parts": ["What is a heron, and where?"]}`)},
		"not UTF-8":           {"What is a \xff heron, and where?", []byte("[\"What is a \xff heron, and where?\"]")},
		"other escapes":       {"What is a heron/crane, and where?", []byte(`["What is a heron\/crane, and where?"]`)},
		"escaped needlessly":  {"What is a heron, and <where>?", []byte(`["What is a heron, and \u003cwhere\u003e?"]`)},
		"escaped letters":     {"What is a heron or owl\x7f?", []byte(`["What is a heron \u006fr owl\u007f?"]`)},
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
		if text, raw, err := unpack(p.packForAll(c.text, c.raw)); err != nil || text != c.text || !bytes.Equal(raw, c.raw) {
			t.Errorf("%s: got %d and %d bytes of the form for all, %v", name, len(text), len(raw), err)
		}
	}
}

func TestBody_TextOnce(t *testing.T) {
	text := "Variërend: what is a \"heron\",\nand where?"
	for raw, places := range map[string]int{
		`{"parts": ["Vari\u00ebrend: what is a \"heron\",\nand where?"]}`:                               1,
		`{"parts":["Variërend: what is a \"heron\",\nand where?"]}`:                                     1,
		`["Variërend: what is a \"heron\",\nand where?","Variërend: what is a \"heron\",\nand where?"]`: 2,
		`["Variërend: what is a \"heron\", and where?"]`:                                                0,
		`["Vari\u00ebrend: what is a \"heron\",\nand wh"]`:                                              0,
	} {
		body, err := openBody(new(packer).pack(text, []byte(raw)))
		if err != nil || len(body.places) != places {
			t.Errorf("%s has the text at %d places, want %d (%v)", raw, len(body.places), places, err)
		}
	}
}

// TestBody_Older has a body that was packed before there was packedOnce.
func TestBody_Older(t *testing.T) {
	const older = "00105840576861742069732061206865726f6e3f7b4e3f021475736572227d3af30139db3e44000c225d7d7d"
	wantText, wantRaw := "What is a heron?", `{"author": {"role": "user"}, "content": {"parts": ["What is a heron?"]}}`
	body, err := hex.DecodeString(older)
	must(t, err)
	text, raw, err := unpack(body)
	if err != nil || text != wantText || string(raw) != wantRaw {
		t.Errorf("got %q and %q, %v", text, raw, err)
	}
	if got := new(packer).packForAll(wantText, []byte(wantRaw)); !bytes.Equal(got, body) {
		t.Errorf("published images would hold %x", got)
	}
}

func FuzzPack(f *testing.F) {
	f.Add("What is a heron, and where?", []byte(`{"parts": ["What is a heron, and where?"]}`), byte(0))
	f.Add("Variërend en geïnteresseerd 🪶", []byte("  "), byte(1))
	f.Add("What is a <heron>, and where?", []byte(`"`), byte(7))
	f.Fuzz(func(t *testing.T, text string, raw []byte, often byte) {
		if often > 0 { // raw has the text, and one of so many characters that need no escape has one
			var quoted []byte
			for i, r := range text {
				if i%int(often) == 1 && r >= ' ' && r < utf8.RuneSelf && shortEscapes[r] == 0 {
					quoted = appendUnit(quoted, r)
					continue
				}
				quoted = quotedASCII.appendQuoted(quoted, []byte(string(r)))
			}
			raw = slices.Concat(raw, quoted, raw)
		}
		gotText, gotRaw, err := unpack(new(packer).pack(text, raw))
		if err != nil || gotText != text || !bytes.Equal(gotRaw, raw) {
			t.Errorf("got %q and %q, %v", gotText, gotRaw, err)
		}
	})
}

func TestBody_CompressionRatio(t *testing.T) {
	text := "How do I tell a heron from a crane when both are far away?"
	raw := []byte(`{"id": "aaa2e94f-053b-401a-bdf9-f64dd026e87e", "author": {"role": "user", "name": null, "metadata": {}}, "create_time": 1686318451.483391, "update_time": null, "content": {"content_type": "text", "parts": ["` + text + `"]}, "status": "finished_successfully", "end_turn": null, "weight": 1.0, "metadata": {"timestamp_": "absolute", "message_type": null}, "recipient": "all"}`)
	if size := len(new(packer).pack(text, raw)); 100*size > 35*(len(text)+len(raw)) {
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
	b, err := openBody(body)
	if err != nil {
		return false
	}
	parts := [][]byte{b.blocks}
	if b.form != packedTogether {
		parts = [][]byte{b.blocks[:b.size], b.blocks[b.size:]}
	}
	return slices.ContainsFunc(parts, func(block []byte) bool {
		n, err := s2.DecodedLen(block)
		return err == nil && n > 16<<20
	})
}

package audit

import (
	"bytes"
	"testing"
	"time"
)

// FuzzLine: whatever parses has one spelling, and none is sealed by chance.
func FuzzLine(f *testing.F) {
	key := bytes.Repeat([]byte{1}, 32)
	good := newLine(head{}, Decision{Act: Proceed, QID: "q"}, time.Unix(0, 0))
	f.Add(good.seal(key))
	f.Add([]byte(`{"seq":1}`))
	f.Add([]byte(`{"seq":1,"seq":2,"mac":"x"}`))
	f.Add([]byte("[[[[[["))
	other := bytes.Repeat([]byte{2}, 32)
	f.Fuzz(func(t *testing.T, text []byte) {
		l, ok := parseLine(text)
		if ok && !bytes.Equal(l.text(), text) {
			t.Fatalf("%q parses, and is written %q", text, l.text())
		}
		if ok && l.isSealed(other) {
			t.Fatalf("%q is sealed by a key it never saw", text)
		}
		if r, err := check(bytes.NewReader(text), key, nil); err != nil || r.Lines > uint64(bytes.Count(text, []byte("\n"))) {
			t.Fatalf("%q: %+v, %v", text, r, err)
		}
	})
}

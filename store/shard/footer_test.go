package shard

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"testing"
)

func TestFooter(t *testing.T) {
	f := footer{vectorLength: 5000, imageStart: 8192, imageLength: 100, records: 3}
	const size = 8192 + 100 + footerBytes
	b := f.encode()
	if got, err := decodeFooter(b, size); err != nil || got != f {
		t.Errorf("got %+v, %v", got, err)
	}
	for i := range b {
		corrupted := bytes.Clone(b)
		corrupted[i] ^= 0x40
		if _, err := decodeFooter(corrupted, size); err == nil {
			t.Errorf("changed byte %d was not noticed", i)
		}
	}
	newer := bytes.Clone(b)
	binary.LittleEndian.PutUint32(newer[8:], Format+1)
	if _, err := decodeFooter(newer, size); !errors.Is(err, ErrNewer) {
		t.Errorf("got %v", err)
	}
	for _, s := range []int64{0, footerBytes, size - 1, size + 1} {
		if _, err := decodeFooter(b, s); !errors.Is(err, ErrDamaged) {
			t.Errorf("of %d bytes: %v", s, err)
		}
	}
}

func FuzzDecodeFooter(f *testing.F) {
	f.Add(footer{vectorLength: 5000, imageStart: 8192, imageLength: 100, records: 3}.encode(), int64(8192+100+footerBytes))
	f.Fuzz(func(t *testing.T, b []byte, size int64) {
		if len(b) == footerBytes { // past the checksum
			binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[16:], castagnoli))
		}
		got, err := decodeFooter(b, size)
		if err != nil {
			return
		}
		if got.vectorLength <= 0 || got.imageStart < got.vectorLength || got.imageStart+got.imageLength+footerBytes != size || got.imageLength <= 0 || !bytes.Equal(got.encode(), b) {
			t.Fatalf("%+v of %d bytes", got, size)
		}
	})
}

package vecindex

import (
	"bytes"
	"errors"
	"testing"

	"lens/store/vecindex/vectest"
)

func TestEncode_EqualsWrittenFile(t *testing.T) {
	for _, shape := range append(shapes, []struct{ dim, rows int }{{1, 0}, {1, 1}}...) {
		_, path := written(t, shape.dim, shape.rows)
		file, err := Encode(contents(vectest.New(uint64(shape.rows), shape.dim), shape.dim, shape.rows))
		must(t, err)
		if !bytes.Equal(file, readFile(t, path)) {
			t.Errorf("%v: other bytes", shape)
		}
	}
}

func TestDecode_CloseErasesMemory(t *testing.T) {
	_, path := written(t, 16, 500)
	file := readFile(t, path)
	x, err := Decode(file)
	must(t, err)
	if x.Len() != 500 {
		t.Errorf("%d rows", x.Len())
	}
	must(t, x.Close())
	if !bytes.Equal(file, make([]byte, len(file))) {
		t.Error("something of it is left in memory")
	}
	if _, err := Decode(file); !errors.Is(err, ErrDamaged) {
		t.Errorf("zeros are an index: %v", err)
	}
}

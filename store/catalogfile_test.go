package store_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/uuid"

	"lens/store"
)

// catalogOf returns a catalog of n turns, every tenth undated, in conversations of ten.
func catalogOf(n int) *store.Catalog {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	rows := make([]store.CatalogRow, n)
	var id uuid.UUID
	for i := range rows {
		for j := range id {
			id[j] = byte(r.Uint32())
		}
		rows[i] = store.CatalogRow{
			Ord: store.Ord(2*i + 1), ID: id, Conversation: uuid.UUID{byte(i / 10), byte(i / 2560)}, Position: int32(i % 10),
			Flags: store.Flag(r.IntN(4)), Length: int32(r.IntN(100)), Time: r.Int64N(1e15), Undated: i%10 == 9,
			Source: "chatgpt",
		}
	}
	return store.NewCatalog(7, rows)
}

func TestDecodeCatalog_RoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 1000} {
		c := catalogOf(n)
		got, err := store.DecodeCatalog(store.EncodeCatalog(c, 5), 5, 7)
		if err != nil {
			t.Fatal(err)
		}
		if c.Conversations == nil {
			c.Conversations, c.SourceOf = []uuid.UUID{}, []uint8{}
		}
		if !reflect.DeepEqual(got, c) {
			t.Errorf("%d turns: got %+v, want %+v", n, got, c)
		}
	}
}

func TestDecodeCatalog_DamagedBytes(t *testing.T) {
	whole := store.EncodeCatalog(catalogOf(100), 5)
	refused := func(b []byte, tag int64) bool {
		_, err := store.DecodeCatalog(b, tag, 7)
		return errors.Is(err, store.ErrDamagedCatalog)
	}
	for at := range whole {
		flipped := slices.Clone(whole)
		flipped[at] ^= 1 << (at % 8)
		if !refused(flipped, 5) || !refused(whole[:at], 5) {
			t.Fatalf("damage at byte %d was not detected", at)
		}
	}
	if !refused(append(slices.Clone(whole), 0), 5) || !refused(whole, 6) {
		t.Error("accepted an extra byte or a different tag")
	}
}

// FuzzDecodeCatalog sets a valid checksum. It skips greatest ordinals beyond a million: DecodeCatalog allocates
// that many rows, since a valid checksum promises them.
func FuzzDecodeCatalog(f *testing.F) {
	f.Add(store.EncodeCatalog(catalogOf(3), 5))
	f.Add(store.EncodeCatalog(catalogOf(0), 5))
	f.Add(withoutLastLineBreak(store.EncodeCatalog(catalogOf(3), 5)))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = slices.Clone(b)
		if len(b) >= 64 {
			binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b[16:], crc32.MakeTable(crc32.Castagnoli)))
			if binary.LittleEndian.Uint64(b[48:]) > 1<<20 {
				t.Skip()
			}
		}
		c, err := store.DecodeCatalog(b, 5, 7)
		if err != nil {
			if !errors.Is(err, store.ErrDamagedCatalog) {
				t.Error(err)
			}
			return
		}
		for i, ord := range c.Ord {
			if row, ok := c.Row(ord); !ok || c.Ord[row] != ord {
				t.Errorf("Row(%d) = %d, %v, want row %d", ord, row, ok, i)
			}
		}
		if !bytes.Equal(store.EncodeCatalog(c, 5), b) {
			t.Error("encoding the decoded catalog gives different bytes")
		}
	})
}

// withoutLastLineBreak cuts the line break off the last source of an encoded catalog.
func withoutLastLineBreak(b []byte) []byte {
	b = b[:len(b)-1]
	binary.LittleEndian.PutUint64(b[64:], binary.LittleEndian.Uint64(b[64:])-1)
	return b
}

func BenchmarkDecodeCatalog(b *testing.B) {
	encoded := store.EncodeCatalog(catalogOf(100_000), 5)
	for b.Loop() {
		if _, err := store.DecodeCatalog(encoded, 5, 7); err != nil {
			b.Fatal(err)
		}
	}
}

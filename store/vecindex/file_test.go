package vecindex

import (
	"bytes"
	"errors"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rowsOf yields the rows of an index.
func rowsOf(x *Index) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for row := range slices.Chunk(x.blocks.rows, 2*x.Dim) {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// written writes a random index and returns it with its file.
func written(tb testing.TB, dim, rows int) (*Index, string) {
	tb.Helper()
	x := randomIndex(rand.New(rand.NewPCG(uint64(dim), uint64(rows))), dim, rows)
	path := filepath.Join(tb.TempDir(), "vectors.idx")
	if err := Write(path, dim, Tag{1, -2, 3}, x.ords, rowsOf(x)); err != nil {
		tb.Fatal(err)
	}
	return x, path
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for _, shape := range []struct{ dim, rows int }{{1, 0}, {1, 1}, {7, 100}, {384, 1000}, {3072, 100}, {200_000, 3}} {
		x, path := written(t, shape.dim, shape.rows)
		got, err := Open(path)
		if err != nil {
			t.Fatalf("%v: %v", shape, err)
		}
		if got.Dim != shape.dim || got.Tag != (Tag{1, -2, 3}) || !slices.Equal(got.ords, x.ords) || !bytes.Equal(got.blocks.rows, x.blocks.rows) {
			t.Errorf("%v: another index came back", shape)
		}
		if err := got.blocks.verify(0, got.Len()); err != nil {
			t.Errorf("%v: %v", shape, err)
		}
		if err := errors.Join(got.Close(), got.Close()); err != nil {
			t.Errorf("%v: close: %v", shape, err)
		}
	}
}

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	x, path := written(t, 4, 10)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	own := errors.New("own")
	for name, rows := range map[string]iter.Seq2[[]byte, error]{
		"an error after some rows": func(yield func([]byte, error) bool) { _ = yield(make([]byte, 8), nil) && yield(nil, own) },
		"too few rows":             func(yield func([]byte, error) bool) { yield(make([]byte, 8), nil) },
		"a short row":              func(yield func([]byte, error) bool) { yield(make([]byte, 7), nil) },
		"too many rows": func(yield func([]byte, error) bool) {
			for range 11 {
				if !yield(make([]byte, 8), nil) {
					return
				}
			}
		},
	} {
		if err := Write(path, 4, Tag{}, x.ords, rows); err == nil {
			t.Errorf("%s: no error", name)
		}
		if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, before) {
			t.Errorf("%s: the old file is gone (%v)", name, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("files left: %v", left)
	}
}

func TestAMissingFileIsMissing(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// wantDamagedOrRight makes sure that a file either is found to be damaged, or gives every row as it was written.
func wantDamagedOrRight(tb testing.TB, file []byte, x *Index) (damaged bool) {
	tb.Helper()
	got, err := decode(file)
	if err != nil {
		if !errors.Is(err, ErrDamaged) {
			tb.Fatalf("got %v", err)
		}
		return true
	}
	if got.Len() != x.Len() || got.Dim != x.Dim || !slices.Equal(got.ords, x.ords) {
		tb.Fatal("another index was believed")
	}
	for i := range got.Len() {
		row, err := got.blocks.row(i)
		switch {
		case err != nil && !errors.Is(err, ErrDamaged):
			tb.Fatalf("row %d: %v", i, err)
		case err != nil:
			damaged = true
		case !bytes.Equal(row, x.blocks.rows[2*x.Dim*i:2*x.Dim*(i+1)]):
			tb.Fatalf("row %d is wrong and was believed", i)
		}
	}
	return damaged
}

func TestADamagedFileNeverGivesAWrongRow(t *testing.T) {
	x, path := written(t, 384, 1000) // three blocks
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 10))
	places := append(r.Perm(len(file))[:1500], 0, 8, 12, 16, 20, 24, 31, 32, 55, 56, 63, 64, len(file)-1)
	for _, at := range places {
		flipped := slices.Clone(file)
		flipped[at] ^= 1 << r.IntN(8)
		if !wantDamagedOrRight(t, flipped, x) {
			t.Errorf("nobody noticed a flipped bit in byte %d", at)
		}
		if at%10 == 0 && !wantDamagedOrRight(t, file[:at], x) {
			t.Errorf("nobody noticed that the file ends at byte %d", at)
		}
	}
	if wantDamagedOrRight(t, file, x) {
		t.Error("the whole file is called damaged")
	}
	if !wantDamagedOrRight(t, append(slices.Clone(file), 0), x) {
		t.Error("nobody noticed a byte too many")
	}
}

func TestASearchThatMeetsDamageSaysSo(t *testing.T) {
	_, path := written(t, 384, 1000)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file[len(file)-1] ^= 1 // in the last block
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	query := make([]float32, 384)
	query[0] = 1
	if _, err := x.Search(t.Context(), query, 0, 100, nil, 5); err != nil {
		t.Errorf("a search that does not touch the damage: %v", err)
	}
	if _, err := x.Search(t.Context(), query, 0, 1000, nil, 5); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if _, err := x.Similarity(query, 999); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	_, path := written(f, 5, 9)
	file, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add(file[:64])
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, file []byte) {
		x, err := decode(file)
		if err != nil {
			return
		}
		query := make([]float32, x.Dim)
		if _, err := x.Search(t.Context(), query, 0, x.Len(), nil, 3); err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	})
}

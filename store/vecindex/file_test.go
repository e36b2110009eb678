package vecindex

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io/fs"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lens/store"
)

func TestWrite_RoundTrip(t *testing.T) {
	for _, shape := range append(shapes, []struct{ dim, rows int }{{1, 0}, {1, 1}, {5000, 3}}...) {
		x, path := written(t, shape.dim, shape.rows)
		got, err := Open(path)
		must(t, err)
		if got.Dim != shape.dim || got.Tag != x.Tag || !slices.Equal(got.ords, x.ords) || !slices.Equal(got.keys, x.keys) {
			t.Errorf("%v: another index came back", shape)
		}
		if !bytes.Equal(got.halves.data, x.halves.data) {
			t.Errorf("%v: other halves came back", shape)
		}
		if p, q := got.plane, x.plane; p != nil {
			if !slices.Equal(p.mean, q.mean) || !slices.Equal(p.factors, q.factors) ||
				!bytes.Equal(p.rests.data, q.rests.data) || p.kind == stepsPlane && !bytes.Equal(p.codes.data, q.codes.data) {
				t.Errorf("%v: another plane came back", shape)
			}
			if p.kind.signs() {
				must(t, errors.Join(p.groups.verify(0, shape.rows), q.groups.verify(0, shape.rows)))
				if !bytes.Equal(p.groups.data, q.groups.data) {
					t.Errorf("%v: other signs came back", shape)
				}
			}
		}
		if err := errors.Join(got.Close(), got.Close()); err != nil {
			t.Errorf("%v: close: %v", shape, err)
		}
	}
}

func TestWrite_IsAtomic(t *testing.T) {
	x, path := written(t, 16, 500)
	before := readFile(t, path)
	own := errors.New("own")
	row := store.Halves(append([]float32{1}, make([]float32, 15)...))
	times := func(n int, row []byte) iter.Seq2[[]byte, error] {
		return func(yield func([]byte, error) bool) {
			for range n {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
	notUnit := func(v float32) []byte { return store.Halves(append([]float32{v}, make([]float32, 15)...)) }
	for name, c := range map[string]struct {
		rows iter.Seq2[[]byte, error]
		want error
	}{
		"an error after some rows": {func(yield func([]byte, error) bool) { _ = yield(row, nil) && yield(nil, own) }, own},
		"too few rows":             {times(499, row), errRows},
		"a short row":              {times(500, row[1:]), ErrDamaged},
		"too many rows":            {times(501, row), errRows},
		"a zero vector":            {times(500, notUnit(0)), ErrDamaged},
		"no numbers":               {times(500, notUnit(float32(math.NaN()))), ErrDamaged},
		"infinity":                 {times(500, notUnit(float32(math.Inf(1)))), ErrDamaged},
		"a vector of length 0.9":   {times(500, notUnit(0.9)), ErrDamaged},
	} {
		made := Contents{Dim: 16, Ords: x.ords, Keys: x.keys, Rows: c.rows}
		if err := Write(path, made); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v", name, err)
		}
		if _, err := New(made); !errors.Is(err, c.want) {
			t.Errorf("%s, in memory: got %v", name, err)
		}
		if !bytes.Equal(readFile(t, path), before) {
			t.Errorf("%s: the old file is gone", name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("files left: %v", left)
	}
}

func TestOpen_MissingFile(t *testing.T) {
	if _, err := Open(filepath.Join(t.TempDir(), "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestOpen_OtherFormat(t *testing.T) {
	_, path := written(t, 16, 500)
	for _, version := range []byte{1, formatVersion - 1, formatVersion + 1} {
		file := readFile(t, path)
		file[8] = version
		must(t, os.WriteFile(path, file, 0o600))
		if _, err := Open(path); !errors.Is(err, ErrDamaged) {
			t.Errorf("format %d: got %v", version, err)
		}
	}
}

// wantDamagedOrRight checks that a file is either reported as damaged or returns every row and every
// result as written.
func wantDamagedOrRight(t *testing.T, file []byte, x *Index, query []float32, wanted []store.Neighbor) (damaged bool) {
	t.Helper()
	got, err := decode(file)
	if err != nil {
		if !errors.Is(err, ErrDamaged) {
			t.Fatalf("got %v", err)
		}
		return true
	}
	if got.Len() != x.Len() || got.Dim != x.Dim || !slices.Equal(got.ords, x.ords) || !slices.Equal(got.keys, x.keys) {
		t.Fatal("another index was believed")
	}
	found, err := got.Search(t.Context(), query, RowRange{Hi: got.Len()}, len(wanted))
	switch {
	case err != nil && !errors.Is(err, ErrDamaged):
		t.Fatalf("search: %v", err)
	case err != nil:
		damaged = true
	case !slices.Equal(found, wanted):
		t.Fatal("a wrong answer was believed")
	}
	for i := range got.Len() {
		row, err := got.Halves(i)
		switch {
		case err != nil && !errors.Is(err, ErrDamaged):
			t.Fatalf("row %d: %v", i, err)
		case err != nil:
			damaged = true
		case !bytes.Equal(row, x.halves.data[2*x.Dim*i:2*x.Dim*(i+1)]):
			t.Fatalf("row %d is wrong and was believed", i)
		}
	}
	return damaged
}

func TestOpen_DamagedFileNeverGivesWrongRow(t *testing.T) {
	for _, shape := range shapes {
		x, path := written(t, shape.dim, shape.rows)
		query := make([]float32, shape.dim)
		query[shape.dim-1] = 1
		wanted, err := x.Search(t.Context(), query, RowRange{Hi: x.Len()}, 10)
		must(t, err)
		testDamage(t, readFile(t, path), x, query, wanted)
		if shape == signsShape {
			testDamage(t, published(t), x, query, wanted)
		}
	}
}

func testDamage(t *testing.T, file []byte, x *Index, query []float32, wanted []store.Neighbor) {
	t.Helper()
	wrong := func(file []byte) bool { return wantDamagedOrRight(t, file, x, query, wanted) }
	l, err := decodeLayout(file)
	must(t, err)
	filled := func(at int) bool { // nothing is read of what lies between the sections
		a := int64(at)
		return a < l.sumsEnd() || a >= l.codesAt()
	}
	r := rand.New(rand.NewPCG(9, 10))
	places := append(r.Perm(len(file))[:60], r.Perm(int(l.halvesAt()))[:60]...)
	places = append(places, 0, 8, 12, 16, 20, 24, 31, 32, 63, 64, int(l.codesAt())-1, int(l.codesAt()), int(l.restsAt()), int(l.halvesAt()), len(file)-1)
	for _, at := range places {
		flipped := slices.Clone(file)
		flipped[at] ^= 1 << r.IntN(8)
		if !wrong(flipped) && filled(at) {
			t.Errorf("%d dimensions: a flipped bit in byte %d was not detected", l.dim, at)
		}
		if !wrong(file[:at:at]) {
			t.Errorf("%d dimensions: truncation at byte %d was not detected", l.dim, at)
		}
	}
	if wrong(file) {
		t.Errorf("%d dimensions: the whole file is called damaged", l.dim)
	}
	if !wrong(append(slices.Clone(file), 0)) {
		t.Errorf("%d dimensions: an extra byte was not detected", l.dim)
	}
}

func TestSearch_ReportsDamage(t *testing.T) {
	_, path := written(t, 16, 500)
	file := readFile(t, path)
	file[len(file)-1] ^= 1 // in the last row
	must(t, os.WriteFile(path, file, 0o600))
	x, err := Open(path)
	must(t, err)
	defer x.Close()
	query := make([]float32, 16)
	query[0] = 1
	if _, err := x.Search(t.Context(), query, RowRange{Hi: 499}, 5); err != nil {
		t.Errorf("a search that does not touch the damage: %v", err)
	}
	if _, err := x.Search(t.Context(), query, RowRange{Hi: 500}, 5); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if _, err := x.Similarity(query, 499); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	_, path := written(f, 5, 9)
	file := readFile(f, path)
	f.Add(file)
	f.Add(file[:64])
	f.Add([]byte(magic))
	_, path = written(f, 1, exactLimit+1)
	f.Add(readFile(f, path))
	f.Fuzz(func(t *testing.T, file []byte) {
		x, err := decode(resealed(file))
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Error(err)
			}
			return
		}
		query := make([]float32, x.Dim)
		query[0] = 1
		if _, err := x.Search(t.Context(), query, RowRange{Hi: x.Len()}, 3); err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	})
}

// resealed returns a copy of a file in which all checksums fit, so that what lies behind them is reached.
func resealed(file []byte) []byte {
	file = slices.Clone(file)
	l, err := decodeLayout(file)
	if err != nil {
		return file
	}
	h := head{l, file[:l.sumsEnd()]}
	for i, sums := 0, h.rowSums(); i < l.rows; i++ {
		sums[i] = crc32.Checksum(file[l.halvesAt():][2*l.dim*i:][:2*l.dim], castagnoli)
	}
	codes := blocks{table: l.codes(), data: file[l.codesAt():l.restsAt()]}
	rests := blocks{table: l.rests(), data: file[l.restsAt():l.halvesAt()]}
	for _, part := range []struct {
		*blocks
		sums []uint32
	}{{&codes, h.sums()[:codes.blocks()]}, {&rests, h.sums()[codes.blocks():]}} {
		for i := range part.sums {
			part.sums[i] = crc32.Checksum(part.of(i*part.perBlock(), min((i+1)*part.perBlock(), part.rows)), castagnoli)
		}
	}
	h.writeSum()
	return file
}

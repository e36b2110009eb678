package input

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"lens/internal/errs"
	"lens/internal/testenv"
)

// packed is a zip with files, and where the data of each ends.
type packed struct {
	files []file
	bytes []byte
	ends  []int
}

// pack makes a zip of files whose sizes stand before or behind their data.
func pack(t testing.TB, method uint16, sizesBefore bool, files ...file) packed {
	t.Helper()
	var b bytes.Buffer
	p := packed{files: files}
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: method}
		if !sizesBefore {
			m, err := w.CreateHeader(h)
			testenv.Must(t, err)
			_, err = io.WriteString(m, f.data)
			testenv.Must(t, err)
			continue
		}
		data := []byte(f.data)
		if method == zip.Deflate {
			var deflated bytes.Buffer
			c, err := flate.NewWriter(&deflated, flate.BestSpeed)
			testenv.Must(t, err)
			_, err = c.Write(data)
			testenv.Must(t, errors.Join(err, c.Close()))
			data = deflated.Bytes()
		}
		h.CRC32, h.CompressedSize64, h.UncompressedSize64 = crc32.ChecksumIEEE([]byte(f.data)), uint64(len(data)), uint64(len(f.data))
		m, err := w.CreateRaw(h)
		testenv.Must(t, err)
		_, err = m.Write(data)
		testenv.Must(t, err)
	}
	testenv.Must(t, w.Close())
	p.bytes = b.Bytes()
	z, err := zip.NewReader(bytes.NewReader(p.bytes), int64(b.Len()))
	testenv.Must(t, err)
	for _, f := range z.File {
		start, err := f.DataOffset()
		testenv.Must(t, err)
		p.ends = append(p.ends, int(start)+int(f.CompressedSize64))
	}
	return p
}

// Cut anywhere, a zip gives every file that is whole, and of the next one what is there.
func TestOpen_CutZip(t *testing.T) {
	files := []file{
		{name: "user.json", data: "{}"},
		{name: "a/conversations.json", data: gpt},
		{name: "b.json", data: claudeExport},
		{name: "c.json", data: `[{"mapping":{"x":{"message":null}},"title":"` + noise(3000) + `"}]`},
		{name: "photo.png", data: noise(500)},
	}
	for name, p := range map[string]packed{
		"deflated, sizes behind": pack(t, zip.Deflate, false, files...), "deflated, sizes before": pack(t, zip.Deflate, true, files...),
		"stored, sizes before": pack(t, zip.Store, true, files...), "stored, sizes behind": pack(t, zip.Store, false, files...),
	} {
		t.Run(name, func(t *testing.T) {
			// From the end of each file on, and in the list of files.
			lengths := append([]int{p.ends[1] + 10, p.ends[2] + 60, p.ends[3] - 500, len(p.bytes) - 30}, p.ends...)
			for _, length := range lengths {
				checkCut(t, p, length)
			}
		})
	}
}

// checkCut opens the first bytes of a zip.
func checkCut(t *testing.T, p packed, length int) {
	t.Helper()
	entries, err := cutZip(t.Context(), bytes.NewReader(p.bytes[:length]), int64(length), 1<<30)
	testenv.Must(t, err)
	for i, f := range p.files {
		if p.ends[i] > length {
			if i < len(entries) && len(entries) > i+1 {
				t.Errorf("%d bytes: there is something behind %s", length, f.name)
			}
			if i < len(entries) {
				checkCutEntry(t, &entries[i], f)
			}
			return
		}
		if i >= len(entries) || entries[i].name != f.name {
			t.Fatalf("%d bytes: %s is missing", length, f.name)
		}
		got, err := read(&entries[i])
		if err != nil || got != f.data || entries[i].size != int64(len(f.data)) {
			t.Errorf("%d bytes: %s: %d bytes of %d, listed %d, %v", length, f.name, len(got), len(f.data), entries[i].size, err)
		}
	}
}

// checkCutEntry checks a file that is not whole: what is there, then an error, unless nothing tells that it is not.
func checkCutEntry(t *testing.T, e *entry, f file) {
	t.Helper()
	got, err := read(e)
	if e.name != f.name || !strings.HasPrefix(f.data, got) || err == nil && e.zipped.Flags&hasDescriptor == 0 {
		t.Errorf("%s: %q, %v", e.name, got, err)
	}
}

func read(e *entry) (string, error) {
	r, err := e.open()
	if err != nil {
		return "", err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	return string(data), err
}

func TestOpen_CutZipSaysSo(t *testing.T) {
	p := pack(t, zip.Deflate, false, file{name: "conversations-000.json", data: gpt}, file{name: "conversations-001.json", data: claudeExport}, file{name: "x.png"})
	a, err := Open(t.Context(), writeFile(t, "e.zip", string(p.bytes[:p.ends[1]+5])), "")
	testenv.Must(t, err)
	defer a.Close()
	if len(a.Files) != 2 || len(a.Broken) != 1 || a.Broken[0].Name != "e.zip" || !errors.Is(a.Broken[0].Err, ErrCutZip) {
		t.Errorf("files %v, broken %v", a.Files, a.Broken)
	}
	inner := pack(t, zip.Store, true, file{name: "i.zip", data: zipped(t, file{name: "conversations.json", data: gpt})}, file{name: "x.png", data: noise(100)})
	b, err := Open(t.Context(), writeFile(t, "e.zip", string(inner.bytes[:inner.ends[0]+40])), "")
	testenv.Must(t, err)
	defer b.Close()
	if len(b.Files) != 1 || b.Files[0].Name != "e.zip/i.zip/conversations.json" || len(b.Broken) != 1 {
		t.Errorf("a zip in it: files %v, broken %v", b.Files, b.Broken)
	}
}

func TestOpen_CutZipErrors(t *testing.T) {
	small := limits{ratio: 200, floor: 1 << 20, total: 8 << 20}
	lock := func(h *zip.FileHeader) { h.Flags |= encrypted }
	cut := func(files ...file) string {
		whole := zipped(t, append(files, file{name: "x.png", data: noise(1000)})...)
		return writeFile(t, "e.zip", whole[:len(whole)-900])
	}
	for name, c := range map[string]struct {
		path    string
		code    errs.Code
		message string
	}{
		"a bomb":         {cut(file{name: "conversations.json", data: strings.Repeat(" ", 4<<20)}), errs.TooLarge, "bomb"},
		"encrypted":      {cut(file{name: "conversations.json", data: gpt, change: lock}), errs.Invalid, "conversations.json in the zip is encrypted"},
		"pictures alone": {cut(file{name: "a.png", data: "x"}), errs.Invalid, "incomplete or damaged"},
		"a wrong sum": {
			writeFile(t, "e.zip", wrongSum(pack(t, zip.Store, true, file{name: "conversations.json", data: gpt}))), errs.Invalid, "a file in the zip is damaged",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := openError(t, c.path, small); got.Code != c.code || !strings.Contains(got.Message, c.message) {
				t.Errorf("got %s, %v", got.Code, got)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := pack(t, zip.Deflate, false, file{name: "a.json", data: gpt})
	if _, err := cutZip(ctx, bytes.NewReader(p.bytes), int64(p.ends[0]), 1<<30); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// wrongSum cuts a zip behind its only file, in which one bit is wrong.
func wrongSum(p packed) string {
	p.bytes[p.ends[0]-2] ^= 1
	return string(p.bytes[:p.ends[0]])
}

// A header may have no checksum and a size that is too small.
func TestCutZip_LongerThanItsHeaderSays(t *testing.T) {
	p := pack(t, zip.Deflate, true, file{name: "a.json", data: gpt})
	clear(p.bytes[14:18])
	p.bytes[22]--
	entries, err := cutZip(t.Context(), bytes.NewReader(p.bytes), int64(p.ends[0]), 1<<30)
	testenv.Must(t, err)
	if _, err := read(&entries[0]); !errors.Is(err, zip.ErrChecksum) {
		t.Errorf("got %v", err)
	}
}

// Damage in the middle costs what it hits.
func TestCutZip_GoesOnBehindDamage(t *testing.T) {
	p := pack(t, zip.Deflate, false, file{name: "a.json", data: gpt}, file{name: "b.json", data: noise(2000)}, file{name: "c.json", data: claudeExport})
	for i := p.ends[0] + 100; i < p.ends[0]+140; i++ {
		p.bytes[i] = 0xff
	}
	entries, err := cutZip(t.Context(), bytes.NewReader(p.bytes), int64(p.ends[2]), 1<<30)
	testenv.Must(t, err)
	var names []string
	for i := range entries {
		names = append(names, entries[i].name)
	}
	if got, err := read(&entries[len(entries)-1]); fmt.Sprint(names) != "[a.json b.json c.json]" || got != claudeExport || err != nil {
		t.Errorf("got %v, %q, %v", names, got, err)
	}
}

func FuzzCutZip(f *testing.F) {
	for _, p := range []packed{
		pack(f, zip.Deflate, false, file{name: "a.json", data: gpt}, file{name: "b/", data: ""}),
		pack(f, zip.Store, true, file{name: "a.json", data: gpt}), pack(f, zip.Store, false, file{name: "a.json", data: "x"}),
	} {
		f.Add(p.bytes, len(p.bytes)-10)
		f.Add(p.bytes, p.ends[0]-3)
	}
	f.Fuzz(func(t *testing.T, data []byte, length int) {
		data = data[:max(0, min(length, len(data)))]
		entries, err := cutZip(t.Context(), bytes.NewReader(data), int64(len(data)), 1<<20)
		if err != nil && !errors.Is(err, errBomb) {
			t.Fatal(err)
		}
		for i := range entries {
			if name := entries[i].name; entries[i].size < 0 || name == ".." || strings.HasPrefix(name, "../") {
				t.Errorf("%q of %d bytes", entries[i].name, entries[i].size)
			}
			r, err := entries[i].open()
			if err != nil {
				continue
			}
			if n, err := io.Copy(io.Discard, io.LimitReader(r, 1<<20)); err == nil && n > entries[i].size && n < 1<<20 {
				t.Errorf("%q: %d bytes, listed %d", entries[i].name, n, entries[i].size)
			}
		}
	})
}

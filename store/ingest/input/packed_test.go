package input

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"

	"lens/internal/errs"
	"lens/internal/testenv"
)

func gzipped(t testing.TB, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, data)
	testenv.Must(t, err)
	testenv.Must(t, w.Close())
	return b.String()
}

func zstdOf(t testing.TB, data string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	testenv.Must(t, err)
	return string(w.EncodeAll([]byte(data), nil))
}

func tarred(t testing.TB, files ...file) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		testenv.Must(t, w.WriteHeader(&tar.Header{Name: f.name, Size: int64(len(f.data)), Mode: 0o600}))
		_, err := io.WriteString(w, f.data)
		testenv.Must(t, err)
	}
	testenv.Must(t, w.Close())
	return b.String()
}

func utf16(t testing.TB, order unicode.Endianness, mark unicode.BOMPolicy, data string) string {
	t.Helper()
	text, err := unicode.UTF16(order, mark).NewEncoder().String(data)
	testenv.Must(t, err)
	return text
}

func TestOpen_Packed(t *testing.T) {
	export := file{name: "x/conversations.json", data: gpt}
	for name, c := range map[string]struct{ path, want string }{
		"gzip":                 {writeFile(t, "old.json.gz", gzipped(t, gpt)), "old.json=chatgpt"},
		"gzip by another name": {writeFile(t, "old.json", gzipped(t, claudeExport)), "old.json=claude"},
		"zstd":                 {writeFile(t, "old.json.zst", zstdOf(t, gpt)), "old.json=chatgpt"},
		"both":                 {writeFile(t, "old.json.zst.gz", gzipped(t, zstdOf(t, gpt))), "old.json=chatgpt"},
		"tar":                  {writeFile(t, "e.tar", tarred(t, file{name: "a.png"}, export)), "e.tar/x/conversations.json=chatgpt"},
		"tar, compressed":      {writeFile(t, "e.tgz", gzipped(t, tarred(t, export))), "e.tgz/x/conversations.json=chatgpt"},
		"a zip in a tar":       {writeFile(t, "e.tar.zst", zstdOf(t, tarred(t, file{name: "e.zip", data: zipped(t, export)}))), "e.tar/e.zip/x/conversations.json=chatgpt"},
		"in a folder": {
			writeFiles(t, file{name: "a.json.gz", data: gzipped(t, gpt)}, file{name: "b.tar", data: tarred(t, export)}, file{name: "c.txt.gz", data: gzipped(t, gpt)}),
			"a.json=chatgpt b.tar/x/conversations.json=chatgpt",
		},
		"zips in tars, in a folder": {
			writeFiles(t,
				file{name: "a.zip", data: zipped(t, export)},
				file{name: "b.tar", data: tarred(t, file{name: "1.zip", data: zipped(t, export)}, file{name: "2.zip", data: zipped(t, export)})},
				file{name: "c.tar", data: tarred(t, export, file{name: "other.zip", data: zipped(t, export)})}),
			"a.zip/x/conversations.json=chatgpt b.tar/1.zip/x/conversations.json=chatgpt b.tar/2.zip/x/conversations.json=chatgpt " +
				"c.tar/x/conversations.json=chatgpt",
		},
		"UTF-16":                      {writeFile(t, "a.json", utf16(t, unicode.LittleEndian, unicode.UseBOM, gpt)), "a.json=chatgpt"},
		"UTF-16 without a mark":       {writeFile(t, "a.json", utf16(t, unicode.BigEndian, unicode.IgnoreBOM, gpt)), "a.json=chatgpt"},
		"UTF-16 in a zip":             {writeFile(t, "e.zip", zipped(t, file{name: "conversations.json", data: utf16(t, unicode.BigEndian, unicode.UseBOM, claudeExport)})), "e.zip/conversations.json=claude"},
		"UTF-16 in gzip, in a folder": {writeFiles(t, file{name: "a.json.gz", data: gzipped(t, utf16(t, unicode.LittleEndian, unicode.UseBOM, gpt))}), "a.json=chatgpt"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := listFiles(t, c.path); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestOpen_PackedErrors(t *testing.T) {
	small := limits{ratio: 200, floor: 1 << 20, total: 8 << 20}
	whole := gzipped(t, gpt)
	for name, c := range map[string]struct {
		path    string
		code    errs.Code
		message string
	}{
		"cut gzip":     {writeFile(t, "a.json.gz", whole[:len(whole)-9]), errs.Invalid, "incomplete or damaged"},
		"only a head":  {writeFile(t, "a.json.gz", "\x1f\x8b"), errs.Invalid, "incomplete or damaged"},
		"cut zstd":     {writeFile(t, "a.json.zst", zstdOf(t, gpt)[:20]), errs.Invalid, "incomplete or damaged"},
		"a bomb":       {writeFile(t, "a.json.gz", gzipped(t, strings.Repeat(" ", 4<<20))), errs.TooLarge, "bomb"},
		"a zstd bomb":  {writeFile(t, "a.json.zst", zstdOf(t, strings.Repeat(" ", 4<<20))), errs.TooLarge, "bomb"},
		"a cut tar":    {writeFile(t, "a.tar", tarred(t, file{name: "a.json", data: gpt})[:520]), errs.Invalid, "incomplete or damaged"},
		"only a photo": {writeFile(t, "a.tar", tarred(t, file{name: "a.jpg", data: "x"})), errs.NotFound, "no conversations in this archive, but 1 .jpg"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := openError(t, c.path, small); got.Code != c.code || !strings.Contains(got.Message, c.message) {
				t.Errorf("got %s, %v", got.Code, got)
			}
		})
	}
}

// In a folder a packed file is taken for chats only if a plain one were.
func TestOpen_PackedInAFolderOfNotes(t *testing.T) {
	const training = `{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}`
	for name, data := range map[string]string{"train.jsonl.gz": training, "cache.json.gz": "[]"} {
		packed := file{name: name, data: gzipped(t, data)}
		if got := openError(t, writeFiles(t, packed), defaults); got.Code != errs.NotFound {
			t.Errorf("%s: got %v", name, got)
		}
		a, err := Open(t.Context(), writeFiles(t, packed, file{name: "a.json", data: gpt}), "")
		testenv.Must(t, err)
		if len(a.Files) != 1 || a.Unread.String() == "" {
			t.Errorf("%s: files %v, not read %s", name, a.Files, a.Unread.String())
		}
		testenv.Must(t, a.Close())
	}
}

func TestOpen_CutTar(t *testing.T) {
	cut := tarred(t, file{name: "a.json", data: gpt}, file{name: "b.json", data: claudeExport})[:512*3+5]
	a, err := Open(t.Context(), writeFile(t, "e.tar", cut), "")
	testenv.Must(t, err)
	defer a.Close()
	if len(a.Files) != 1 || len(a.Broken) != 1 || a.Broken[0].Name != "e.tar" || errs.CodeOf(a.Broken[0].Err) != errs.Invalid {
		t.Errorf("files %v, broken %v", a.Files, a.Broken)
	}
}

// A compressed archive whose last bytes are wrong may be whole, but nothing says so.
func TestOpen_DamagedPackedArchive(t *testing.T) {
	export := file{name: "conversations.json", data: gpt}
	for name, archive := range map[string]string{"e.tar": tarred(t, export), "e.zip": zipped(t, export)} {
		packed := gzipped(t, archive)
		got := opened(t, writeFile(t, name+".gz", packed[:len(packed)-4]), defaults)
		if want := name + "/conversations.json, " + name + ": the compressed file is incomplete or damaged"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// What is spooled is neither readable on the disk nor left behind, and not in the folder of temporary files.
func TestOpen_SpoolsInTheGivenFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(dir, "nowhere"))
	inner := zipped(t, file{name: "conversations.json", data: gpt})
	for _, path := range []string{
		writeFile(t, "e.zip", zipped(t, file{name: "i.zip", data: inner})), writeFile(t, "e.json.gz", gzipped(t, gpt)),
	} {
		a, err := Open(t.Context(), path, dir)
		testenv.Must(t, err)
		if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
			t.Errorf("left %v, %v", left, err)
		}
		testenv.Must(t, a.Close())
	}
}

func TestSpool(t *testing.T) {
	s, err := newSpool(t.TempDir())
	testenv.Must(t, err)
	defer s.Close()
	data := []byte(noise(100_000))
	for rest := data; len(rest) > 0; {
		n := min(1+rand.IntN(5000), len(rest))
		if written, err := s.Write(rest[:n]); written != n || err != nil {
			t.Fatal(written, err)
		}
		rest = rest[n:]
	}
	testenv.Must(t, iotest.TestReader(io.NewSectionReader(s, 0, s.size), data))
	raw := make([]byte, len(data))
	if _, err := s.file.ReadAt(raw, 0); err != nil || bytes.Contains(raw, data[:8]) || bytes.Equal(raw[:16], raw[16:32]) {
		t.Errorf("the file is readable: %v", err)
	}
}

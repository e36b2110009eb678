package input

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"lukechampine.com/blake3"

	"lens/internal/testenv"
)

// A hash takes in what is read in order from the beginning on, and reads the rest itself.
func TestDiskFile_HashOfWhatIsRead(t *testing.T) {
	const piece = 256 << 10
	content := []byte(noise(3*piece + 777))
	want := blake3.Sum256(content)
	path := writeFile(t, "a.json", string(content))
	for name, pieces := range map[string][][2]int{ // from, to
		"nothing":                   {},
		"all":                       {{0, len(content)}},
		"the beginning":             {{0, 10}, {0, 5000}, {4000, 4100}, {4500, 9000}},
		"in pieces of another size": {{0, piece - 1}, {piece - 1, 2*piece + 1}, {2*piece + 1, len(content)}},
		"from the end on":           {{len(content) - 100, len(content)}, {0, 50}, {100, 200}},
	} {
		t.Run(name, func(t *testing.T) {
			d, in := watchedAt(t, path)
			for _, p := range pieces {
				read := make([]byte, p[1]-p[0])
				if _, err := in.ReadAt(read, int64(p[0])); err != nil || !bytes.Equal(read, content[p[0]:p[1]]) {
					t.Fatalf("read %v", err)
				}
			}
			for range 2 {
				if got, err := d.Hash(t.Context()); got != want || err != nil {
					t.Errorf("got %x, %v", got, err)
				}
			}
			_, err := in.ReadAt(make([]byte, 10), 0)
			testenv.Must(t, err)
		})
	}
}

func watchedAt(t *testing.T, path string) (*DiskFile, io.ReaderAt) {
	t.Helper()
	file, err := os.Open(path)
	testenv.Must(t, err)
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	testenv.Must(t, err)
	d := newDiskFile(filepath.Base(path), info, func() (io.ReadCloser, error) { return os.Open(path) })
	return d, d.watched(file)
}

// The bytes that were read are no longer its own.
func TestDiskFile_HashOfAChangedFile(t *testing.T) {
	path := writeFile(t, "a.json", "before")
	d, in := watchedAt(t, path)
	_, err := in.ReadAt(make([]byte, 6), 0)
	testenv.Must(t, err)
	testenv.Must(t, os.WriteFile(path, []byte("after it"), 0o600))
	if _, err := d.Hash(t.Context()); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
}

// changingFile changes the file at path before it is read.
type changingFile struct {
	*os.File
	path string
}

func (f changingFile) Read(p []byte) (int, error) {
	if err := os.WriteFile(f.path, []byte("more than before"), 0o600); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

// What is written while the rest is hashed was not parsed.
func TestDiskFile_HashWhileTheFileChanges(t *testing.T) {
	path := writeFile(t, "a.json", "before")
	d, in := watchedAt(t, path)
	d.open = func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		return changingFile{f, path}, err
	}
	_, err := in.ReadAt(make([]byte, 3), 0)
	testenv.Must(t, err)
	if _, err := d.Hash(t.Context()); !errors.Is(err, errChanged) {
		t.Errorf("got %v", err)
	}
}

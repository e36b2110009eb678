package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Use gets a file of a backup. What it gets may be damaged unless Read returns nil in the end.
type Use func(name string, size int64, content io.Reader) error

// Read reads the backup at path to its end, checks all of it, and calls use, unless that is nil, with each of its
// files in their order. Errors: invalid for a file that is foreign, damaged, incomplete or of a newer Lens; those of
// use and of the file system.
func Read(ctx context.Context, path string, use Use) (Head, error) {
	file, err := os.Open(path)
	if err != nil {
		return Head{}, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() {
		return Head{}, explain(path, errForeign)
	}
	head, err := read(contextReader{ctx, file}, use)
	return head, explain(path, err)
}

// read is Read for any source. Errors: errForeign, errNewer, errDamaged, those of use and of the source.
func read(source io.Reader, use Use) (Head, error) {
	counted := &countingReader{source: source}
	in := reader{tar: tar.NewReader(counted), source: counted}
	head, sums, err := in.begin()
	if err != nil {
		return head, err
	}
	for _, s := range sums {
		if err := in.part(s, use); err != nil {
			return head, err
		}
	}
	return head, in.end()
}

// reader reads a backup.
type reader struct {
	tar    *tar.Reader
	source *countingReader
}

// begin reads head and sums.
func (r *reader) begin() (head Head, sums []sum, err error) {
	text, err := r.small(headName, maxHead)
	switch {
	case r.source.err != nil:
		return head, nil, r.source.err
	case err != nil || json.Unmarshal(text, &head) != nil || head.Format != Format:
		return head, nil, errForeign
	case head.Version > Version:
		return head, nil, errNewer
	}
	list, err := r.small(sumsName, maxSums)
	if err != nil {
		return head, nil, r.damaged(err)
	}
	sums, err = parseSums(list)
	if err != nil || len(sums) == 0 || sums[0] != (sum{headName, sha256.Sum256(text)}) {
		return head, nil, errDamaged
	}
	return head, sums[1:], nil
}

// small reads a file that fits into memory.
func (r *reader) small(name string, most int64) ([]byte, error) {
	h, err := r.tar.Next()
	switch {
	case err != nil:
		return nil, err
	case h.Typeflag != tar.TypeReg || h.Name != name || h.Size > most:
		return nil, fmt.Errorf("%w: %q is not %s", errDamaged, h.Name, name)
	}
	return io.ReadAll(r.tar)
}

// part reads the file of s.
func (r *reader) part(s sum, use Use) error {
	h, err := r.tar.Next()
	switch {
	case err != nil:
		return r.damaged(err)
	case h.Typeflag != tar.TypeReg || h.Name != s.name:
		return errDamaged
	}
	hash := sha256.New()
	content := io.TeeReader(r.tar, hash)
	if use != nil {
		if err := use(h.Name, h.Size, content); err != nil {
			return errors.Join(err, r.source.err)
		}
	}
	if _, err := io.Copy(io.Discard, content); err != nil {
		return r.damaged(err)
	}
	if [sha256.Size]byte(hash.Sum(nil)) != s.hash {
		return errDamaged
	}
	return nil
}

// end checks that the archive ends here, with the two empty blocks that end a tar archive.
func (r *reader) end() error {
	const block = 512
	expected := (r.source.n+block-1)/block*block + 2*block
	if _, err := r.tar.Next(); !errors.Is(err, io.EOF) {
		return r.damaged(err)
	}
	if n, err := io.Copy(io.Discard, r.source); err != nil || n > 0 || r.source.n != expected {
		return r.damaged(err)
	}
	return nil
}

// damaged returns the error of the source, if it failed, and otherwise errDamaged.
func (r *reader) damaged(cause error) error {
	if r.source.err != nil {
		return r.source.err
	}
	return fmt.Errorf("%w: %w", errDamaged, errors.Join(cause))
}

// parseSums reads SHA256SUMS: names are valid, and each occurs once.
func parseSums(list []byte) ([]sum, error) {
	var sums []sum
	seen := map[string]bool{}
	for line := range bytes.Lines(list) {
		text, whole := strings.CutSuffix(string(line), "\n")
		hash, name, ok := strings.Cut(text, "  ")
		raw, err := hex.DecodeString(hash)
		first := len(sums) == 0 && name == headName
		if !whole || !ok || err != nil || len(raw) != sha256.Size || seen[name] || !first && !isName(name) {
			return nil, errDamaged
		}
		seen[name] = true
		sums = append(sums, sum{name, [sha256.Size]byte(raw)})
	}
	return sums, nil
}

// countingReader counts bytes, and keeps an error other than the end.
type countingReader struct {
	source io.Reader
	n      int64
	err    error
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.source.Read(p)
	c.n += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.err = err
	}
	return n, err
}

// IsBegun reports whether a file begins as a backup does, whole or not. It reads nothing from a pipe, which would lose
// it.
func IsBegun(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	first, err := tar.NewReader(file).Next()
	return err == nil && first.Name == headName
}

// Command bundle writes a zip file whose bytes depend only on its content, and prints its size. A folder is added with
// all its files.
//
//	go run ./internal/bundle function.zip bootstrap=dist/bootstrap LICENSE=LICENSE models=.cache/models
package main

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func run(args []string) (err error) {
	if len(args) < 2 {
		return errors.New("usage: bundle ZIP NAME=PATH…")
	}
	files, err := gather(args[1:])
	if err != nil {
		return err
	}
	f, err := os.Create(args[0])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	unpacked, err := write(f, files)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		fmt.Printf("%s: %.1f MB, %.1f MB unpacked\n", args[0], float64(info.Size())/1e6, float64(unpacked)/1e6)
	}
	return err
}

// file is a file to add: its name in the zip file, and its path on disk.
type file struct{ name, path string }

// gather returns the files of NAME=PATH pairs, sorted by name.
func gather(pairs []string) (files []file, err error) {
	for _, pair := range pairs {
		name, root, ok := strings.Cut(pair, "=")
		if !ok || !fs.ValidPath(name) {
			return nil, fmt.Errorf("%q is not NAME=PATH", pair)
		}
		err := filepath.WalkDir(root, func(at string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			relative, err := filepath.Rel(root, at)
			files = append(files, file{path.Join(name, filepath.ToSlash(relative)), at})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// modified is the modification time of every file: the earliest that a zip file can store.
var modified = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// write writes the zip file and returns the size of its content, in bytes.
func write(to io.Writer, files []file) (unpacked int64, err error) {
	z := zip.NewWriter(to)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, one := range files {
		n, err := add(z, one)
		if err != nil {
			return 0, err
		}
		unpacked += n
	}
	return unpacked, z.Close()
}

// add adds one file and returns its size in bytes. Of its mode only the executable bit is kept.
func add(z *zip.Writer, one file) (int64, error) {
	from, err := os.Open(one.path)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return 0, err
	}
	h := &zip.FileHeader{Name: one.name, Method: zip.Deflate, Modified: modified}
	h.SetMode(0o644)
	if info.Mode()&0o100 != 0 {
		h.SetMode(0o755)
	}
	w, err := z.CreateHeader(h)
	if err != nil {
		return 0, err
	}
	return io.Copy(w, from)
}

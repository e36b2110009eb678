package backup

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// Write writes a backup of the files of parts, in their order. It reads each of them twice: the sums come first.
func Write(ctx context.Context, w io.Writer, head Head, parts []Part) error {
	head.Format, head.Version, head.Created = Format, Version, head.Created.UTC().Truncate(time.Second)
	first, err := json.MarshalIndent(head, "", "  ")
	if err != nil {
		return err
	}
	first = append(first, '\n')
	sums := []byte(sum{headName, sha256.Sum256(first)}.line())
	hashes := make([][sha256.Size]byte, len(parts))
	for i, p := range parts {
		if hashes[i], err = hashFile(ctx, p); err != nil {
			return err
		}
		sums = append(sums, sum{p.Name, hashes[i]}.line()...)
	}
	out := tar.NewWriter(w)
	if err := addFile(out, headName, head.Created, int64(len(first)), bytes.NewReader(first)); err != nil {
		return err
	}
	if err := addFile(out, sumsName, head.Created, int64(len(sums)), bytes.NewReader(sums)); err != nil {
		return err
	}
	for i, p := range parts {
		if err := addPart(ctx, out, head.Created, p, hashes[i]); err != nil {
			return err
		}
	}
	return out.Close()
}

func hashFile(ctx context.Context, p Part) (hash [sha256.Size]byte, err error) {
	if !isName(p.Name) {
		return hash, fmt.Errorf("%q cannot be in a backup", p.Name)
	}
	file, err := os.Open(p.Path)
	if err != nil {
		return hash, err
	}
	defer file.Close()
	h := sha256.New()
	_, err = io.Copy(h, contextReader{ctx, file})
	return [sha256.Size]byte(h.Sum(nil)), err
}

// addPart writes a part, and makes sure that it has not changed since it was summed.
func addPart(ctx context.Context, out *tar.Writer, at time.Time, p Part, want [sha256.Size]byte) error {
	file, err := os.Open(p.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	h := sha256.New()
	if err := addFile(out, p.Name, at, info.Size(), io.TeeReader(contextReader{ctx, file}, h)); err != nil {
		return err
	}
	if [sha256.Size]byte(h.Sum(nil)) != want {
		return fmt.Errorf("%s changed while it was copied", p.Path)
	}
	return nil
}

func addFile(out *tar.Writer, name string, at time.Time, size int64, content io.Reader) error {
	err := out.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: size, ModTime: at})
	if err == nil {
		_, err = io.Copy(out, content)
	}
	return err
}

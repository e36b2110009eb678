package input

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// spool is a temporary copy that is written once, from the beginning, and then read at any place. Its file is encrypted
// with a key that only this process has, and on Unix it has no name: neither a crash nor a look at the disk shows what
// was in it.
type spool struct {
	file  *os.File
	block cipher.Block
	size  int64
	write cipher.Stream
}

// newSpool returns an empty spool in a folder, "" for the folder of temporary files.
func newSpool(dir string) (*spool, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(dir, "lens-*.tmp")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // on Unix the open file stays usable
	return &spool{file: file, block: block, write: keystream(block, 0)}, nil
}

// keystream returns the stream that encrypts from an offset on. The key is of one file, so the counter begins at 0.
func keystream(block cipher.Block, offset int64) cipher.Stream {
	counter := make([]byte, aes.BlockSize)
	binary.BigEndian.PutUint64(counter[8:], uint64(offset/aes.BlockSize))
	stream := cipher.NewCTR(block, counter)
	skipped := make([]byte, offset%aes.BlockSize)
	stream.XORKeyStream(skipped, skipped)
	return stream
}

// Write appends p.
func (s *spool) Write(p []byte) (int, error) {
	sealed := make([]byte, len(p))
	s.write.XORKeyStream(sealed, p)
	n, err := s.file.Write(sealed)
	s.size += int64(n)
	return n, err
}

// ReadAt implements io.ReaderAt. It may run on several goroutines.
func (s *spool) ReadAt(p []byte, offset int64) (int, error) {
	n, err := s.file.ReadAt(p, offset)
	if n > 0 {
		keystream(s.block, offset).XORKeyStream(p[:n], p[:n])
	}
	return n, err
}

// Close removes the spool, nil too.
func (s *spool) Close() error {
	if s == nil {
		return nil
	}
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		return errors.Join(err, gone)
	}
	return err
}

// spooled returns a spool with the content of r, which is closed with the export. It fails where r has more than limit
// bytes.
func (f *finder) spooled(r io.Reader, limit int64) (*spool, error) {
	s, err := spoolOf(f.ctx, f.spool, r, limit)
	if err == nil {
		f.export.closers = append(f.export.closers, s)
	}
	return s, err
}

// spoolOf returns a spool in a folder with the content of r. It fails where r has more than limit bytes.
func spoolOf(ctx context.Context, dir string, r io.Reader, limit int64) (*spool, error) {
	s, err := newSpool(dir)
	if err != nil {
		return nil, noSpace(err)
	}
	checked := &checkedReader{ctx: ctx, r: io.NopCloser(r), left: limit, tooLarge: errBomb}
	if _, err := io.Copy(s, checked); err != nil {
		return nil, errors.Join(spoolError(err), s.Close())
	}
	return s, nil
}

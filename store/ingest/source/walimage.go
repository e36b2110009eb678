package source

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// databaseMagic begins a SQLite database.
const databaseMagic = "SQLite format 3\x00"

// IsDatabase reports whether a file that begins with head is a SQLite database.
func IsDatabase(head []byte) bool { return bytes.HasPrefix(head, []byte(databaseMagic)) }

// walImage is a database as its write-ahead log leaves it: the pages of the last commit, over those of the file.
// Nothing is written, and no lock is taken. https://sqlite.org/fileformat2.html describes both files.
type walImage struct {
	main, wal io.ReaderAt
	size      int64            // bytes after the last commit
	page      int64            // bytes of a page
	frames    map[uint32]int64 // for the number of a page, where it begins in wal
}

var errNoDatabase = errors.New("not a database")

// newWALImage returns an image. wal is nil or of size 0 where there is no log. What follows the last whole commit in
// the log is left out, and so is a log that belongs to another file.
func newWALImage(main io.ReaderAt, size int64, wal io.ReaderAt, walSize int64) (*walImage, error) {
	var head [100]byte
	if _, err := main.ReadAt(head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	page := int64(binary.BigEndian.Uint16(head[16:18]))
	if page == 1 {
		page = 65536
	}
	if !IsDatabase(head[:]) || page < 512 || page&(page-1) != 0 {
		return nil, errNoDatabase
	}
	v := &walImage{main: main, wal: wal, size: size, page: page, frames: map[uint32]int64{}}
	if wal != nil && walSize > 0 {
		v.readLog(bufio.NewReaderSize(io.NewSectionReader(wal, 0, walSize), 1<<20))
	}
	return v, nil
}

const (
	logHeader   = 32
	frameHeader = 24
)

// readLog finds the frames of all whole commits.
func (v *walImage) readLog(r io.Reader) {
	header := make([]byte, logHeader)
	if _, err := io.ReadFull(r, header); err != nil || binary.BigEndian.Uint32(header)&^1 != 0x377f0682 ||
		int64(binary.BigEndian.Uint32(header[8:])) != v.page {
		return
	}
	sum := checksum{order: binary.LittleEndian}
	if header[3]&1 == 1 {
		sum.order = binary.BigEndian
	}
	if sum.add(header[:24]); !sum.is(header[24:]) {
		return
	}
	frame := make([]byte, frameHeader+v.page)
	pending := map[uint32]int64{} // since the last commit
	for at := int64(logHeader); ; at += int64(len(frame)) {
		if _, err := io.ReadFull(r, frame); err != nil || !bytes.Equal(frame[8:16], header[16:24]) {
			return
		}
		sum.add(frame[:8])
		if sum.add(frame[frameHeader:]); !sum.is(frame[16:]) {
			return
		}
		pending[binary.BigEndian.Uint32(frame)] = at + frameHeader
		pages := binary.BigEndian.Uint32(frame[4:]) // of the database after a commit; 0: there is more of it
		if pages == 0 {
			continue
		}
		for number, from := range pending {
			v.frames[number] = from
		}
		clear(pending)
		v.size = int64(pages) * v.page
	}
}

// checksum is that of a log, over all that precedes.
type checksum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

func (c *checksum) add(b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		c.s0 += c.order.Uint32(b) + c.s1
		c.s1 += c.order.Uint32(b[4:]) + c.s0
	}
}

func (c *checksum) is(b []byte) bool {
	return binary.BigEndian.Uint32(b) == c.s0 && binary.BigEndian.Uint32(b[4:]) == c.s1
}

// Size returns the size of the database.
func (v *walImage) Size() (int64, error) { return v.size, nil }

// ReadAt implements io.ReaderAt. It says of every database that it has no log.
func (v *walImage) ReadAt(p []byte, off int64) (n int, err error) {
	for len(p) > 0 {
		if off >= v.size {
			return n, io.EOF
		}
		within := off % v.page
		part := p[:min(int64(len(p)), v.page-within, v.size-off)]
		from, at := v.main, off
		if start, logged := v.frames[uint32(off/v.page)+1]; logged {
			from, at = v.wal, start+within
		}
		got, err := from.ReadAt(part, at)
		if n += got; got < len(part) {
			return n, err
		}
		p, off = p[got:], off+int64(got)
	}
	return n, nil
}

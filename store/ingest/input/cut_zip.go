package input

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"lens/internal/errs"
	"lens/store/ingest/chat"
)

// A zip lists its files at its end, so one whose download broke off has no list. Each file also has a header before its
// data: those are read instead, in order, up to the end of what is there.

// Signatures of a zip's parts.
const (
	localHeader    = "PK\x03\x04"
	centralHeader  = "PK\x01\x02"
	dataDescriptor = "PK\x07\x08"
)

const (
	localHeaderSize = 30
	hasDescriptor   = 8         // the flag of a file whose sizes stand behind its data
	maxMembers      = 1_000_000 // files that are looked for
)

// walker walks over the files of a zip without a list.
type walker struct {
	ctx   context.Context
	in    *io.SectionReader
	limit int64 // bytes that all files together may unpack to
	found []entry
}

// member is a file of a zip.
type member struct {
	zip.FileHeader
	start int64 // of its data
}

// ErrCutZip is the error of a zip that is read up to where it breaks off.
var ErrCutZip = &errs.Error{
	Code: errs.Invalid, Op: "input: open", Message: "the zip is incomplete or damaged, and was read as far as possible",
	Hint: chat.HintDownload, Err: ErrCutOff,
}

// ErrCutOff is why a file ends that a cut zip has only the beginning of.
var ErrCutOff = fmt.Errorf("cut off: %w", io.ErrUnexpectedEOF)

// isOfInner reports whether a list of files is that of a zip in the zip: what breaks off behind one ends with its list.
func isOfInner(listed []*zip.File, walked []entry) bool {
	if len(listed) == 0 {
		return false
	}
	at, err := listed[0].DataOffset()
	for i := range walked {
		data, isSection := walked[i].at.(*io.SectionReader)
		if !isSection || err != nil || !isZip(data) {
			continue
		}
		if _, start, n := data.Outer(); start <= at && at < start+n {
			return true
		}
	}
	return false
}

// cutZip returns the files of a zip without a list of them. Its error is that of the context, or errBomb.
func cutZip(ctx context.Context, r io.ReaderAt, size, limit int64) ([]entry, error) {
	w := &walker{ctx: ctx, in: io.NewSectionReader(r, 0, size), limit: limit}
	for at := int64(0); len(w.found) < maxMembers; {
		at = w.find(at)
		if ctx.Err() != nil {
			return nil, canceled(ctx)
		}
		m := w.header(at)
		if m == nil {
			break
		}
		next, err := w.measure(m)
		if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(m.Name, "/") {
			w.add(m)
		}
		at = next
	}
	return w.found, nil
}

// find returns where the next header begins, at or behind an offset: a local one, or the first of the list of files.
// Without one it is the size of the zip.
func (w *walker) find(from int64) int64 {
	const step, overlap = 64 << 10, 3
	buf := make([]byte, step+overlap)
	for from < w.in.Size() && w.ctx.Err() == nil {
		n, _ := w.in.ReadAt(buf, from)
		local, central := bytes.Index(buf[:n], []byte(localHeader)), bytes.Index(buf[:n], []byte(centralHeader))
		switch {
		case local >= 0 && central >= 0:
			return from + int64(min(local, central))
		case max(local, central) >= 0:
			return from + int64(max(local, central))
		}
		from += step
	}
	return w.in.Size()
}

// header reads a local header, nil if it is another one or cut off.
func (w *walker) header(at int64) *member {
	var head [localHeaderSize]byte
	if _, err := w.in.ReadAt(head[:], at); err != nil || string(head[:4]) != localHeader {
		return nil
	}
	le := binary.LittleEndian
	rest := make([]byte, int(le.Uint16(head[26:]))+int(le.Uint16(head[28:])))
	if _, err := w.in.ReadAt(rest, at+localHeaderSize); err != nil && len(rest) > 0 {
		return nil
	}
	m := &member{start: at + localHeaderSize + int64(len(rest))}
	m.Flags, m.Method, m.CRC32 = le.Uint16(head[6:]), le.Uint16(head[8:]), le.Uint32(head[14:])
	m.CompressedSize64, m.UncompressedSize64 = uint64(le.Uint32(head[18:])), uint64(le.Uint32(head[22:]))
	m.Name, m.Extra = string(rest[:le.Uint16(head[26:])]), rest[le.Uint16(head[26:]):]
	m.largeSizes()
	return m
}

// largeSizes reads sizes of 4 GB and more, which stand in an extra field.
func (m *member) largeSizes() {
	const tooLarge, zip64 = 1<<32 - 1, 1
	if m.CompressedSize64 != tooLarge && m.UncompressedSize64 != tooLarge {
		return
	}
	le := binary.LittleEndian
	for extra := m.Extra; len(extra) >= 4; {
		field := extra[4:]
		n := int(le.Uint16(extra[2:]))
		if n > len(field) {
			return
		}
		if le.Uint16(extra) == zip64 && n >= 16 {
			m.UncompressedSize64, m.CompressedSize64 = le.Uint64(field), le.Uint64(field[8:])
		}
		extra = field[n:]
	}
}

// measure finds out the sizes of a file, and returns where it ends. A deflated file without sizes is unpacked for that.
func (w *walker) measure(m *member) (end int64, err error) {
	left := w.in.Size() - m.start
	switch {
	case m.Flags&hasDescriptor == 0:
		if m.CompressedSize64 > uint64(left) { // it is cut off
			m.CompressedSize64 = uint64(left)
		}
		return m.start + int64(m.CompressedSize64), nil
	case m.Method == zip.Deflate && m.Flags&encrypted == 0:
		return w.inflate(m)
	}
	end = w.find(m.start)
	m.CRC32 = 0
	m.CompressedSize64 = uint64(w.withoutDescriptor(m.start, end) - m.start)
	m.UncompressedSize64 = m.CompressedSize64
	return end, nil
}

// withoutDescriptor returns the end of the data of a file. A descriptor, or its beginning, may follow before end.
func (w *walker) withoutDescriptor(start, end int64) int64 {
	const longest = 24
	tail := make([]byte, min(longest, end-start))
	if _, err := w.in.ReadAt(tail, end-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return end
	}
	if i := bytes.LastIndex(tail, []byte(dataDescriptor)); i >= 0 {
		return end - int64(len(tail)-i)
	}
	return end
}

// inflate unpacks a file to find out where it ends.
func (w *walker) inflate(m *member) (end int64, err error) {
	section := io.NewSectionReader(w.in, m.start, w.in.Size()-m.start)
	in := bufio.NewReaderSize(section, 64<<10) // which the decoder does not read beyond the end of the data
	unpacked := &checkedReader{ctx: w.ctx, r: flate.NewReader(in), left: w.limit, tooLarge: errBomb}
	sum := crc32.NewIEEE()
	n, err := io.Copy(sum, unpacked)
	if errors.Is(err, errBomb) || w.ctx.Err() != nil {
		return 0, err
	}
	w.limit -= n
	consumed, _ := section.Seek(0, io.SeekCurrent)
	consumed -= int64(in.Buffered())
	m.CompressedSize64, m.UncompressedSize64, m.CRC32 = uint64(consumed), uint64(n), sum.Sum32()
	if err != nil { // it is cut off or damaged here, which its reader will find too
		m.CompressedSize64 = uint64(section.Size())
	}
	return m.start + consumed, nil
}

// add adds a file. Its reader fails behind what is left of it.
func (w *walker) add(m *member) {
	data := io.NewSectionReader(w.in, m.start, int64(m.CompressedSize64))
	e := entry{
		name: cleanName(m.Name), size: int64(min(m.UncompressedSize64, 1<<62)), zipped: &zip.File{FileHeader: m.FileHeader},
	}
	if m.Method == zip.Store {
		e.at = data
	}
	e.open = func() (io.ReadCloser, error) {
		in := io.NewSectionReader(data, 0, data.Size())
		switch m.Method {
		case zip.Store:
			return &summed{ReadCloser: io.NopCloser(in), left: e.size, want: m.CRC32}, nil
		case zip.Deflate:
			return &summed{ReadCloser: flate.NewReader(in), left: e.size, want: m.CRC32}, nil
		}
		return nil, zip.ErrAlgorithm
	}
	w.found = append(w.found, e)
}

// summed fails at the end of a file that is shorter or longer than its header says, or whose checksum is not the one
// wanted; 0: it is unknown.
type summed struct {
	io.ReadCloser
	left      int64
	sum, want uint32
}

func (s *summed) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	s.left -= int64(n)
	s.sum = crc32.Update(s.sum, crc32.IEEETable, p[:n])
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF) && s.left > 0:
		err = ErrCutOff
	case !errors.Is(err, io.EOF):
	case s.left < 0, s.want != 0 && s.sum != s.want:
		err = zip.ErrChecksum
	}
	return n, err
}

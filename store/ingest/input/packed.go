package input

import (
	"archive/tar"
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"lens/internal/errs"
)

// A file that is compressed as a whole, and what comes from a pipe, is spooled, because a zip or tar archive in it is
// read at several places. The content tells how a file is packed, whatever it is called.

// packing is a way to compress a file.
type packing struct {
	magic  string
	suffix string // of the names of such files
	open   func(io.Reader) (io.Reader, error)
}

var packings = []packing{
	{"\x1f\x8b", ".gz", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
	{"\x28\xb5\x2f\xfd", ".zst", func(r io.Reader) (io.Reader, error) {
		// Larger windows than the limit are for archives of a disk. One goroutine: nothing must outlive the reader.
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
		return z, err
	}},
}

// unpacked is the content of a file that was perhaps compressed.
type unpacked struct {
	io.ReaderAt
	name   string // without the suffixes
	size   int64
	damage error // why the content ends there; nil: it is whole
}

// unpack unpacks a file that is compressed, up to maxNesting times. One that breaks off is unpacked up to there.
func (f *finder) unpack(name string, r io.ReaderAt, size int64) (*unpacked, error) {
	u := &unpacked{ReaderAt: r, name: name, size: size}
	for range maxNesting {
		p := packingOf(u)
		if p == nil {
			break
		}
		in, err := p.open(bufio.NewReader(io.NewSectionReader(u, 0, u.size)))
		if err != nil {
			return nil, packedError(err)
		}
		packed := &packedReader{r: in}
		s, err := f.spooled(packed, f.budget.left())
		if z, ok := in.(*zstd.Decoder); ok {
			z.Close()
		}
		if err != nil {
			return nil, err
		}
		if u.damage = cmp.Or(u.damage, packed.damage); s.size == 0 && u.damage != nil {
			return nil, u.damage
		}
		f.budget.spent += s.size
		if u.ReaderAt, u.size = s, s.size; hasSuffixFold(u.name, p.suffix) {
			u.name = u.name[:len(u.name)-len(p.suffix)]
		}
	}
	return u, nil
}

// open returns a reader, which fails at the end of content that is not whole.
func (u *unpacked) open() (io.ReadCloser, error) {
	r := section{io.NewSectionReader(u, 0, u.size)}
	if u.damage == nil {
		return r, nil
	}
	return &cutReader{r, u.damage}, nil
}

// cutReader reads what breaks off: it fails where that ends.
type cutReader struct {
	io.ReadCloser
	damage error
}

func (c *cutReader) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		err = c.damage
	}
	return n, err
}

// isPacked reports whether the name of a file in a folder says that it is a compressed or joined export.
func isPacked(name string) bool {
	base, lower := filepath.Base(name), strings.ToLower(name)
	for _, p := range packings {
		inner, packed := strings.CutSuffix(lower, p.suffix)
		if packed && (jsonFile().MatchString(inner) || strings.HasSuffix(inner, ".tar") || strings.HasSuffix(inner, ".zip")) {
			return !accountFile().MatchString(base[:len(base)-len(p.suffix)])
		}
	}
	return strings.HasSuffix(lower, ".tgz") || strings.HasSuffix(lower, ".tar")
}

func packingOf(r io.ReaderAt) *packing {
	var head [4]byte
	n, _ := r.ReadAt(head[:], 0)
	for i := range packings {
		if strings.HasPrefix(string(head[:n]), packings[i].magic) {
			return &packings[i]
		}
	}
	return nil
}

// packedReader ends where what it unpacks is damaged.
type packedReader struct {
	r      io.Reader
	damage error // with a reason and a hint; nil: none so far
}

func (p *packedReader) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		p.damage = packedError(err)
		err = io.EOF
	}
	return n, err
}

func packedError(err error) error {
	return &errs.Error{
		Code: errs.Invalid, Op: "input: unpack", Message: "the compressed file is incomplete or damaged",
		Hint: "unpack it with the program that made it, or download the export again", Err: err,
	}
}

// isTar reports whether r is a tar archive.
func isTar(r io.ReaderAt) bool {
	var mark [5]byte
	_, err := r.ReadAt(mark[:], 257)
	return err == nil && string(mark[:]) == "ustar"
}

// tar opens a tar archive, and the zips in it if it has no conversation files. One that is cut off is read up to there.
func (f *finder) tar(name string, r io.ReaderAt, size int64) error {
	damaged := len(f.export.Broken)
	entries, err := tarEntries(r, size)
	if err != nil {
		f.export.Broken = append(f.export.Broken, Broken{printable(name), packedError(err)})
	}
	before := f.claimed
	f.claimed = false
	if err := f.addEntries(name+"/", entries); err != nil {
		return err
	}
	isExport := f.claimed
	for _, e := range entries {
		if hasSuffixFold(e.name, ".zip") && !isJunk(e.name) {
			if err := f.zipInTar(name, e, isExport); err != nil {
				return err
			}
		}
	}
	f.claimed = f.claimed || before
	if broken := f.export.Broken[damaged:]; len(broken) > 0 && len(f.export.Files) == 0 {
		return withNames(broken)
	}
	return f.requireFiles("no conversations in this archive")
}

// tarEntries lists the files of a tar archive, up to an error.
func tarEntries(r io.ReaderAt, size int64) (entries []entry, err error) {
	in := io.NewSectionReader(r, 0, size)
	for files := tar.NewReader(in); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return entries, err
		}
		start, err := in.Seek(0, io.SeekCurrent)
		if err != nil {
			return entries, err
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		if header.Size > size-start {
			return entries, io.ErrUnexpectedEOF
		}
		at := io.NewSectionReader(r, start, header.Size)
		open := func() (io.ReadCloser, error) {
			return io.NopCloser(io.NewSectionReader(at, 0, at.Size())), nil
		}
		entries = append(entries, entry{name: cleanName(header.Name), size: header.Size, open: open, at: at})
	}
}

// zipInTar opens a zip in a tar archive, but not one of an export: see addZips.
func (f *finder) zipInTar(name string, e entry, ofExport bool) error {
	if ofExport || !isZip(e.at) {
		f.export.Unread.Count(e.name)
		return nil
	}
	return f.alone(name+"/"+e.name, func() error { return f.zip(name+"/"+e.name, e.at, e.size, 1) })
}

// utf8Reader returns the content of a file in UTF-8, if it begins as UTF-16 does: with a byte order mark, or with two
// characters of ASCII.
type utf8Reader struct {
	io.ReadCloser
	text io.Reader // nil: nothing is read yet
}

func (u *utf8Reader) Read(p []byte) (int, error) {
	if u.text == nil {
		u.text = fromUTF16(bufio.NewReader(u.ReadCloser))
	}
	return u.text.Read(p)
}

func fromUTF16(r *bufio.Reader) io.Reader {
	head, _ := r.Peek(4)
	var order unicode.Endianness
	switch {
	case len(head) < 2:
		return r
	case head[0] == 0xff && head[1] == 0xfe, len(head) == 4 && isASCII(head[0], head[2]) && head[1]|head[3] == 0:
		order = unicode.LittleEndian
	case head[0] == 0xfe && head[1] == 0xff, len(head) == 4 && isASCII(head[1], head[3]) && head[0]|head[2] == 0:
		order = unicode.BigEndian
	default:
		return r
	}
	return transform.NewReader(r, unicode.UTF16(order, unicode.UseBOM).NewDecoder())
}

func isASCII(a, b byte) bool { return a != 0 && b != 0 && a < 0x80 && b < 0x80 }

package input

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"strings"

	"lens/store"
)

// limits keep a hostile archive from costing more than a look at it.
type limits struct {
	ratio     int64 // a zip holds at most this many times its own size …
	floor     int64 // … or this many bytes, whichever is more
	total     int64 // and never more than this
	depth     int   // folders in a folder, zips in a zip
	plausible int64 // what the zip at hand may hold, from ratio and floor
}

// defaults: JSON of chats shrinks to a tenth, repetitive JSON to a hundredth; a bomb is a thousandth.
var defaults = limits{ratio: 200, floor: 32 << 20, total: 256 << 30, depth: 6}

const maxNesting = 3

// encrypted is the general-purpose bit that marks an encrypted file.
const encrypted = 1

// zip opens a zip that lies in r. Files are named after it.
func (f *finder) zip(name string, r io.ReaderAt, size int64, nesting int) error {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return explain(err)
	}
	entries := make([]entry, 0, len(z.File))
	for _, file := range z.File {
		if !file.Mode().IsRegular() {
			continue
		}
		entries = append(entries, entry{
			name: cleanName(file.Name), size: int64(file.UncompressedSize64), zipped: file, open: file.Open,
		})
	}
	before := len(f.export.Files)
	if err := f.addEntries(name+"/", entries); err != nil {
		return err
	}
	if len(f.export.Files) > before || nesting >= maxNesting {
		return nil
	}
	return f.zipsInZip(name, r, entries, nesting)
}

// zipsInZip opens the zips inside a zip that has no conversations of its own: the privacy portal's. A zip that has some may well
// hold other people's exports as attachments.
func (f *finder) zipsInZip(name string, r io.ReaderAt, entries []entry, nesting int) error {
	for _, e := range entries {
		if !hasSuffixFold(e.name, ".zip") || isJunk(e.name) {
			continue
		}
		inner, size, err := f.readerAt(r, e)
		if err != nil {
			return err
		}
		if !isZip(inner) {
			continue
		}
		if err := f.zip(name+"/"+e.name, inner, size, nesting+1); err != nil {
			return err
		}
	}
	return nil
}

// readerAt gives random access to an inner zip: in place when it is stored as it is, else through a temporary copy.
func (f *finder) readerAt(r io.ReaderAt, e entry) (io.ReaderAt, int64, error) {
	if err := f.admit(e); err != nil {
		return nil, 0, err
	}
	if e.zipped.Method == zip.Store {
		at, err := e.zipped.DataOffset()
		if err != nil {
			return nil, 0, explain(err)
		}
		return io.NewSectionReader(r, at, e.size), e.size, nil
	}
	whole := File{Size: e.size, open: e.open}
	in, err := whole.Open(f.ctx)
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	spool, err := newSpool()
	if err != nil {
		return nil, 0, noSpace(err)
	}
	f.export.closers = append(f.export.closers, spool)
	if size, err := io.Copy(spool, in); err != nil {
		return nil, size, spoolError(err)
	}
	return spool, e.size, nil
}

// admit refuses what is encrypted and what, together with all before it, unpacks to more than its zip can honestly hold.
func (f *finder) admit(e entry) error {
	if e.zipped == nil {
		return nil
	}
	if e.zipped.Flags&encrypted != 0 {
		return fail(store.CodeInvalid, "the zip is encrypted", "Unpack it with its password, then import the folder.")
	}
	if e.size < 0 || e.size > f.total-f.unpacked || f.unpacked+e.size > f.plausible {
		return fail(store.CodeTooLarge, "the zip would unpack to far more than chats do: it may be a zip bomb",
			"Check where it comes from. If you trust it, unpack it yourself and import the folder.")
	}
	f.unpacked += e.size
	return nil
}

// spool is a temporary file that nobody else can open and that is gone when it is closed.
type spool struct{ *os.File }

func newSpool() (*spool, error) {
	file, err := os.CreateTemp("", "lens-*.zip")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // where open files can be removed, not even a crash leaves it behind
	return &spool{file}, nil
}

func (s *spool) Close() error {
	err := s.File.Close()
	if gone := os.Remove(s.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		return errors.Join(err, gone)
	}
	return err
}

// hasSuffixFold is strings.HasSuffix for ASCII without regard to case.
func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

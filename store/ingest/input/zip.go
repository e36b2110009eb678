package input

import (
	"archive/zip"
	"errors"
	"io"
	"slices"
	"strings"
)

const maxNesting = 3 // of zips in a zip

// zip opens the zip in r. The names of its files begin with the zip's name.
func (f *finder) zip(name string, r io.ReaderAt, size int64, nesting int) error {
	entries, err := f.zipEntries(name, r, size)
	if err != nil {
		return err
	}
	before := len(f.export.Files)
	if err := f.addEntries(name+"/", entries); err != nil {
		return err
	}
	if len(f.export.Files) > before || nesting >= maxNesting {
		for _, e := range entries {
			if hasSuffixFold(e.name, ".zip") && !isJunk(e.name) {
				f.export.Unread.Count(e.name)
			}
		}
		return nil
	}
	return f.zipsInZip(name, r, entries, nesting)
}

// zipEntries lists the files of a zip. One that is cut off counts as broken, and is listed up to there.
func (f *finder) zipEntries(name string, r io.ReaderAt, size int64) ([]entry, error) {
	z, err := zip.NewReader(r, size)
	if errors.Is(err, zip.ErrInsecurePath) {
		err = nil
	}
	if errors.Is(err, zip.ErrFormat) || err == nil && !listsFirst(z, r) {
		entries, failed := cutZip(f.ctx, r, size, f.budget.left())
		switch {
		case failed != nil && (err != nil || f.ctx.Err() != nil):
			return nil, failed
		case len(entries) > 0 && (err != nil || isOfInner(z.File, entries)):
			f.export.Broken = append(f.export.Broken, Broken{printable(name), ErrCutZip})
			return entries, nil
		}
	}
	if err != nil {
		return nil, zipError(err)
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
	return entries, nil
}

// listsFirst reports whether a zip lists the file that it begins with.
func listsFirst(z *zip.Reader, r io.ReaderAt) bool {
	first := (&walker{in: io.NewSectionReader(r, 0, 1<<62)}).header(0)
	return first == nil || slices.ContainsFunc(z.File, func(file *zip.File) bool {
		at, err := file.DataOffset()
		return err == nil && at == first.start
	})
}

// zipsInZip opens the zips inside a zip that has no conversation files, such as the one of OpenAI's privacy portal. A
// zip that has some may hold other people's exports as attachments, so its zips are ignored.
func (f *finder) zipsInZip(name string, r io.ReaderAt, entries []entry, nesting int) error {
	for _, e := range entries {
		if !hasSuffixFold(e.name, ".zip") || isJunk(e.name) {
			continue
		}
		err := f.alone(name+"/"+e.name, func() error {
			inner, size, err := f.readerAt(r, e)
			if err != nil {
				return err
			}
			if !isZip(inner) {
				f.export.Unread.Count(e.name)
				return nil
			}
			return f.zip(name+"/"+e.name, inner, size, nesting+1)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// alone opens one of several files with open. One that fails counts as broken, and Files has none of its files; only a
// canceled context is an error.
func (f *finder) alone(name string, open func() error) error {
	files, missing, broken := len(f.export.Files), len(f.export.MissingParts), len(f.export.Broken)
	err := open()
	if f.ctx.Err() != nil {
		return canceled(f.ctx)
	}
	if err != nil {
		f.export.Files, f.export.MissingParts = f.export.Files[:files], f.export.MissingParts[:missing]
		f.export.Broken = append(f.export.Broken[:broken], Broken{printable(name), err})
	}
	return nil
}

// readerAt gives random access to an inner zip: in place when it is stored uncompressed, else through a temporary copy.
func (f *finder) readerAt(r io.ReaderAt, e entry) (io.ReaderAt, int64, error) {
	if err := f.budget.admit(e); err != nil {
		return nil, 0, err
	}
	if e.at != nil {
		return e.at, e.size, nil
	}
	if e.zipped.Method == zip.Store {
		at, err := e.zipped.DataOffset()
		if err != nil {
			return nil, 0, zipError(err)
		}
		return io.NewSectionReader(r, at, e.size), e.size, nil
	}
	zipped := File{Size: e.size, open: e.open}
	in, err := zipped.Open(f.ctx)
	if err != nil {
		return nil, 0, err
	}
	defer in.Close()
	spool, err := f.spooled(in, e.size)
	return spool, e.size, err
}

// hasSuffixFold is a case-insensitive strings.HasSuffix for ASCII.
func hasSuffixFold(s, suffix string) bool {
	return len(s) >= len(suffix) && strings.EqualFold(s[len(s)-len(suffix):], suffix)
}

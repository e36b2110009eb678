// Package input finds the conversation files in whatever a person has: a zip, a zip in a zip, a folder or a single JSON file.
//
// The rules are:
//
//   - Nothing is extracted. Files are read by names that are known in advance, so that what else an archive claims (paths that
//     climb out of it, links, a thousand attachments) has no effect. A zip inside a zip is read where it lies, or, where it is
//     compressed, from an unnamed temporary copy that is gone with Close.
//   - What a file is, its content says: a Claude export also calls its file conversations.json.
//   - An archive that unpacks to more than it can honestly hold is refused before it is read.
//   - Of a folder of zips, those that cannot be opened are named, and do not keep the others from being read.
package input

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"lens/store"
)

// Export is an export that has been looked through. Close it when its files have been read.
type Export struct {
	Path          string   // as given to Open
	Files         []File   // with conversations, in the order of their names; never empty
	MissingShards []string // named by the manifest, or by a gap in the numbering, and not there
	Broken        []Broken // zips of a folder that could not be opened beside others that could

	closers []io.Closer
}

// File is one JSON file with conversations.
type File struct {
	Name   string       // inside the archive, slashes between folders: "export.zip/conversations-000.json"; the base name of a single file
	Size   int64        // bytes of JSON
	Format store.Source // told from the content; ChatGPT where there is nothing to tell it from

	open func() (io.ReadCloser, error)
}

// Broken is a zip that could not be opened. Nothing of it is among the Files.
type Broken struct {
	Name string // inside the folder, slashes between folders
	Err  error  // as Open would return it for the zip alone
}

// Open looks through the zip, folder or JSON file at path. Its errors are *store.Error with a next step: CodeNotFound for
// nothing there and for nothing of use in it, CodeInvalid for damage, CodeTooLarge for a zip bomb.
func Open(ctx context.Context, path string) (*Export, error) { return open(ctx, path, defaults) }

func open(ctx context.Context, path string, lim limits) (*Export, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, pathError(err)
	}
	f := &finder{ctx: ctx, limits: lim, export: &Export{Path: path}}
	switch {
	case info.IsDir():
		err = f.folder(path)
	case info.Mode().IsRegular():
		err = f.file(path, info.Size())
	default:
		err = fail(store.CodeInvalid, "this is neither a file nor a folder", hintWhat)
	}
	if err != nil {
		_ = f.export.Close()
		return nil, err
	}
	return f.export, nil
}

// Open returns the JSON of f. Reading fails with a *store.Error when the archive is damaged, and with one that wraps ctx.Err() once
// ctx is done.
func (f *File) Open(ctx context.Context) (io.ReadCloser, error) {
	r, err := f.open()
	if err != nil {
		return nil, explain(err)
	}
	return &checkedReader{ctx: ctx, r: r, left: f.Size}, nil
}

// Close releases the archive and what it unpacked for reading.
func (a *Export) Close() error {
	var all []error
	for _, c := range a.closers {
		all = append(all, c.Close())
	}
	a.closers = nil
	return errors.Join(all...)
}

// finder is what the steps of Open share.
type finder struct {
	ctx context.Context
	limits
	export       *Export
	unpacked     int64 // bytes of everything that will be, or was, unpacked from the zip at hand
	otherService bool  // conversations of another service were seen
}

// file opens a zip or a JSON file; the first bytes tell which.
func (f *finder) file(path string, size int64) error {
	in, err := os.Open(path)
	if err != nil {
		return pathError(err)
	}
	f.export.closers = append(f.export.closers, in)
	base := filepath.Base(path)
	if isZip(in) {
		return f.outerZip(base, in, size)
	}
	if hasSuffixFold(base, ".zip") {
		return fail(store.CodeInvalid, "the file is called a zip but is none", hintDownload)
	}
	whole := File{Name: printable(base), Size: size, open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(in, 0, size)), nil
	}}
	if err := f.addFile(whole); err != nil {
		return err
	}
	return f.requireFiles("the file holds no conversations")
}

// outerZip opens a zip that a person pointed at, or that lies in a folder that they pointed at.
func (f *finder) outerZip(name string, r io.ReaderAt, size int64) error {
	f.unpacked, f.plausible = 0, max(f.floor, size*f.ratio)
	if err := f.zip(name, r, size, 0); err != nil {
		return err
	}
	return f.requireFiles("the zip holds no conversations")
}

// addFile sniffs one file and takes it in, unless it belongs to another service.
func (f *finder) addFile(file File) error {
	r, err := file.Open(f.ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	format, ours, err := sniffFile(file.Name, r)
	if err != nil {
		return err
	}
	if !ours {
		f.otherService = true
		return nil
	}
	file.Format = format
	f.export.Files = append(f.export.Files, file)
	return nil
}

// requireFiles fails when nothing was found.
func (f *finder) requireFiles(nothing string) error {
	switch {
	case len(f.export.Files) > 0:
		return nil
	case f.otherService:
		return fail(store.CodeNotFound, "its conversations are neither ChatGPT's nor Claude's nor Gemini's", "Lens reads the exports of ChatGPT, Claude and Gemini.")
	}
	return fail(store.CodeNotFound, nothing, hintWhat)
}

func isZip(r io.ReaderAt) bool {
	var head [4]byte
	_, err := r.ReadAt(head[:], 0)
	return err == nil && (string(head[:]) == "PK\x03\x04" || string(head[:]) == "PK\x05\x06")
}

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

// Archive is an export that has been looked through. Close it when its files have been read.
type Archive struct {
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
func Open(ctx context.Context, path string) (*Archive, error) { return open(ctx, path, defaults) }

func open(ctx context.Context, path string, lim limits) (*Archive, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(err)
	}
	f := &finder{ctx: ctx, limits: lim, archive: &Archive{Path: path}}
	switch {
	case info.IsDir():
		err = f.folder(path)
	case info.Mode().IsRegular():
		err = f.file(path, info.Size())
	default:
		err = fail(store.CodeInvalid, "this is neither a file nor a folder", hintWhat)
	}
	if err != nil {
		_ = f.archive.Close()
		return nil, err
	}
	return f.archive, nil
}

// Open returns the JSON of f. Reading fails with a *store.Error when the archive is damaged, and with one that wraps ctx.Err() once
// ctx is done.
func (f *File) Open(ctx context.Context) (io.ReadCloser, error) {
	r, err := f.open()
	if err != nil {
		return nil, explain(err)
	}
	return &guarded{ctx: ctx, r: r, left: f.Size}, nil
}

// Close releases the archive and what it unpacked for reading.
func (a *Archive) Close() error {
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
	archive  *Archive
	unpacked int64 // bytes of everything that will be, or was, unpacked from the zip at hand
	foreign  bool  // conversations of another service were seen
}

// file opens a zip or a JSON file; the first bytes tell which.
func (f *finder) file(path string, size int64) error {
	in, err := os.Open(path)
	if err != nil {
		return unreadable(err)
	}
	f.archive.closers = append(f.archive.closers, in)
	base := filepath.Base(path)
	if isZip(in) {
		return f.outermost(base, in, size)
	}
	if hasSuffixFold(base, ".zip") {
		return fail(store.CodeInvalid, "the file is called a zip but is none", hintDownload)
	}
	whole := File{Name: printable(base), Size: size, open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.NewSectionReader(in, 0, size)), nil
	}}
	if err := f.add(whole); err != nil {
		return err
	}
	return f.enough("the file holds no conversations")
}

// outermost opens a zip that a person pointed at, or that lies in a folder that they pointed at.
func (f *finder) outermost(name string, r io.ReaderAt, size int64) error {
	f.unpacked, f.honest = 0, max(f.floor, size*f.ratio)
	if err := f.zip(name, r, size, 0); err != nil {
		return err
	}
	return f.enough("the zip holds no conversations")
}

// add sniffs one file and takes it in, unless it belongs to another service.
func (f *finder) add(file File) error {
	r, err := file.Open(f.ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	format, ours, err := look(file.Name, r)
	if err != nil {
		return err
	}
	if !ours {
		f.foreign = true
		return nil
	}
	file.Format = format
	f.archive.Files = append(f.archive.Files, file)
	return nil
}

// enough fails when nothing was found.
func (f *finder) enough(nothing string) error {
	switch {
	case len(f.archive.Files) > 0:
		return nil
	case f.foreign:
		return fail(store.CodeNotFound, "its conversations are neither ChatGPT's nor Claude's nor Gemini's", "Lens reads the exports of ChatGPT, Claude and Gemini.")
	}
	return fail(store.CodeNotFound, nothing, hintWhat)
}

func isZip(r io.ReaderAt) bool {
	var head [4]byte
	_, err := r.ReadAt(head[:], 0)
	return err == nil && (string(head[:]) == "PK\x03\x04" || string(head[:]) == "PK\x05\x06")
}

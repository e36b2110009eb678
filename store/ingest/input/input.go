// Package input opens the files of an import: zips, zips in zips, folders, single files. Of an export it finds the
// files with conversations.
//
// The rules are:
//
//   - Nothing is unpacked into the file system. Files are read by names that are known in advance, so other entries of
//     a zip (paths that climb out of it, links, a thousand attachments) have no effect. A zip inside a zip is read in
//     place or, when it is compressed, from an unnamed and encrypted temporary copy that Close removes. So is a file
//     that is compressed as a whole, and what comes from a pipe.
//   - A file's content decides its format: ChatGPT and Claude both call their file conversations.json.
//   - A zip that unpacks to more than an export plausibly holds is refused before it is read.
//   - In a folder of zips, those that cannot be opened are reported and do not stop the others.
package input

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lens/internal/errs"
	"lens/internal/shell"
	"lens/store/ingest/chat"
	"lens/store/ingest/source"
	"lens/store/ingest/source/chatgpt"
)

// Export is an opened export. Close it when its files have been read.
type Export struct {
	Path         string   // as given to Open
	Files        []File   // with conversations, in the order of their names; never empty
	MissingParts []string // listed in the manifest, or missing from the numbering
	Broken       []Broken // zips of a folder, or files, that could not be opened while others could
	Unread       Unread   // everything else in the folder or zip

	closers []io.Closer
}

// File is one JSON file with conversations.
type File struct {
	Name   string         // with slashes: "export.zip/conversations-000.json"; the base name of a single file
	Size   int64          // in bytes, unpacked
	Format *source.Format // recognized by the content
	Piped  bool           // it came through a pipe, whose name names no session

	open       func() (io.ReadCloser, error)
	folder     *companions // nil: none are known
	disk       *DiskFile   // that it is, or is in; nil: it came through a pipe
	spool      string      // folder of copies
	isDatabase bool
}

// Broken is a zip or file that could not be opened. Files has none of its files.
type Broken struct {
	Name string // relative to the folder, with slashes
	Err  error  // as Open returns it for the zip alone
}

// Open opens the export at path: a zip, a folder, a single file, also one that is compressed, a pipe, or Stdin. Its
// errors are of type *errs.Error and have a hint: CodeNotFound when path does not exist or holds no conversations,
// CodeInvalid for damage, CodeTooLarge for a zip bomb. What has to be unpacked is kept in the folder spool, encrypted,
// until Close; "" is the folder of temporary files.
func Open(ctx context.Context, path, spool string) (*Export, error) {
	return open(ctx, path, spool, defaults)
}

// Stdin is the path of standard input.
const Stdin = "-"

func open(ctx context.Context, path, spool string, lim limits) (*Export, error) {
	f := &finder{ctx: ctx, limits: lim, spool: spool, export: &Export{Path: path}}
	info, err := os.Stdin.Stat()
	if path != Stdin {
		info, err = os.Stat(path)
	}
	if err != nil {
		return nil, pathError(err)
	}
	switch {
	case info.IsDir() && path != Stdin:
		err = f.folder(path)
	case path == Stdin && info.Mode()&fs.ModeCharDevice != 0:
		err = fail(errs.Invalid, "nothing is piped to standard input", "use, for example, lens import - < export.zip")
	case path == Stdin:
		err = f.piped(path, os.Stdin)
	case info.Mode().IsRegular():
		f.beside = logOf(ctx, path)
		f.disk = newDiskFile(filepath.Base(path), info, func() (io.ReadCloser, error) { return os.Open(path) })
		err = f.file(path, info.Size())
	case info.Mode()&fs.ModeNamedPipe != 0:
		err = f.pipe(path)
	default:
		err = fail(errs.Invalid, "not a file or folder", hintChoose)
	}
	f.endPeek()
	if err != nil {
		_ = f.export.Close()
		return nil, err
	}
	return f.export, nil
}

// Open returns a reader of f. Reading fails with a *errs.Error: when the file is damaged, and, wrapping ctx.Err(),
// when ctx is done.
func (f *File) Open(ctx context.Context) (io.ReadCloser, error) {
	r, err := f.open()
	if err != nil {
		return nil, zipError(err)
	}
	return &utf8Reader{ReadCloser: &checkedReader{ctx: ctx, r: r, left: f.Size}}, nil
}

// Close closes the files of the export and removes temporary copies.
func (e *Export) Close() error {
	var all []error
	for _, c := range e.closers {
		all = append(all, c.Close())
	}
	e.closers = nil
	return errors.Join(all...)
}

// AmongNotes returns the names of the files if they are chats that a person keeps among the notes of a folder, which is
// no export then; nil if it is one.
func (e *Export) AmongNotes() map[string]bool {
	names := map[string]bool{}
	for i := range e.Files {
		f := &e.Files[i]
		if !f.Format.Note || f.disk == nil || printable(f.disk.Name) != f.Name {
			return nil
		}
		names[f.disk.Name] = true
	}
	return names
}

// finder collects the files of an export: the state that the steps of Open share.
type finder struct {
	ctx context.Context
	limits
	spool       string // folder of spools
	export      *Export
	budget      budget           // of the file of the path that is being opened
	claimed     bool             // a file has the name of one with conversations
	throughPipe bool             // path is a pipe
	beside      *companions      // of a single file; nil: none
	disk        *DiskFile        // that is being opened; nil: a pipe, or a folder
	peeked      *source.Database // by the last sample; nil: it was none
	generic     string           // the first file of a folder that counts as chats only if the user names it
	other       string           // what the first file is that should have conversations and does not match any format
}

// file opens a zip or a JSON file; the first bytes tell which.
func (f *finder) file(path string, size int64) error {
	in, err := os.Open(path)
	if err != nil {
		return pathError(err)
	}
	f.export.closers = append(f.export.closers, in)
	base := filepath.Base(path)
	return f.content(base, f.disk.watched(in), size, true)
}

// pipe opens what comes through a named pipe or from a device.
func (f *finder) pipe(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return pathError(err)
	}
	defer in.Close()
	return f.piped(filepath.Base(path), in)
}

// piped opens what can only be read once.
func (f *finder) piped(name string, in io.Reader) error {
	s, err := f.spooled(in, f.total)
	if err != nil {
		return err
	}
	f.throughPipe = true
	return f.content(name, s, s.size, true)
}

// content opens a zip, a tar archive or a JSON file, which may be compressed. The user named it, or a folder has it.
func (f *finder) content(base string, in io.ReaderAt, size int64, named bool) error {
	f.budget = budget{most: min(f.total, max(f.floor, size*f.ratio))}
	u, err := f.unpack(base, in, size)
	switch {
	case err != nil:
		return err
	case isZip(u):
		return f.archive(u, f.outerZip)
	case isTar(u):
		return f.archive(u, f.tar)
	}
	if hasSuffixFold(u.name, ".zip") {
		if u.size == 0 {
			return fail(errs.Invalid, "the file is empty", chat.HintDownload)
		}
		return fail(errs.Invalid, "not a zip archive", chat.HintDownload)
	}
	single := File{Name: printable(u.name), Size: u.size, Piped: f.throughPipe, folder: f.beside, spool: f.spool}
	single.disk, single.open = f.disk, u.open
	if !named && !f.hasChats(single, func(string) bool { return false }) {
		return nil
	}
	if err := f.addFile(single, named); err != nil {
		return err
	}
	return f.requireFiles("no conversations in this file")
}

// archive opens an archive with open, and says that its compressed file is damaged if nothing in it does.
func (f *finder) archive(u *unpacked, open func(name string, r io.ReaderAt, size int64) error) error {
	broken := len(f.export.Broken)
	err := open(u.name, u, u.size)
	if err == nil && u.damage != nil && len(f.export.Broken) == broken {
		f.export.Broken = append(f.export.Broken, Broken{printable(u.name), u.damage})
	}
	return err
}

// outerZip opens a zip that is not inside another zip.
func (f *finder) outerZip(name string, r io.ReaderAt, size int64) error {
	before := len(f.export.Broken)
	if err := f.zip(name, r, size, 0); err != nil {
		return err
	}
	if broken := f.export.Broken[before:]; len(broken) > 0 && len(f.export.Files) == 0 {
		return withNames(broken)
	}
	return f.requireFiles("no conversations in this zip")
}

// addFile adds a file that should have conversations: the user or an export says so. JSON that is damaged, or has
// nothing to go by, counts as ChatGPT's, whose parser reports the problem.
func (f *finder) addFile(file File, named bool) error {
	s, format, err := f.look(file, named)
	if err != nil && format == nil { // else its parser reads what is before the damage
		return err
	}
	file.Format, file.spool, file.isDatabase = format, f.spool, s.Database != nil
	if file.Format == nil && (chatgpt.Resembles(s) || isUndecided(s)) {
		file.Format = &chatgpt.Format
	}
	if file.Format != nil {
		f.export.Files = append(f.export.Files, file)
		return nil
	}
	f.other = cmp.Or(f.other, describe(s))
	f.export.Unread.Count(file.Name)
	return nil
}

// isUndecided reports whether a file has nothing to go by, but is JSON, or is called so.
func isUndecided(s *source.Sample) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(s.Head, []byte("\xEF\xBB\xBF")))
	if len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		return s.Damaged || len(s.Records()) == 0
	}
	return jsonFile().MatchString(s.Name) || len(text) == 0 && !hasSuffixFold(s.Name, ".html")
}

// describe says what a file is that no format matches.
func describe(s *source.Sample) string {
	const shown, longest = 4, 30
	if s.Database != nil {
		tables := slices.Sorted(maps.Keys(s.Database.Tables()))
		return "unsupported database: SQLite with " + printable(strings.Join(tables[:min(len(tables), shown)], ", "))
	}
	for _, record := range s.Records() {
		var names []string
		for _, name := range record.Names() {
			if len(names) < shown && len(name) <= longest {
				names = append(names, `"`+printable(name)+`"`)
			}
		}
		switch len(names) {
		case 0:
		case 1:
			return "unsupported export format: JSON with the key " + names[0]
		default:
			return "unsupported export format: JSON with the keys " + strings.Join(names, ", ")
		}
	}
	switch kind := kindOf(s.Name); {
	case len(s.Values) > 0, kind == ".html":
		return "unsupported export format"
	case kind != NoKind:
		return "Lens does not read " + kind + " files"
	}
	return "not a file of a kind that Lens reads"
}

// IsChat reports whether the file at path, which the user named, is for Open whatever its name says: a file with
// conversations, or a database. Errors: as those of Open.
func IsChat(ctx context.Context, path, spool string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, pathError(err)
	}
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	f := &finder{ctx: ctx, spool: spool, beside: logOf(ctx, path)}
	defer f.endPeek()
	s, format, err := f.look(File{Name: filepath.Base(path), Size: info.Size(), folder: f.beside, open: open}, true)
	if s != nil && source.IsDatabase(s.Head) {
		return true, nil // one that is damaged, too: Open says so
	}
	return format != nil, err
}

// look returns the beginning of a file and its format, nil for none: what every decision about a file goes by. The
// sample of a database is valid until the next look; it is nil for a file that cannot be opened. named: the user named
// the file.
func (f *finder) look(file File, named bool) (s *source.Sample, format *source.Format, err error) {
	if s, err = f.sample(file); s != nil {
		format = formatOf(s, named)
	}
	return s, format, err
}

// mayHaveChats reports whether a file begins as JSON or a database does, or is a chat as text, whatever its name says:
// most files of a folder need no closer look than this.
func (f *finder) mayHaveChats(file File) bool {
	r, err := file.Open(f.ctx)
	if err != nil {
		return false
	}
	defer r.Close()
	head := make([]byte, 8<<10) // source.Format.Mark
	n, _ := io.ReadFull(r, head)
	head = head[:n]
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n")
	if source.IsDatabase(head) || len(text) > 0 && (text[0] == '{' || text[0] == '[') {
		return true
	}
	marked := func(f *source.Format) bool { return f.Mark != "" && bytes.Contains(head, []byte(f.Mark)) }
	if !slices.ContainsFunc(formats, marked) {
		return false
	}
	_, format, err := f.look(file, false)
	return err == nil && format != nil
}

// hasChats reports whether a file that nothing is known of has conversations that no file beside it has, too. One that
// cannot be read so far as to tell counts as broken, one that may not be opened as closed.
func (f *finder) hasChats(file File, beside func(base string) bool) bool {
	s, format, err := f.look(file, false)
	switch {
	case errs.CodeOf(err) == errs.Blocked:
		f.export.Unread.Closed = append(f.export.Unread.Closed, file.Name)
		return false
	case errors.Is(err, fs.ErrNotExist): // gone since it was listed
		return false
	case format == nil && err != nil:
		f.export.Broken = append(f.export.Broken, Broken{file.Name, err})
		return false
	case format == nil && isDamagedExport(s):
		return true
	case format == nil:
		if f.generic == "" && file.disk != nil && file.disk.Name == file.Name && formatOf(s, true) != nil {
			f.generic = file.Name
		}
		f.export.Unread.Count(file.Name)
		return false
	}
	return format.Unless == "" || !beside(format.Unless)
}

// isDamagedExport reports whether a file that no format matches is empty or breaks off, and is called as exports are,
// or begins as one does.
func isDamagedExport(s *source.Sample) bool {
	if len(bytes.TrimSpace(s.Head)) > 0 && !s.Damaged {
		return false
	}
	return chatgpt.Resembles(s) || jsonFile().MatchString(s.Name) && isDownload(s.Name)
}

// sample returns the beginning of a file. Of a database it is valid until the next sample.
func (f *finder) sample(file File) (*source.Sample, error) {
	f.endPeek()
	r, err := file.Open(f.ctx)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	s, err := source.NewSample(file.Name, file.Size, r)
	if err == nil && source.IsDatabase(s.Head) {
		f.peeked, err = f.peek(file)
		s.Database = f.peeked
	}
	return s, err
}

func (f *finder) endPeek() {
	if f.peeked != nil {
		_ = f.peeked.Close()
	}
	f.peeked = nil
}

// section is a part of a file that something else closes.
type section struct{ *io.SectionReader }

func (section) Close() error { return nil }

// requireFiles fails with message, and with what there is instead, when no file was found.
func (f *finder) requireFiles(message string) error {
	switch seen := f.export.Unread.String(); {
	case len(f.export.Files) > 0:
		return nil
	case f.other != "":
		return fail(errs.NotFound, f.other, hintReads)
	case seen == "":
		return fail(errs.NotFound, message, hintChoose)
	default:
		hint := hintReads
		if f.generic != "" {
			at := filepath.Join(f.export.Path, f.generic)
			hint = "name " + f.generic + " itself if it has chats: lens import " + shell.Quote(at)
		}
		return &errs.Error{
			Code: errs.NotFound, Op: "input: open", Message: message + ", but " + seen, Hint: hint,
			Err: &passedOver{f.export.Unread},
		}
	}
}

// passedOver is what there is instead of conversations.
type passedOver struct{ Unread }

func (p *passedOver) Error() string { return p.String() }

// UnreadOf returns what an error of Open says there is instead of conversations; nil: it says nothing of that.
func UnreadOf(err error) *Unread {
	var p *passedOver
	if !errors.As(err, &p) {
		return nil
	}
	return &p.Unread
}

func isZip(r io.ReaderAt) bool {
	var head [4]byte
	_, err := r.ReadAt(head[:], 0)
	return err == nil && (string(head[:]) == "PK\x03\x04" || string(head[:]) == "PK\x05\x06")
}

package ingest

import (
	"context"
	"errors"
	"io"
	"iter"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/internal/shell"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/documents"
	"lens/store/ingest/input"
	"lens/store/ingest/source"
)

// inputFiles are all files that an import reads, in the order of the paths.
type inputFiles struct {
	paths   []inputPath
	files   []inputFile
	closers []io.Closer
	known   *known             // nil: all files are read
	seen    map[uuid.UUID]bool // conversations of the files so far
	counted tally              // of imports before this one; nil: none
	refresh bool               // of paths that were imported before
	began   time.Time          // before any file was found
	total   int64              // bytes of all files
	read    atomic.Int64       // of them; parsers read on goroutines of their own
}

// inputPath is a path as the user named it.
type inputPath struct {
	path     string
	root     string // absolute; "": it cannot be read again
	isFolder bool
	settings string // with which it is read
	unread   input.Unread
	missing  []string       // parts that an export should contain and does not
	covered  []store.Source // of the files that are left out, because a folder of another path has them
	isExport bool           // a folder with an export, which is not read as documents
	broken   []broken       // they do not stop the other paths
}

// broken is why a path, or a file in it, could not be read.
type broken struct {
	path string // of which
	err  error

	cutZip bool // a zip that was read up to where it is cut off
}

func (p *inputPath) addBroken(path string, err error) {
	p.broken = append(p.broken, broken{path: path, err: err})
}

// failure returns the first reason why a path, or a part of it, could not be read, "" for none.
func (p *inputPath) failure() string {
	reasons := p.reasons()
	if len(reasons) == 0 {
		return ""
	}
	return errs.First(reasons[0].err).Message
}

// inputFile is one file with conversations, or a folder of documents.
type inputFile struct {
	of     int    // index into inputFiles.paths
	path   string // as shown to the user
	at     string // absolute, perhaps inside a zip; "": it came through a pipe, or is a folder
	format store.Source
	name   string  // of the format, as people know it: "DeepSeek"
	count  int     // of the files that it stands for: a folder of documents has many
	size   int64   // of them, in bytes
	origin *origin // nil: it is not remembered

	// entries reads them; the archive may be nil.
	entries func(context.Context, store.Reader) iter.Seq2[*chat.Parsed, error]

	documents func() []string // the absolute paths of its documents; nil: it has none
}

// places returns the absolute paths of what it has, none for what came through a pipe.
func (f *inputFile) places() []string {
	switch {
	case f.documents != nil:
		return f.documents()
	case f.at != "":
		return []string{f.at}
	}
	return nil
}

// openInputFiles opens all paths. One that cannot be opened does not keep the others out; only ctx stops it.
func openInputFiles(ctx context.Context, paths []string, opts Options) (*inputFiles, error) {
	in := &inputFiles{counted: opts.counted, refresh: opts.refresh, began: time.Now()}
	for i, path := range paths {
		opts := opts
		opts.Tools = opts.Tools || opts.toolsOf[rootOf(path)]
		in.paths = append(in.paths, inputPath{path: path, isFolder: isFolder(path), settings: opts.settings()})
		if !opts.Once {
			in.paths[i].root = rootOf(path)
		}
		err := in.openPath(ctx, path, opts)
		if ctx.Err() != nil {
			return nil, errors.Join(importError(path, "", err), in.Close())
		}
		if err != nil {
			in.paths[i].addBroken(path, importError(path, "", err))
		}
	}
	in.leaveOutCovered()
	in.leaveOutNamed()
	return in, nil
}

// leaveOutCovered leaves out the files that the user named and that are in a folder that the user named, too: each is
// read once, with what the folder has beside it.
func (in *inputFiles) leaveOutCovered() {
	type place struct{ path, format, settings string }
	inFolders := map[place]bool{}
	for i := range in.files {
		f := &in.files[i]
		if p := &in.paths[f.of]; p.isFolder {
			for _, at := range f.places() {
				inFolders[place{at, f.name, p.settings}] = true
			}
		}
	}
	in.files = slices.DeleteFunc(in.files, func(f inputFile) bool {
		p := &in.paths[f.of]
		places := f.places()
		if len(places) != 1 || p.isFolder || !inFolders[place{places[0], f.name, p.settings}] {
			return false
		}
		p.covered, in.total = append(p.covered, f.format), in.total-f.size
		return true
	})
}

// leaveOutNamed takes the zips that the user named out of what their folders pass over.
func (in *inputFiles) leaveOutNamed() {
	named := map[string]bool{}
	for _, p := range in.paths {
		if at := rootOf(p.path); at != "" {
			named[at] = true
		}
	}
	for i := range in.paths {
		p := &in.paths[i]
		for _, zip := range slices.Clone(p.unread.Zips) {
			if named[filepath.Join(rootOf(p.path), filepath.FromSlash(zip))] {
				p.unread.LeaveOut(zip)
			}
		}
	}
}

// last returns the path that is being opened.
func (in *inputFiles) last() *inputPath { return &in.paths[len(in.paths)-1] }

// add adds a file of the path that is being opened.
func (in *inputFiles) add(f inputFile) {
	f.of = len(in.paths) - 1
	in.total += f.size
	in.files = append(in.files, f)
}

// openPath opens one path. What has the name of a document and no conversations is one. A folder without conversations
// may hold documents.
func (in *inputFiles) openPath(ctx context.Context, path string, opts Options) error {
	if opts.Refuse != nil {
		if err := opts.Refuse(path); err != nil {
			return err
		}
	}
	folder := in.last().isFolder
	if isJSONL(path) && !folder {
		if found, err := in.openRecords(ctx, path, opts); found || err != nil {
			return err
		}
	}
	isDocument := !folder && documents.Known(path)
	if isDocument {
		isChat, err := input.IsChat(ctx, path, opts.Spool)
		if err != nil {
			return err
		}
		isDocument = !isChat
	}
	if folder && opts.Documents || isDocument {
		found, err := in.openDocuments(ctx, path, nil, opts)
		if err == nil && !found {
			err = noDocuments(&in.last().unread)
		}
		return err
	}
	a, err := input.Open(ctx, path, opts.Spool)
	if folder && err != nil && ctx.Err() == nil {
		found, failure := in.openDocuments(ctx, path, nil, opts)
		if failure != nil || found && input.IsNoConversations(err) {
			return failure
		}
	}
	if err != nil {
		return withPackedHint(err)
	}
	in.addExport(path, a, opts)
	if chats := a.AmongNotes(); folder && chats != nil {
		_, err = in.openDocuments(ctx, path, chats, opts)
		return err
	}
	in.last().isExport = folder
	return nil
}

// withPackedHint returns the error of a zip or tar without conversations, of which the next step is to unpack it if it
// has documents.
func withPackedHint(err error) error {
	var failed *errs.Error
	unread := input.UnreadOf(err)
	if unread == nil || packedDocuments(unread, documents.Known) == 0 || !errors.As(err, &failed) {
		return err
	}
	hinted := *failed
	hinted.Hint = "unpack it and import the folder: documents are read from folders, not from a zip or tar"
	return &hinted
}

// packedDocuments counts the documents in zips and tar archives, by the names of their kinds.
func packedDocuments(unread *input.Unread, isDocument func(name string) bool) (n int) {
	for kind, files := range unread.Packed {
		n += boolToInt(isDocument("a"+kind)) * files
	}
	return n
}

func noDocuments(unread *input.Unread) error {
	message := "no documents in this folder"
	if seen := unread.String(); seen != "" {
		message += ", but " + seen
	}
	return &errs.Error{Code: errs.NotFound, Op: "import", Message: message, Hint: hintNothing(store.Documents)}
}

func (in *inputFiles) addExport(path string, a *input.Export, opts Options) {
	in.closers = append(in.closers, a)
	at := in.last()
	at.unread, at.missing = a.Unread, a.MissingParts
	for _, b := range a.Broken {
		file := pathOf(path, b.Name)
		what, cutZip := file, errors.Is(b.Err, input.ErrCutZip)
		if cutZip {
			what = "all of " + file
		}
		at.broken = append(at.broken, broken{file, importError(what, "", b.Err), cutZip})
	}
	for i := range a.Files {
		f := &a.Files[i]
		entries := func(ctx context.Context, _ store.Reader) iter.Seq2[*chat.Parsed, error] {
			parse := func(r io.Reader) iter.Seq2[*chat.Parsed, error] {
				return withTools(f.Format.Read(f.Source(ctx, r)), f.Format, opts.Tools)
			}
			return func(yield func(*chat.Parsed, error) bool) { in.parseFile(ctx, f.Open, parse, yield) }
		}
		shown, disk := pathOf(path, f.Name), f.OnDisk()
		at := placeOf(shown, disk)
		in.add(inputFile{
			path: shown, at: at, format: f.Format.Source, name: f.Format.Name, count: 1, size: f.Size, entries: entries,
			origin: in.originOf(at, f.Name, f.Format.Name, disk, opts),
		})
	}
}

// withTools makes documents of the results of tools and of thoughts, if they are kept. Sessions lose them otherwise.
func withTools(
	all iter.Seq2[*chat.Parsed, error], format *source.Format, kept bool,
) iter.Seq2[*chat.Parsed, error] {
	if !format.Tools && (!kept || format.FindTools == nil) {
		return all
	}
	return func(yield func(*chat.Parsed, error) bool) {
		for p, err := range all {
			switch {
			case p == nil:
			case !format.Tools:
				p.KeepTools(format.FindTools)
			case kept:
				p.DeriveToolsNow()
			default:
				p.LeaveOutTools()
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// parseFile opens a file, yields the conversations that parse finds in it, and counts the bytes read.
func (in *inputFiles) parseFile(
	ctx context.Context,
	open func(context.Context) (io.ReadCloser, error),
	parse func(io.Reader) iter.Seq2[*chat.Parsed, error],
	yield func(*chat.Parsed, error) bool,
) {
	body, err := open(ctx)
	if err != nil {
		yield(nil, err)
		return
	}
	defer body.Close()
	for parsed, err := range parse(&countingReader{body, &in.read}) {
		if !yield(parsed, err) {
			return
		}
	}
}

// pathOf returns the path of a file as shown to the user. name is a single file, a path inside a zip that begins with
// the zip's name, or a path inside the folder at path.
func pathOf(path, name string) string {
	if base := filepath.Base(path); name == base || strings.HasPrefix(name, base+"/") {
		return filepath.Join(filepath.Dir(path), filepath.FromSlash(name))
	}
	return filepath.Join(path, filepath.FromSlash(name))
}

func (in *inputFiles) Close() error {
	var failures []error
	for _, a := range in.closers {
		failures = append(failures, a.Close())
	}
	return errors.Join(failures...)
}

// batches reads all files and sends their entries to out, in batches, each file's before the next one's. It acquires
// the weight of each entry from room; the writer of the batch releases it. Errors of damaged files become those of
// their paths; only ctx stops it early.
func (in *inputFiles) batches(
	ctx context.Context, st store.Reader, p *plan, room *semaphore.Weighted, out chan<- *batch,
) error {
	d := batcher{in: in, plan: p, room: room, out: out, batch: new(batch)}
	for e, err := range in.entries(ctx, st) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			f := &in.files[e.file]
			in.paths[f.of].addBroken(f.path, err)
			continue
		}
		if err := d.add(ctx, e); err != nil {
			return err
		}
	}
	if err := d.addWaiting(ctx); err != nil {
		return err
	}
	return in.send(ctx, out, d.batch)
}

// batcher divides entries into batches.
type batcher struct {
	in    *inputFiles
	plan  *plan
	room  *semaphore.Weighted
	out   chan<- *batch
	batch *batch // is being filled

	waiting      []entry // of one file, for the next transaction; they have room
	waitingBytes int
}

// add adds an entry, behind those that wait if it is of another file, begins a transaction itself, or needs their room.
func (d *batcher) add(ctx context.Context, e entry) error {
	if len(d.waiting) > 0 && (e.finished != nil || e.file != d.waiting[0].file || d.plan.isFull(e) ||
		d.waitingBytes+e.bytes() > batchBytes) {
		if err := d.addWaiting(ctx); err != nil {
			return err
		}
	}
	if e.finished != nil {
		d.batch.finished = append(d.batch.finished, finishedFile{e.file, e.finished})
		return nil
	}
	// The batch is not sent before what waits has room: a large one would never leave it any.
	mayWait := max(e.bytes(), d.batch.bytes) <= batchBytes
	where := d.plan.add(e, d.batch, mayWait)
	if err := d.begin(ctx, where); err != nil {
		return err
	}
	if err := d.room.Acquire(ctx, weight(e.bytes())); err != nil {
		return err
	}
	if where == nextTransaction {
		d.waiting, d.waitingBytes = append(d.waiting, e), d.waitingBytes+e.bytes()
		return nil
	}
	d.batch.add(e)
	if e.isLargeDocument() {
		return d.writeNow(ctx)
	}
	return nil
}

// writeNow sends the batch and waits until all that was read is written, while garbage is collected as soon as it is
// largeGC percent of what is in use.
func (d *batcher) writeNow(ctx context.Context) error {
	const largeGC = 10
	debug.FreeOSMemory() // what parsing took
	defer debug.SetGCPercent(debug.SetGCPercent(largeGC))
	err := d.in.send(ctx, d.out, d.batch)
	d.batch = new(batch)
	if err == nil {
		err = d.room.Acquire(ctx, inFlight)
	}
	if err == nil {
		d.room.Release(inFlight)
		debug.FreeOSMemory()
	}
	return err
}

// addWaiting adds the entries that wait for the next transaction. The first begins it.
func (d *batcher) addWaiting(ctx context.Context) error {
	for _, e := range d.waiting {
		if err := d.begin(ctx, d.plan.add(e, d.batch, false)); err != nil {
			return err
		}
		d.batch.add(e)
	}
	d.waiting, d.waitingBytes = nil, 0
	return nil
}

// begin sends the batch if the next entry goes into a new one.
func (d *batcher) begin(ctx context.Context, where place) error {
	if where != newBatch && where != newTransaction {
		return nil
	}
	err := d.in.send(ctx, d.out, d.batch)
	d.batch = &batch{opensTransaction: where == newTransaction}
	return err
}

// broken joins the errors of all paths.
func (in *inputFiles) broken() error {
	var all []error
	for i := range in.paths {
		p := &in.paths[i]
		for _, b := range p.reasons() {
			err := b.err
			if in.refresh {
				err = p.withNextStep(b)
			}
			all = append(all, err)
		}
	}
	return joinOnce(all)
}

// reasons returns what is broken, without a zip that is cut off where a file in it is, which says so, too.
func (p *inputPath) reasons() []broken {
	return slices.DeleteFunc(slices.Clone(p.broken), func(b broken) bool {
		isCutInside := func(other broken) bool {
			return strings.HasPrefix(other.path, b.path+"/") && errors.Is(other.err, input.ErrCutOff)
		}
		return b.cutZip && slices.ContainsFunc(p.broken, isCutInside)
	})
}

// withNextStep returns the error of what is broken, and adds to its hint how a refresh does not meet it again.
func (p *inputPath) withNextStep(b broken) error {
	var failed *errs.Error
	if p.root == "" || !errors.As(b.err, &failed) {
		return b.err
	}
	hinted := *failed
	next := "to leave it out from now on, run lens refresh --unfollow " + shell.Quote(p.root)
	if p.isFolder && b.path != p.path {
		next = "to leave it out from now on, move it out of the folder"
	}
	hinted.Hint = strings.TrimPrefix(hinted.Hint+"; "+next, "; ")
	return &hinted
}

// joinOnce joins errors, of those with the same message the first: several paths may lead to the same file.
func joinOnce(all []error) error {
	var once []error
	said := map[string]bool{}
	var add func(error)
	add = func(err error) {
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range joined.Unwrap() {
				add(one)
			}
			return
		}
		message := errs.First(err).Message
		if err != nil && (message == "" || !said[message]) {
			said[message] = true
			once = append(once, err)
		}
	}
	for _, err := range all {
		add(err)
	}
	return errors.Join(once...)
}

func (in *inputFiles) send(ctx context.Context, out chan<- *batch, b *batch) error {
	b.read = in.read.Load()
	select {
	case out <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// entries yields the entries of all files, and an error for each file that cannot be read to its end.
func (in *inputFiles) entries(ctx context.Context, st store.Reader) iter.Seq2[entry, error] {
	return func(yield func(entry, error) bool) {
		in.seen = map[uuid.UUID]bool{}
		for id := range in.counted {
			in.seen[id] = true
		}
		for i := range in.files {
			if !in.entriesOf(ctx, st, i, yield) {
				return
			}
		}
	}
}

func (in *inputFiles) entriesOf(ctx context.Context, st store.Reader, file int, yield func(entry, error) bool) bool {
	f := in.files[file]
	unchanged, next := in.known.look(ctx, f.origin)
	if unchanged != nil && !unchanged.holds(in.seen) {
		unchanged, next = nil, &knownFile{Stamp: unchanged.Stamp, Contents: unchanged.Contents}
	}
	if unchanged != nil {
		for id := range unchanged.Counted.all() {
			in.seen[id] = true
		}
		in.read.Add(f.size)
		return yield(entry{file: file, known: unchanged}, nil)
	}
	n := 0
	for parsed, err := range f.entries(ctx, st) {
		e := entry{file: file, parsed: parsed}
		if parsed != nil && !f.format.Chunked() {
			in.seen[parsed.ID] = true
		}
		if err != nil && !errors.As(err, &e.skip) {
			return yield(entry{file: file}, importError(f.path, countEntries(n, f.format), err))
		}
		var u *unreadable
		if errors.As(err, &u) {
			e.verdict = u.verdict
		}
		if parsed == nil || !parsed.Beside {
			n++
		}
		if !yield(e, nil) {
			return false
		}
	}
	next = f.origin.finish(ctx, next)
	return next == nil || yield(entry{file: file, finished: next}, nil)
}

// importError returns an error that names the path, the reason and, if not empty, what it was read up to: "3 records".
// Code and hint are those of err.
func importError(path, before string, err error) error {
	what := "cannot import " + path
	if before != "" {
		what = "cannot import all of " + path
	}
	out := &errs.Error{Code: errs.CodeOf(err), Op: "import", Message: what, Err: err}
	var cause *errs.Error
	if errors.As(err, &cause) && cause.Message != "" {
		out.Message, out.Hint, out.Err = what+": "+cause.Message, cause.Hint, cause.Err
	}
	if before != "" {
		verb := "were"
		if strings.HasPrefix(before, "1 ") {
			verb = "was"
		}
		out.Message += "; " + before + " " + verb + " read from it"
		if out.Hint == chat.HintDownload {
			out.Hint += ": that adds what is missing"
		}
	}
	return out
}

// countEntries returns a number of entries as words, "3 records", and "" for none.
func countEntries(n int, format store.Source) string {
	if n == 0 {
		return ""
	}
	return counted(n, strings.TrimSuffix(skippedPrefix(format), ": "))
}

// countingReader adds the bytes read through it to n.
type countingReader struct {
	io.Reader
	n *atomic.Int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"lens/store"
	"lens/store/ingest/input"
)

// An import remembers the files that it read to their end, so that another one need not read them again. The rules are:
//
//   - What comes from a file is a function of what its stamp is made of: its content and that of the files that its
//     format reads with it, its name, its format, the options of the import, and the importer.
//   - The content of a file that the user names decides whether it changed. One that was found in a folder counts as
//     unchanged while it has the same size and time; unless it was written right before it was read, as it may have
//     changed since without another time: then its content decides, too.
//   - A conversation that several files have counts with the first, so a receipt depends on the files before it. An
//     unchanged file is read again where they have other conversations in common with it than when it was read.
//   - A file is remembered in the transaction that commits its last conversation. Its stamp is from before it
//     was read, so a change meanwhile shows the next time. A named file of which nothing is known is hashed while it is
//     read, because reading it twice takes long, and is not remembered if it has another size or time by then.
//   - Nothing is remembered once something is forgotten or restored. So an unchanged file is still in the archive.
//   - What came through a pipe is not remembered. Documents are compared one by one: see folder_documents.go; of those
//     that cannot be read, that is remembered: see verdict.go.

// importer is raised whenever Lens finds other conversations or texts in the same file, so that files are read again.
// A new version of Lens has the same effect: see Options.Version.
const importer = 9

// racy is how long after a change of a file another one may leave its time as it is: that of FAT, the coarsest.
const racy = 2 * time.Second

// origin is where a file is on the disk.
type origin struct {
	root, path string    // absolute; path as a receipt shows it, perhaps inside a zip
	settings   string    // what the result depends on, in addition to the files
	named      bool      // the user named the file on the disk, not a folder
	ambiguous  bool      // another file has the same path: names in an archive can be equal
	began      time.Time // the import, before the file was found
	disk       []*input.DiskFile
}

// placeOf returns the absolute path of a file, perhaps inside a zip; "" if it is not on the disk.
func placeOf(path string, disk []*input.DiskFile) string {
	at, err := filepath.Abs(path)
	if len(disk) == 0 || err != nil {
		return ""
	}
	return at
}

// originOf returns the origin of the file at a place, for the path that is being opened; nil: it cannot be remembered.
func (in *inputFiles) originOf(at, name, format string, disk []*input.DiskFile, opts Options) *origin {
	root := in.last().root
	if root == "" || at == "" {
		return nil
	}
	for i := range in.files {
		if o := in.files[i].origin; o != nil && o.path == at && o.root == root {
			o.ambiguous = true
			return nil
		}
	}
	settings := fmt.Sprintf("%d %q %q %q %q", importer, opts.Version, name, format, opts.settings())
	return &origin{
		root: root, path: at, settings: settings, named: !isFolder(root), began: in.began, disk: disk,
	}
}

// knownFile is what the archive knows of a file: ImportedFile.Data as JSON.
type knownFile struct {
	Stamp    string   `json:"stamp"`              // of sizes and times
	Contents string   `json:"contents,omitempty"` // "": the stamp decides
	Receipt  *Receipt `json:"receipt,omitempty"`  // of this file alone
	Nodes    int      `json:"nodes,omitempty"`    // as FileReceipt counts them
	Entries  int      `json:"entries,omitempty"`
	Derived  int      `json:"derived,omitempty"` // as PathReceipt counts them
	overlap

	since   time.Time // when it was imported
	pending bool      // the content decides, and its hash is not known before it has been read
}

// stamp returns a hash of the sizes and times of the files.
func (o *origin) stamp() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", o.settings)
	for _, d := range o.disk {
		fmt.Fprintf(h, "%q %d %d\n", d.Name, d.Size, d.Modified.UnixNano())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// contents returns a hash of the content of the files.
func (o *origin) contents(ctx context.Context) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", o.settings)
	for _, d := range o.disk {
		sum, err := d.Hash(ctx)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %x\n", d.Name, sum)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// isRacy reports whether a file was written right before it was found, or later. Finding one may take long: a zip is
// unpacked for it.
func (o *origin) isRacy() bool {
	return slices.ContainsFunc(o.disk, func(d *input.DiskFile) bool { return d.Modified.Add(racy).After(o.began) })
}

func (o *origin) hashesWhileRead() bool {
	return !slices.ContainsFunc(o.disk, func(d *input.DiskFile) bool { return !d.HashesWhileRead() })
}

// known is what the archive knows of the files of an import.
type known struct {
	epoch int64
	files map[string]map[string]store.ImportedFile // by root and path
}

// newKnown reads what the archive knows of paths. The archive may be nil.
func newKnown(ctx context.Context, st store.Reader, paths []inputPath) (*known, error) {
	k := &known{epoch: -1, files: map[string]map[string]store.ImportedFile{}}
	if st == nil {
		return k, nil
	}
	for _, p := range paths {
		if p.root == "" {
			continue
		}
		imported, err := st.ImportedFiles(ctx, p.root)
		if err != nil {
			return nil, err
		}
		if k.epoch < 0 {
			k.epoch = imported.Epoch
		}
		if imported.Epoch != k.epoch {
			continue // those of other paths were still true then
		}
		k.files[p.root] = map[string]store.ImportedFile{}
		for _, f := range imported.Files {
			k.files[p.root][f.Path] = f
		}
	}
	return k, nil
}

// look returns what is known of a file if that has not changed. Otherwise it returns what to remember once the file is
// read; nil: nothing.
func (k *known) look(ctx context.Context, o *origin) (unchanged, next *knownFile) {
	if k == nil || o == nil || o.ambiguous {
		return nil, nil
	}
	next = &knownFile{Stamp: o.stamp()}
	before := k.file(o)
	byContents := o.named || o.isRacy()
	switch {
	case before == nil && o.hashesWhileRead() && !o.isRacy():
		next.pending = byContents
		return nil, next
	case before == nil:
	case before.Contents == "" && before.Stamp == next.Stamp:
		return before, nil
	case before.Contents != "" && (o.named || before.Stamp == next.Stamp):
		byContents = true
	}
	if !byContents {
		return nil, next
	}
	contents, err := o.contents(ctx)
	if err != nil {
		return nil, nil // reading it says why
	}
	if next.Contents = contents; before != nil && before.Contents == contents {
		return before, nil
	}
	return nil, next
}

// finish returns what to remember of a file that has been read to its end; nil: nothing.
func (o *origin) finish(ctx context.Context, next *knownFile) *knownFile {
	if next == nil || !next.pending {
		return next
	}
	contents, err := o.contents(ctx)
	if err != nil {
		return nil
	}
	next.Contents, next.pending = contents, false
	return next
}

// file returns what is known of a file, nil for nothing.
func (k *known) file(o *origin) *knownFile {
	f, ok := k.files[o.root][o.path]
	if !ok {
		return nil
	}
	known := &knownFile{since: f.Imported}
	if json.Unmarshal(f.Data, known) != nil || known.Receipt == nil || len(known.Receipt.Files) != 1 {
		return nil
	}
	known.Receipt.Files[0].nodes, known.Receipt.Files[0].entries = known.Nodes, known.Entries
	return known
}

// gone returns the files of roots that are not there any more, by root, and those of them of which the archive has
// something.
func (k *known) gone(in *inputFiles) (gone map[string][]string, vanished []string) {
	present := map[string]bool{}
	for i := range in.files {
		if o := in.files[i].origin; o != nil {
			present[o.path] = true
		}
	}
	gone = map[string][]string{}
	for root, files := range k.files {
		for path, row := range files {
			if path == "" || present[path] || !isGone(path) {
				continue
			}
			gone[root] = append(gone[root], path)
			if !isVerdict(row) {
				vanished = append(vanished, path)
			}
		}
		slices.Sort(gone[root])
	}
	slices.Sort(vanished)
	return gone, vanished
}

// isGone reports whether a file does not exist any more; of a file in a zip, whether the zip does not.
func isGone(path string) bool {
	for {
		info, err := os.Stat(path)
		if err == nil {
			return info.IsDir()
		}
		up := filepath.Dir(path)
		if up == path || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return false
		}
		path = up
	}
}

// remembering collects what an import remembers. It belongs to the goroutine that writes.
type remembering struct {
	in    *inputFiles
	parts map[int]*part // of files that are not read to their end, by index
	roots []bool        // the paths whose root is stored
	begun time.Time

	unreadable []store.ImportedFile // documents of the present transaction
}

// record counts the entries of files that can be remembered, and notes the documents that cannot be read.
func (m *remembering) record(read []entry) error {
	for _, e := range read {
		if e.verdict != nil && e.verdict.since.IsZero() {
			row, err := e.verdict.row(m.begun)
			if err != nil {
				return err
			}
			m.unreadable = append(m.unreadable, row)
		}
		f := &m.in.files[e.file]
		if f.origin == nil || e.known != nil {
			continue
		}
		part := m.part(e.file)
		if e.parsed != nil {
			part.overlap.add(e.parsed, &e.repeats)
		}
		e.file = 0
		part.record([]entry{e}, outcome{forgotten: e.forgotten})
	}
	return nil
}

// part is what an import knows of one file.
type part struct {
	*Receipt
	overlap overlap
}

// part returns that of a file.
func (m *remembering) part(file int) *part {
	p := m.parts[file]
	if p == nil {
		p = &part{Receipt: NewReceipt()}
		p.Paths = append(p.Paths, PathReceipt{})
		p.addFile(m.in.files[file])
		p.Files[0].path = 0
		m.parts[file] = p
	}
	return p
}

// toStore returns the files that have been read to their end, documents that cannot be read, and the roots from which
// something came.
func (m *remembering) toStore(finished []finishedFile, r *Receipt) (all []store.ImportedFile, err error) {
	all, m.unreadable = m.unreadable, nil
	for i := range m.in.paths {
		p := &m.in.paths[i]
		if p.root == "" || m.roots[i] || r.Paths[i].isEmpty() && len(p.covered) == 0 {
			continue
		}
		m.roots[i] = true
		all = append(all, store.ImportedFile{
			Root: p.root, Data: []byte(onlySource(p.settings, m.in.sourcesOf(i))), Imported: m.begun,
		})
	}
	for _, f := range finished {
		o, part := m.in.files[f.file].origin, m.part(f.file)
		delete(m.parts, f.file)
		part.seen()
		f.next.Receipt, f.next.Nodes, f.next.Entries = part.Receipt, part.Files[0].nodes, part.Files[0].entries
		f.next.Derived, f.next.overlap = part.Paths[0].derived, part.overlap
		data, err := json.Marshal(f.next)
		if err != nil {
			return nil, err
		}
		all = append(all, store.ImportedFile{Root: o.root, Path: o.path, Data: data, Imported: m.begun})
	}
	return all, nil
}

// seen makes the receipt of a file say what it will when the file is imported again and nothing changed.
func (r *Receipt) seen() {
	f := &r.Files[0]
	r.Conversations, r.Messages = Changes{Unchanged: f.Conversations}, Changes{Unchanged: f.Messages}
	r.Turns.New, r.Older = 0, 0
	f.Path = "" // the row has it
}

// finishedFile is a file that was read to its end.
type finishedFile struct {
	file int // index into inputFiles.files
	next *knownFile
}

// settings are the options on which it depends what comes from a path, as JSON. A refresh takes them up again.
func (o *Options) settings() string {
	data, _ := json.Marshal(settings{Documents: o.Documents, Tag: o.Tag, VectorsOf: o.VectorsOf, Tools: o.Tools})
	return string(data) // Marshal cannot fail
}

// settings is the JSON of the Data of a root.
type settings struct {
	Documents bool   `json:"documents,omitempty"`
	Tag       string `json:"tag,omitempty"`
	VectorsOf Model  `json:"vectors_of,omitzero"`
	Tools     bool   `json:"tools,omitempty"`

	Only store.Source `json:"only,omitempty"` // of all files of the root, when it was read last
}

// rootsWithTools returns the roots that are read with Options.Tools. The archive may be nil.
func rootsWithTools(ctx context.Context, st store.Reader) (map[string]bool, error) {
	if st == nil {
		return nil, nil
	}
	all, err := st.ImportedRoots(ctx)
	if err != nil {
		return nil, err
	}
	with := map[string]bool{}
	for _, f := range all.Files {
		var s settings
		if json.Unmarshal(f.Data, &s) == nil && s.Tools {
			with[f.Root] = true
		}
	}
	return with, nil
}

// onlySource adds to the settings of a root the source of its files, if all have the same.
func onlySource(root string, sources []store.Source) string {
	var s settings
	if json.Unmarshal([]byte(root), &s) != nil {
		return root
	}
	for _, source := range sources {
		if s.Only != "" && s.Only != source {
			return root
		}
		s.Only = source
	}
	data, _ := json.Marshal(s) // cannot fail
	return string(data)
}

// sourcesOf returns the sources of the files of a path, also of those that are left out.
func (in *inputFiles) sourcesOf(path int) []store.Source {
	all := slices.Clone(in.paths[path].covered)
	for i := range in.files {
		if in.files[i].of == path {
			all = append(all, in.files[i].format)
		}
	}
	return all
}

// sourceOf returns the source of all files of a root; "": several, or unknown.
func sourceOf(root store.ImportedFile) store.Source {
	var s settings
	_ = json.Unmarshal(root.Data, &s) // damaged: unknown
	return s.Only
}

// rootOf returns the absolute path of what the user named, "" for what cannot be read again.
func rootOf(path string) string {
	info, err := os.Stat(cmp.Or(path, "."))
	at, failed := filepath.Abs(path)
	if path == input.Stdin || err != nil || failed != nil || !info.IsDir() && !info.Mode().IsRegular() {
		return ""
	}
	return at
}

package ingest

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest/chat"
	"lens/store/ingest/documents"
	"lens/store/ingest/input"
)

// Detected says what a path is and what an import would bring in. `lens import --detect --json` prints its JSON.
type Detected struct {
	Path        string           `json:"path"`
	Formats     []DetectedFormat `json:"formats"` // in the order of their first files
	UnreadKinds map[string]int   `json:"unread_kinds,omitempty"`
	UnreadNames []string         `json:"unread_names,omitempty"`
	OwnFiles    []string         `json:"own_files,omitempty"`
	Unread      []Unread         `json:"unread,omitempty"` // what may not be opened, the first maxNamed
	// Documents counts those of UnreadKinds that are documents beside an export.
	Documents    int      `json:"documents_beside,omitempty"`
	Packed       int      `json:"documents_packed,omitempty"` // of UnreadKinds: documents in a zip or tar archive
	MissingParts []string `json:"missing_shards,omitempty"`
	Errors       []string `json:"errors,omitempty"` // why nothing of it, or not all, would come in
}

// NotImported returns what an import would pass over.
func (d *Detected) NotImported() *input.Unread {
	return &input.Unread{Kinds: d.UnreadKinds, Names: d.UnreadNames, Own: d.OwnFiles}
}

// DetectedFormat counts the files of one product in a path, and what is in them. What several files have is counted
// once, with the first; what the archive has already is counted, too.
type DetectedFormat struct {
	Source  store.Source   `json:"source"`
	Name    string         `json:"name"` // of the product, as people know it: "DeepSeek"
	Files   int            `json:"files"`
	Bytes   int64          `json:"bytes"`              // unpacked
	Entries int            `json:"conversations"`      // also documents and records
	Turns   int            `json:"turns"`              // also chunks
	OffPath int            `json:"off_path,omitempty"` // of them, on abandoned branches
	Again   int            `json:"repeated,omitempty"` // conversations that are counted with a file before
	Skipped map[string]int `json:"skipped,omitempty"`
	First   *time.Time     `json:"first,omitempty"` // the earliest and the latest time of a turn; nil: none has one
	Last    *time.Time     `json:"last,omitempty"`
}

// add counts an entry of a file, whose times are those of its turns. seen has the conversations and turns before it:
// not records and chunks, of which there may be millions.
func (d *DetectedFormat) add(e entry, seen map[uuid.UUID]bool) {
	if e.skip != nil {
		if e.skip.Reason == documents.Unsupported { // of which UnreadKinds knows
			return
		}
		if d.Skipped == nil {
			d.Skipped = map[string]int{}
		}
		d.Skipped[e.skip.Reason]++
		return
	}
	again := seen[e.parsed.ID]
	if !e.parsed.Beside {
		d.Again += boolToInt(again)
		d.Entries += boolToInt(!again)
	}
	if e.parsed.Source != store.Chunks {
		seen[e.parsed.ID] = true
	}
	for i := range e.parsed.Turns {
		t := &e.parsed.Turns[i]
		fresh := !again
		if !e.parsed.Source.Chunked() {
			id := t.ID
			if !chat.Repeats(e.parsed.Source) { // exports of continued chats repeat ids, and each has turns of its own
				id = chat.OwnID(e.parsed.ID, id)
			}
			fresh, seen[id] = !seen[id], true
		}
		d.Turns += boolToInt(fresh)
		d.OffPath += boolToInt(fresh && !t.OnPath)
		at := t.Time
		if at.IsZero() {
			continue
		}
		if d.First == nil || at.Before(*d.First) {
			d.First = &at
		}
		if d.Last == nil || at.After(*d.Last) {
			d.Last = &at
		}
	}
}

// Detect says what paths are and what Import would bring in, without an archive. It reads all files; of options only
// Documents, Refuse, Spool and Progress count. A path from which nothing would come is an error that does not stop the
// others, as one of Import is. Only ctx stops it early.
func Detect(ctx context.Context, paths []string, opts Options) ([]Detected, error) {
	in, err := openInputFiles(ctx, paths, opts)
	if err != nil {
		return nil, err
	}
	d := newDetection(in)
	if err := d.read(ctx, opts.Progress); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return d.paths(), errors.Join(in.broken(), in.Close())
}

// detection finds out what the files of an import are. Its receipt knows from which paths nothing would come.
type detection struct {
	in      *inputFiles
	receipt *Receipt
	formats [][]*DetectedFormat // of each path
	seen    map[uuid.UUID]bool  // conversations and turns
}

func newDetection(in *inputFiles) *detection {
	d := &detection{
		in: in, receipt: NewReceipt(), formats: make([][]*DetectedFormat, len(in.paths)), seen: map[uuid.UUID]bool{},
	}
	d.receipt.addPaths(in.paths)
	for i := range in.files {
		f := &in.files[i]
		d.receipt.addFile(*f)
		format := d.formatOf(f)
		format.Files += f.count
		format.Bytes += f.size
	}
	return d
}

// formatOf returns what is counted of the format of a file, in its path.
func (d *detection) formatOf(f *inputFile) *DetectedFormat {
	for _, known := range d.formats[f.of] {
		if known.Name == f.name {
			return known
		}
	}
	format := &DetectedFormat{Source: f.format, Name: f.name}
	d.formats[f.of] = append(d.formats[f.of], format)
	return format
}

// read counts what is in the files. Those that cannot be read to their end become errors of their paths.
func (d *detection) read(ctx context.Context, progress func(Progress)) error {
	m := meter{report: progress, started: time.Now()}
	m.now.Total = d.in.total
	for e, err := range d.in.entries(ctx, nil) {
		f := &d.in.files[e.file]
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			d.in.paths[f.of].addBroken(f.path, err)
			continue
		}
		d.formatOf(f).add(e, d.seen)
		d.receipt.record([]entry{e}, outcome{})
		m.now.Done = d.in.read.Load()
		m.now.Conversations, m.now.Turns = m.now.Conversations+1, d.receipt.Turns.Total
		m.tick()
	}
	m.done()
	d.receipt.checkPaths(d.in.paths)
	return ctx.Err()
}

// paths returns what there is in each path.
func (d *detection) paths() []Detected {
	all := make([]Detected, len(d.in.paths))
	for i := range d.in.paths {
		p := &d.in.paths[i]
		r := NewReceipt()
		r.addPaths(d.in.paths[i : i+1])
		all[i] = Detected{
			Path: p.path, Formats: []DetectedFormat{}, Unread: r.Unread,
			UnreadKinds: r.UnreadKinds, UnreadNames: r.UnreadNames, OwnFiles: r.OwnFiles,
			Documents: r.Documents, Packed: r.Packed, MissingParts: p.missing,
		}
		for _, f := range d.formats[i] {
			isNothing := f.Bytes == 0 || len(p.broken) > 0 && f.Entries+f.Again+len(f.Skipped) == 0
			if !isNothing || f.Source.Chunked() { // else an error says what is wrong with it
				all[i].Formats = append(all[i].Formats, *f)
			}
		}
		for _, b := range p.reasons() {
			all[i].Errors = append(all[i].Errors, errs.First(b.err).Message)
		}
	}
	return all
}

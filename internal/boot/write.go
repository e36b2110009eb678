package boot

import (
	"context"
	"errors"
	"io"

	"github.com/google/uuid"

	"lens/store"
	"lens/store/ingest"
)

// Receipt and ForgetReport are what faces print of the write path.
type (
	Receipt      = ingest.Receipt
	ForgetReport = ingest.ForgetReport
	VectorModel  = ingest.Model
)

// ImportOptions shapes an import. The zero value is usable.
type ImportOptions struct {
	DryRun    bool           // count, write nothing
	Documents bool           // read folders as documents, though there is an export in them
	Tag       string         // client_tag of documents and records
	VectorsOf VectorModel    // that made the vectors which records come with; zero: they are left out
	Progress  func(Progress) // may be nil
}

// Import reads the exports at paths into the archive. A dry run does not even make one. The receipt is never nil.
func (l *Lens) Import(ctx context.Context, paths []string, opts ImportOptions) (*Receipt, error) {
	var st store.Store
	var err error
	if opts.DryRun {
		if st, err = l.reading(ctx); store.CodeOf(err) == store.CodeNotFound {
			st, err = nil, nil
		}
	} else {
		st, err = l.writing(ctx)
	}
	if err != nil {
		return new(Receipt), err
	}
	return ingest.Import(ctx, st, paths, ingest.Options{
		DryRun: opts.DryRun, Documents: opts.Documents, Tag: opts.Tag, VectorsOf: opts.VectorsOf, Progress: opts.Progress,
	})
}

// The formats of an export.
const (
	JSONL    = string(ingest.JSONL)
	Markdown = string(ingest.Markdown)
)

// ExportOptions says which turns to write, and how.
type ExportOptions struct {
	Format string // JSONL or Markdown
	store.Filter
	Turns []uuid.UUID // only these; nil: by Filter
	From  []string    // only of these sources; empty: of any
}

// Export writes turns in time order and returns how many.
func (l *Lens) Export(ctx context.Context, w io.Writer, opts ExportOptions) (int, error) {
	st, err := l.reading(ctx)
	if err != nil {
		return 0, err
	}
	for _, source := range opts.From {
		opts.Sources = append(opts.Sources, store.Source(source))
	}
	return ingest.Export(ctx, st, w, ingest.ExportOptions{Format: ingest.Format(opts.Format), Filter: opts.Filter, IDs: opts.Turns})
}

// ForgetOptions says what to forget. The zero value forgets nothing.
type ForgetOptions struct {
	Conversations []uuid.UUID
	Source        string // "chatgpt", "claude", "documents" …
	Everything    bool
	DryRun        bool // count, remove nothing
}

// Forget removes conversations with all that hangs on them, what the explorer keeps, whose queries, bookmarks and titles may tell of what was
// forgotten, and the answers of the chat model that cite it.
func (l *Lens) Forget(ctx context.Context, opts ForgetOptions) (ForgetReport, error) {
	if _, err := l.reading(ctx); err != nil { // nothing to forget is no reason to make an archive
		return ForgetReport{}, err
	}
	st, err := l.writing(ctx)
	if err != nil {
		return ForgetReport{}, err
	}
	report, err := ingest.Forget(ctx, st, ingest.ForgetOptions{
		Conversations: opts.Conversations, Source: store.Source(opts.Source), Everything: opts.Everything, DryRun: opts.DryRun,
	})
	if err == nil && !opts.DryRun {
		err = errors.Join(l.Desk().Clear(), l.forgetChats(ctx, st, opts.Everything))
	}
	return report, err
}

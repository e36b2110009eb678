package archive

import (
	"context"
	"errors"
	"io"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/retrieval"
	"lens/store"
	"lens/store/ingest"
	"lens/store/ingest/export"
)

// The types of the write path that front ends need.
type (
	Progress     = ingest.Progress
	Receipt      = ingest.Receipt
	ForgetReport = ingest.ForgetReport
	VectorModel  = ingest.Model
)

// ImportOptions shapes an import. The zero value is usable.
type ImportOptions struct {
	DryRun    bool           // count, write nothing
	Documents bool           // read folders as documents, even if they contain an export
	Tag       string         // client_tag of documents and records
	VectorsOf VectorModel    // made the vectors in the records; zero: ignore those vectors
	Progress  func(Progress) // may be nil
}

// Import reads the exports at paths into the archive. A dry run does not create an archive. The receipt is never nil.
func (a *Archive) Import(ctx context.Context, paths []string, opts ImportOptions) (*Receipt, error) {
	var st store.Store
	var err error
	if opts.DryRun {
		if st, err = a.Reading(ctx); errs.CodeOf(err) == errs.NotFound {
			st, err = nil, nil
		}
	} else {
		st, err = a.Writing(ctx)
	}
	if err != nil {
		return new(Receipt), err
	}
	return ingest.Import(ctx, st, paths, ingest.Options{
		DryRun: opts.DryRun, Documents: opts.Documents, Tag: opts.Tag, VectorsOf: opts.VectorsOf, Progress: opts.Progress,
	})
}

// ExportFormat is a format that Export writes.
type ExportFormat = export.Format

// ExportFormats are all of them. The first one is the default.
var ExportFormats = export.Formats

// ExportOptions says which turns to write, and how.
type ExportOptions struct {
	Format ExportFormat
	store.Filter
	Turns    []uuid.UUID // only these; nil: by Filter
	From     []string    // only of these sources; empty: of any
	Raw      bool        // keep texts as they are, unless Terminal
	Terminal bool        // a terminal shows the output
}

// Export writes turns in time order and returns how many.
func (a *Archive) Export(ctx context.Context, w io.Writer, opts ExportOptions) (int, error) {
	st, err := a.Reading(ctx)
	if err != nil {
		return 0, err
	}
	for _, source := range opts.From {
		opts.Sources = append(opts.Sources, store.Source(source))
	}
	return ingest.Export(ctx, st, w, ingest.ExportOptions{
		Format: opts.Format, Filter: opts.Filter, IDs: opts.Turns,
		Options: export.Options{Raw: opts.Raw, Terminal: opts.Terminal},
	})
}

// ForgetOptions says what to remove. The zero value removes nothing.
type ForgetOptions struct {
	Conversations []uuid.UUID
	Source        string // "chatgpt", "claude", "documents" …
	Everything    bool
	DryRun        bool // count, remove nothing
}

// Forget removes conversations with everything that belongs to them; the explorer's state, whose queries, bookmarks and
// titles may reveal removed content; and the chat model's answers that cite removed turns.
func (a *Archive) Forget(ctx context.Context, opts ForgetOptions) (ForgetReport, error) {
	if _, err := a.Reading(ctx); err != nil { // so that no archive is created
		return ForgetReport{}, err
	}
	st, err := a.Writing(ctx)
	if err != nil {
		return ForgetReport{}, err
	}
	report, err := ingest.Forget(ctx, st, ingest.ForgetOptions{
		Conversations: opts.Conversations,
		Source:        store.Source(opts.Source),
		Everything:    opts.Everything,
		DryRun:        opts.DryRun,
	})
	if err == nil && !opts.DryRun {
		err = errors.Join(a.StateFile().Remove(), a.forgetAnswers(ctx, st, opts.Everything))
	}
	return report, err
}

// forgetAnswers removes the answers that cite turns no longer in the archive; all of them if everything is set.
func (a *Archive) forgetAnswers(ctx context.Context, st store.Store, everything bool) error {
	switch {
	case a.opts.Answers == nil:
		return nil
	case everything:
		return a.opts.Answers.Clear()
	}
	engine := retrieval.New(st, nil)
	return a.opts.Answers.Forget(func(turnID string) bool {
		_, err := engine.Turn(ctx, turnID)
		return errs.CodeOf(err) == errs.NotFound
	})
}

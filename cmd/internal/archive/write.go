package archive

import (
	"context"
	"errors"
	"io"

	"github.com/google/uuid"

	"lens/internal/errs"
	"lens/store"
	"lens/store/ingest"
	"lens/store/ingest/export"
)

// The types of the write path that front ends need.
type (
	Progress      = ingest.Progress
	Receipt       = ingest.Receipt
	ForgetReport  = ingest.ForgetReport
	VectorModel   = ingest.Model
	ImportOptions = ingest.Options
	ExportOptions = ingest.ExportOptions
	ExportFormat  = export.Format
	ForgetOptions = ingest.ForgetOptions
	Source        = store.Source
)

// ExportFormats are all formats that Export writes. The first one is the default.
var ExportFormats = export.Formats

// Markdown is the name of the format of a document.
var Markdown = export.Markdown.Name

// JSONLines is the name of the format with one JSON document a line.
var JSONLines = export.JSONL.Name

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
	return ingest.Import(ctx, st, paths, opts)
}

// Export writes turns in time order and returns how many.
func (a *Archive) Export(ctx context.Context, w io.Writer, opts ExportOptions) (int, error) {
	st, err := a.Reading(ctx)
	if err != nil {
		return 0, err
	}
	return ingest.Export(ctx, st, w, opts)
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
	report, err := ingest.Forget(ctx, st, opts)
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
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return err
	}
	stored := make(map[uuid.UUID]bool, catalog.Len())
	for _, id := range catalog.ID {
		stored[id] = true
	}
	return a.opts.Answers.Forget(func(turnID uuid.UUID) bool { return !stored[turnID] })
}

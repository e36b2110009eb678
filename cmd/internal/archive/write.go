package archive

import (
	"context"
	"errors"
	"io"
	"slices"

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
// titles may reveal removed content; and the chat model's answers that cite removed turns. These go first, so that a
// process that is killed leaves nothing to them that the archive no longer has; and once more, because another process
// may have saved some until then.
func (a *Archive) Forget(ctx context.Context, opts ForgetOptions) (ForgetReport, error) {
	if _, err := a.Reading(ctx); err != nil { // so that no archive is created
		return ForgetReport{}, err
	}
	st, err := a.Writing(ctx)
	if err != nil {
		return ForgetReport{}, err
	}
	cleaned := false
	opts.Before = func(_ context.Context, turns []uuid.UUID) error {
		gone := make(map[uuid.UUID]bool, len(turns))
		for _, id := range turns {
			gone[id] = true
		}
		err := a.forgetBeside(opts.Everything, func(turn uuid.UUID) bool { return gone[turn] })
		cleaned = err == nil
		return err
	}
	report, err := ingest.Forget(ctx, st, opts)
	if err != nil && cleaned {
		err = &errs.Error{
			Code: errs.CodeOf(err), Op: "forget",
			Message: "the chats that cite them, the explorer's history and its bookmarks are removed, but not the turns",
			Hint:    "run the same command again", Err: err,
		}
	}
	if err != nil || opts.DryRun {
		return report, err
	}
	stored, err := turnsIn(context.WithoutCancel(ctx), st) // it is forgotten
	if err != nil {
		return report, err
	}
	return report, a.forgetBeside(opts.Everything, func(turn uuid.UUID) bool { return !stored[turn] })
}

// forgetBeside removes the explorer's state, what killed backups and copies left, and the answers that cite turns for
// which isGone is true; all of them if everything is set.
func (a *Archive) forgetBeside(everything bool, isGone func(turn uuid.UUID) bool) error {
	err := errors.Join(a.StateFile().Remove(), a.work().removeLeft())
	switch {
	case a.opts.Answers == nil:
		return err
	case everything:
		return errors.Join(err, a.opts.Answers.Clear())
	}
	return errors.Join(err, a.opts.Answers.Forget(isGone))
}

func turnsIn(ctx context.Context, st store.Reader) (map[uuid.UUID]bool, error) {
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	stored := make(map[uuid.UUID]bool, catalog.Len())
	for _, id := range catalog.ID {
		stored[id] = true
	}
	return stored, nil
}

// Gone returns those of turns that are not in the archive. Errors: those of opening it.
func (a *Archive) Gone(ctx context.Context, turns []uuid.UUID) ([]uuid.UUID, error) {
	st, err := a.Reading(ctx)
	if errs.CodeOf(err) == errs.NotFound {
		return turns, nil
	}
	if err != nil {
		return nil, err
	}
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(turns), func(id uuid.UUID) bool {
		return slices.Contains(catalog.ID, id)
	}), nil
}

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
	"lens/store/ingest/input"
)

// The types of the write path that front ends need.
type (
	Progress      = ingest.Progress
	Receipt       = ingest.Receipt
	FileReceipt   = ingest.FileReceipt
	Changes       = ingest.Changes
	Unread        = input.Unread
	VectorModel   = ingest.Model
	ImportOptions = ingest.Options
	ExportOptions = ingest.ExportOptions
	ExportFormat  = export.Format
	ForgetOptions = ingest.ForgetOptions
	Source        = store.Source
	TurnKind      = store.Kind
)

// DerivedKinds are the kinds of derived documents.
var DerivedKinds = store.DerivedKinds

// Reasons of a receipt for what is counted elsewhere.
const (
	RepeatedMessage      = ingest.RepeatedMessage
	RepeatedConversation = ingest.RepeatedConversation
)

// ExportFormats are all formats that Export writes. The first one is the default.
var ExportFormats = export.Formats

// Markdown is the name of the format of a document.
var Markdown = export.Markdown.Name

// JSONLines is the name of the format with one JSON document a line.
var JSONLines = export.JSONL.Name

// Import reads the exports at paths into the archive. A dry run does not create an archive, nor do paths that are all
// backups: each of these is an error. What repeats turns that the import finds to be forgotten goes as by Forget. The
// receipt is never nil.
func (a *Archive) Import(ctx context.Context, paths []string, opts ImportOptions) (*Receipt, error) {
	if err := refusedBackups(ctx, paths); err != nil {
		return ingest.NewReceipt(), err
	}
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
		return ingest.NewReceipt(), err
	}
	return a.write(ctx, st, paths, opts, ingest.Import)
}

// Refresh imports again what changed in paths that were imported before; without paths, in all of them. The receipt is
// never nil. Errors: as Import; not_found if there is nothing to read again.
func (a *Archive) Refresh(ctx context.Context, paths []string, opts ImportOptions) (*Receipt, error) {
	var st store.Store
	st, err := a.Reading(ctx) // so that no archive is created
	if err == nil && !opts.DryRun {
		st, err = a.Writing(ctx)
	}
	if err != nil {
		return ingest.NewReceipt(), err
	}
	return a.write(ctx, st, paths, opts, ingest.Refresh)
}

// write runs an import or a refresh.
func (a *Archive) write(
	ctx context.Context, st store.Store, paths []string, opts ImportOptions,
	run func(context.Context, store.Store, []string, ImportOptions) (*Receipt, error),
) (*Receipt, error) {
	opts.Spool, opts.Refuse = a.spool(), refuseBackup
	cleaning := forgetting{archive: a}
	opts.Forgetting = cleaning.before
	receipt, err := run(ctx, st, paths, opts)
	if cleaning.cleaned {
		err = errors.Join(err, cleaning.after(ctx, st))
	}
	return receipt, err
}

// Followed returns the paths that Refresh reads again.
func (a *Archive) Followed(ctx context.Context) ([]string, error) {
	st, err := a.Reading(ctx)
	if err != nil {
		return nil, err
	}
	return ingest.Followed(ctx, st)
}

// Unfollow makes Refresh leave out paths. What came from them stays. Errors: not_found for a path that is not followed.
func (a *Archive) Unfollow(ctx context.Context, paths []string) error {
	if _, err := a.Reading(ctx); err != nil {
		return err
	}
	st, err := a.Writing(ctx)
	if err != nil {
		return err
	}
	return ingest.Unfollow(ctx, st, paths)
}

// Export writes turns in time order and returns how many.
func (a *Archive) Export(ctx context.Context, w io.Writer, opts ExportOptions) (int, error) {
	st, err := a.Reading(ctx)
	if err != nil {
		return 0, err
	}
	return ingest.Export(ctx, st, w, opts)
}

// ForgetReport counts what Forget removed.
type ForgetReport struct {
	ingest.ForgetReport
	Chats     int `json:"chats"`     // that read or cite removed turns; not counted in a dry run
	Bookmarks int `json:"bookmarks"` // that lead to them; not counted in a dry run
}

// Gone is what the archive no longer has.
type Gone struct {
	Everything bool
	Turn       func(uuid.UUID) bool
	Titles     []string // that quote such turns
}

// Forget removes conversations with everything that belongs to them; what the explorer's state may reveal of them; and
// the chat model's answers that cite removed turns. These go first, so that a process that is killed leaves nothing to
// them that the archive no longer has; and once more, because another process may have saved some until then.
func (a *Archive) Forget(ctx context.Context, opts ForgetOptions) (ForgetReport, error) {
	if _, err := a.Reading(ctx); err != nil { // so that no archive is created
		return ForgetReport{}, err
	}
	st, err := a.Writing(ctx)
	if err != nil {
		return ForgetReport{}, err
	}
	cleaning := forgetting{archive: a, everything: opts.Everything}
	opts.Before = cleaning.before
	done, err := ingest.Forget(ctx, st, opts)
	if err != nil && cleaning.cleaned {
		err = &errs.Error{
			Code: errs.CodeOf(err), Op: "forget",
			Message: "the chats and bookmarks that lead to them and the explorer's history are removed, but not the turns",
			Hint:    "run the same command again", Err: err,
		}
	}
	if err == nil && !opts.DryRun {
		err = cleaning.after(ctx, st)
	}
	cleaning.report.ForgetReport = done
	return cleaning.report, err
}

// forgetting removes what repeats forgotten turns outside the archive: while they are removed, and once more.
type forgetting struct {
	archive    *Archive
	everything bool
	titles     []string // Forgotten.Titles so far
	cleaned    bool     // before has been called, and succeeded
	report     ForgetReport
}

// before is called with turns right before their removal is committed.
func (f *forgetting) before(_ context.Context, forgotten ingest.Forgotten) error {
	turns := make(map[uuid.UUID]bool, len(forgotten.Turns))
	for _, id := range forgotten.Turns {
		turns[id] = true
	}
	f.titles = append(f.titles, forgotten.Titles...)
	gone := Gone{f.everything, func(id uuid.UUID) bool { return turns[id] }, f.titles}
	if err := f.archive.forgetBeside(gone, &f.report); err != nil {
		return err
	}
	f.cleaned = true
	return nil
}

// after is called when they are removed.
func (f *forgetting) after(ctx context.Context, st store.Store) error {
	stored, err := turnsIn(context.WithoutCancel(ctx), st) // it is forgotten
	if err != nil {
		return err
	}
	gone := Gone{f.everything, func(id uuid.UUID) bool { return !stored[id] }, f.titles}
	return f.archive.forgetBeside(gone, &f.report)
}

// forgetBeside removes what the explorer's state reveals of what is gone, what killed backups and copies left, and the
// answers that cite turns that are gone. It adds what it removed to the report.
func (a *Archive) forgetBeside(gone Gone, report *ForgetReport) error {
	err := errors.Join(a.forgetState(gone, report), a.work().removeLeft())
	if a.opts.Answers == nil {
		return err
	}
	var chats int
	var failed error
	if gone.Everything {
		chats, failed = a.opts.Answers.Clear()
	} else {
		chats, failed = a.opts.Answers.Forget(gone.Turn)
	}
	report.Chats += chats
	return errors.Join(err, failed)
}

func (a *Archive) forgetState(gone Gone, report *ForgetReport) error {
	file := a.StateFile()
	if a.StateWithout == nil {
		return file.Remove()
	}
	kept, bookmarks := a.StateWithout(file.Load, gone)
	report.Bookmarks += bookmarks
	if kept == nil {
		return file.Remove()
	}
	return file.Save(kept)
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

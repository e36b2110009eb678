package archive

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"lens/cmd/internal/doctor"
	"lens/internal/errs"
	"lens/store"
	"lens/store/terms"
)

// An older Lens did not index the facts of turns, which filters by code and model look up, nor their languages, and did
// not keep the texts that it embedded.

// FactsMissing returns the number of turns whose facts IndexFacts would index; 0 if the archive cannot be written.
func (a *Archive) FactsMissing(ctx context.Context) (int, error) {
	st, err := a.Reading(ctx)
	if err != nil || a.limited() != nil {
		return 0, err
	}
	return store.UnindexedFacts(ctx, st)
}

// LanguagesMissing is FactsMissing for IndexLanguagesAside.
func (a *Archive) LanguagesMissing(ctx context.Context) (int, error) {
	st, err := a.Reading(ctx)
	if err != nil || a.limited() != nil {
		return 0, err
	}
	return terms.Languages().Missing(ctx, st)
}

// TextsMissing reports whether there are vectors whose texts FillTexts would look for; false if the archive cannot be
// written.
func (a *Archive) TextsMissing(ctx context.Context) (bool, error) {
	st, err := a.Reading(ctx)
	if err != nil || a.limited() != nil {
		return false, err
	}
	return textsMissing(ctx, st)
}

func textsMissing(ctx context.Context, st store.Reader) (bool, error) {
	one, err := st.VectorsWithoutText(ctx, false, store.Embedded{}, 1)
	return len(one) > 0, err
}

// limited returns why the store could not be opened for writing, nil if it could.
func (a *Archive) limited() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.limit
}

// IndexFacts indexes the facts of the turns that lack them, for a verb that needs them at once. Afterwards there are
// none; usually there were none before. progress may be nil. Errors: unavailable, for an archive that cannot be
// written too.
func (a *Archive) IndexFacts(ctx context.Context, progress func(Progress)) error {
	missing := func(ctx context.Context, st store.Reader) (bool, error) {
		n, err := store.UnindexedFacts(ctx, st)
		return n > 0, err
	}
	return a.mend(ctx, missing, func(st store.Store) error { return store.IndexFacts(ctx, st, counter(progress)) })
}

// FillTexts looks for the texts of vectors that an older Lens made. It is like IndexFacts.
func (a *Archive) FillTexts(ctx context.Context, progress func(Progress)) error {
	return a.mend(ctx, textsMissing, func(st store.Store) error {
		return store.FillEmbeddedTexts(ctx, st, a.opts.WholeText, counter(progress))
	})
}

// counter returns progress as a function of two numbers.
func counter(progress func(Progress)) func(done, total int) {
	return func(done, total int) {
		if progress != nil {
			progress(Progress{Done: int64(done), Total: int64(total)})
		}
	}
}

// writerPause is longer than a writer holds the archive after a commit: in this time, another process can begin.
const writerPause = 400 * time.Millisecond

// IndexFactsAside is IndexFacts for the background: other writers come first.
func (a *Archive) IndexFactsAside(ctx context.Context, progress func(Progress)) error {
	return a.IndexFacts(ctx, pausing(ctx, progress))
}

// IndexLanguagesAside indexes the languages of the turns that lack them, with the stems of their words, in the
// background: other writers come first. Until it is done, searches find words of these turns as an older Lens did.
func (a *Archive) IndexLanguagesAside(ctx context.Context, progress func(Progress)) error {
	languages := terms.Languages()
	missing := func(ctx context.Context, st store.Reader) (bool, error) {
		n, err := languages.Missing(ctx, st)
		return n > 0, err
	}
	return a.mend(ctx, missing, func(st store.Store) error {
		return languages.Run(ctx, st, counter(pausing(ctx, progress)))
	})
}

// FillTextsAside is FillTexts for the background: other writers come first.
func (a *Archive) FillTextsAside(ctx context.Context, progress func(Progress)) error {
	return a.FillTexts(ctx, pausing(ctx, progress))
}

func pausing(ctx context.Context, progress func(Progress)) func(Progress) {
	return func(p Progress) {
		progress(p)
		select {
		case <-ctx.Done():
		case <-time.After(writerPause):
		}
	}
}

// mend runs do if something is missing, on a store that can be written.
func (a *Archive) mend(
	ctx context.Context, missing func(context.Context, store.Reader) (bool, error), do func(store.Store) error,
) error {
	st, err := a.Reading(ctx)
	if err != nil {
		return err
	}
	if some, err := missing(ctx, st); err != nil || !some {
		return err
	}
	if err := a.limited(); err != nil {
		return err
	}
	if a.remote() { // the open store only reads
		writer, err := a.openWith(ctx, access{})
		if err != nil {
			return err
		}
		defer func() { _ = writer.Close() }() // everything is committed
		st = writer
	}
	return do(st)
}

// upkeepRetry is the pause before another attempt, for example because another process writes.
const upkeepRetry = time.Minute

// Upkeep indexes the facts of turns in the background until none is missing, then their languages, then looks for the
// texts of vectors, for a process that runs long. It stops when ctx ends. report gets the progress, and failures, after
// which it tries again.
func (a *Archive) Upkeep(ctx context.Context, report func(p Progress, err error)) {
	for {
		progress := func(p Progress) { report(p, nil) }
		err := a.IndexFactsAside(ctx, progress)
		if err == nil {
			err = a.IndexLanguagesAside(ctx, progress)
		}
		if err == nil {
			err = a.FillTextsAside(ctx, progress)
		}
		if err == nil || ctx.Err() != nil || errs.CodeOf(err) == errs.NotFound { // later imports index facts themselves
			return
		}
		report(Progress{}, err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(upkeepRetry):
		}
	}
}

// checkFacts checks whether the facts of all turns are indexed.
func checkFacts(ctx context.Context, st store.Reader) doctor.Check {
	missing, err := store.UnindexedFacts(ctx, st)
	switch {
	case err != nil:
		return doctor.Failed("facts", err)
	case missing > 0:
		return doctor.Check{
			Name: "facts", Status: doctor.Warn,
			Message: fmt.Sprintf("%d turns are not yet indexed by code and model", missing),
			Hint:    "run lens, or lens peek has-code:yes, to index them",
		}
	}
	return doctor.Check{Name: "facts", Status: doctor.OK, Message: "every turn is indexed by code and model"}
}

// describeLanguages counts the turns of each language, and says why they do not add up to all that are indexed.
func describeLanguages(known []terms.LanguageCount, indexed int) string {
	if len(known) == 0 {
		return "none is known yet"
	}
	var each []string
	sum := 0
	for _, l := range known {
		each = append(each, fmt.Sprintf("%s %d", l.Language, l.Turns))
		sum += l.Turns
	}
	message := "turns by language: " + strings.Join(each, ", ")
	switch {
	case sum > indexed:
		message += "; some turns are in two"
	case sum < indexed:
		message += "; unknown for the others"
	}
	return message
}

// checkLanguages says which languages the turns are in, and whether all are indexed by them.
func checkLanguages(ctx context.Context, st store.Reader) doctor.Check {
	known, missing, err := terms.CountLanguages(ctx, st)
	if err != nil {
		return doctor.Failed("languages", err)
	}
	catalog, err := st.Catalog(ctx)
	if err != nil {
		return doctor.Failed("languages", err)
	}
	message := describeLanguages(known, catalog.Len()-missing)
	if slices.ContainsFunc(catalog.Flags, func(f store.Flag) bool { return f&store.FlagOnPath == 0 }) {
		message += "; those on abandoned branches are counted, too"
	}
	c := doctor.Check{Name: "languages", Status: doctor.OK, Message: message}
	if missing > 0 {
		c.Status = doctor.Warn
		c.Hint = "run lens, or lens serve, to index them; until then their words are stemmed as English"
		c.Message += fmt.Sprintf("; %d turns are not yet indexed by language", missing)
	}
	return c
}

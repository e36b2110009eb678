package main

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/internal/errs"
	"lens/retrieval/query"
	tui "lens/tui/app"
)

// An archive of an older Lens lacks what filters by code and model look up, the languages of its turns, and the texts
// of its vectors. Whatever runs long adds them in the background; a verb that needs facts or texts adds them first.

// Upkeep returns what the opened archive needs, nil for nothing.
func (j explorerJobs) Upkeep(ctx context.Context) *tui.Work {
	archived := j.app.Archive
	facts, err := archived.FactsMissing(ctx)
	if err != nil {
		return nil
	}
	languages, err := archived.LanguagesMissing(ctx)
	if err != nil {
		return nil
	}
	texts, err := archived.TextsMissing(ctx)
	if err != nil {
		return nil
	}
	w := &tui.Work{Name: "indexing code and models of", Unit: "turns"}
	said := "has-code: and model: now find every turn"
	switch {
	case facts > 0:
	case languages > 0:
		w.Name, said = "indexing the languages of", "words are now found in other forms, too"
	case texts:
		w.Name, w.Unit, said = "keeping the texts of", "vectors", "lens turn --embedded now shows embedded texts"
	default:
		return nil
	}
	w.Do = func(ctx context.Context, report func(done, total int64)) (string, error) {
		progress := func(p archive.Progress) { report(p.Done, p.Total) }
		err := archived.IndexFactsAside(ctx, progress)
		if err == nil {
			err = archived.IndexLanguagesAside(ctx, progress)
		}
		if err == nil {
			err = archived.FillTextsAside(ctx, progress)
		}
		return said, err
	}
	return w
}

// keepUp does the same for a server, keeps the archive ready for searches, and finds its topics, until the returned
// function is called.
func keepUp(ctx context.Context, a *app.App, archived *archive.Server, log *slog.Logger) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var background sync.WaitGroup
	background.Go(func() { archived.KeepReady(ctx) })
	background.Go(func() {
		a.Archive.Upkeep(ctx, func(p archive.Progress, err error) {
			if err != nil {
				log.Warn("cannot complete the archive", "code", errs.CodeOf(err))
				return
			}
			log.Info("completing the archive", "done", p.Done, "total", p.Total)
		})
	})
	background.Go(func() {
		a.Archive.KeepTopics(ctx, func(err error) { log.Warn("cannot find topics", "code", errs.CodeOf(err)) })
	})
	return func() { cancel(); background.Wait() }
}

// indexFacts indexes what filters by code and model look up, if one of the queries has any.
func (e *Env) indexFacts(ctx context.Context, a *app.App, queries ...query.Query) error {
	if !slices.ContainsFunc(queries, func(q query.Query) bool {
		return q.Filter.HasCode != nil || !q.Filter.Models.IsZero()
	}) {
		return nil
	}
	return e.indexAllFacts(ctx, a)
}

// indexAllFacts indexes what filters by code and model look up. It shows its progress.
func (e *Env) indexAllFacts(ctx context.Context, a *app.App) error {
	bar := &progressBar{screen: e.Err, title: "indexing"}
	defer bar.erase()
	return a.Archive.IndexFacts(ctx, bar.show)
}

// fillTexts looks for the texts of vectors that an older Lens made. It shows its progress.
func (e *Env) fillTexts(ctx context.Context, a *app.App) error {
	bar := &progressBar{screen: e.Err, title: "looking for embedded texts"}
	defer bar.erase()
	return a.Archive.FillTexts(ctx, bar.show)
}

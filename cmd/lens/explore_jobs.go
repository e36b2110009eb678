package main

import (
	"context"
	"errors"
	"strings"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/internal/errs"
	tui "lens/tui/app"
)

// The explorer can also import and embed. Each job has an app of its own, because the explorer keeps reading with its
// own one.

// explorerJobs are what the explorer can do in the background.
type explorerJobs struct {
	app   *app.App
	embed *tui.Work // nil: there is no built-in model
}

// Embed embeds every turn.
func (j explorerJobs) Embed() *tui.Work { return j.embed }

// Unembedded counts the turns without a vector of the model that is searched, negative where there is no such model.
func (j explorerJobs) Unembedded(ctx context.Context) int { return unembedded(ctx, j.app) }

func unembedded(ctx context.Context, a *app.App) int {
	c, err := a.Embedding.Searched(ctx)
	if err != nil || c.Generation.ID == 0 {
		return -1
	}
	return c.Pending
}

// Import imports exports.
func (j explorerJobs) Import(paths ...string) tui.Work {
	work := func(ctx context.Context, report func(done, total int64)) (string, error) {
		writer := j.app.Beside("import")
		defer func() { _ = writer.Close() }()
		progress := func(p archive.Progress) { report(p.Done, p.Total) }
		receipt, err := writer.Archive.Import(ctx, paths, archive.ImportOptions{Progress: progress, Version: version})
		if err != nil {
			return "", keptBefore(receipt, err)
		}
		text := describeNew(receipt)
		if embedJob(j.app) != nil && unembedded(ctx, writer) != 0 {
			text += "; press . to make new turns searchable by meaning"
		}
		return text, nil
	}
	return tui.Work{Name: "importing", Unit: "bytes", Do: work}
}

// look returns what looks for chats on this machine, nil if nothing may.
func (e *explorer) look() func(context.Context) ([]tui.Found, error) {
	look := lookAround(e.app.Config(), archive.ThisMachine())
	if look == nil {
		return nil
	}
	return func(ctx context.Context) (all []tui.Found, err error) {
		found, err := look(ctx)
		for i := range found {
			if f := &found[i]; f.Files > 0 {
				facts := e.env.Out.list(count(f.Files, "file"), bytesOf(f.Bytes))
				all = append(all, tui.Found{Name: f.Name, Path: f.Path, Shown: shortPath(f.Path), Facts: facts})
			}
		}
		return all, err
	}
}

// describeNew describes the conversations of an import.
func describeNew(r *archive.Receipt) string {
	c := r.Conversations
	facts := []string{
		grouped(c.New) + " new", grouped(c.Updated) + " updated", count(c.Unchanged, "unchanged conversation"),
	}
	if r.Forgotten > 0 {
		facts = append(facts, grouped(r.Forgotten)+" forgotten")
	}
	if named := r.NotImported().Named(); named != "" {
		facts = append(facts, "not imported: "+named)
	}
	return strings.Join(facts, ", ")
}

// keptBefore adds to the error of an import what it has kept.
func keptBefore(r *archive.Receipt, err error) error {
	if !r.Changed() || errors.Is(err, context.Canceled) {
		return err
	}
	first := errs.First(err)
	return failureWith(first.Code, first.Hint, "%s (kept: %s)", first.Message, describeNew(r))
}

// The name of the job that embeds, and what it says in the end.
const (
	embeddingJob      = "embedding"
	everyTurnEmbedded = "every turn with an answer is searchable by meaning"
)

// embedJob embeds every turn with the built-in model that the archive is searched with; nil if there is none.
func embedJob(a *app.App) *tui.Work {
	if m, err := a.Models.Configured(); err != nil || m == nil || !m.Builtin() {
		return nil
	}
	work := func(ctx context.Context, report func(done, total int64)) (string, error) {
		writer := a.Beside("embed")
		defer func() { _ = writer.Close() }()
		if model, err := writer.Embedding.UseArchiveModel(ctx); err != nil || model == nil {
			return "no embedding model; run lens embed for details", err
		}
		_, err := writer.Embedding.Run(ctx, false, func(p archive.Progress) { report(p.Done, p.Total) })
		if err == nil {
			err = writer.Embedding.Index(ctx, func(archive.Progress) {}) // soon done, next to embedding
		}
		return everyTurnEmbedded, err
	}
	return &tui.Work{Name: embeddingJob, Unit: "turns", Do: work}
}

package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"lens/cmd/internal/app"
	"lens/cmd/internal/models"
	"lens/internal/errs"
)

// embedder embeds turns for the verbs lens embed, import, demo and summarize.
type embedder struct {
	env   *Env
	app   *app.App
	flags embedFlags
}

// errDeclined is returned when the user answers no.
var errDeclined = failure("run lens embed to be asked again; search by words works without vectors",
	"nothing was sent")

// embed embeds the turns without a vector once the user agrees, and makes the new vectors the ones that searches use.
// If the model refused some turns, it returns both the report and an error that names them.
func (e *embedder) embed(ctx context.Context) (*embedded, error) {
	before, err := e.app.Embedding.Coverage(ctx, e.flags.branches)
	if err != nil {
		return nil, err
	}
	model, err := e.app.Models.Configured()
	if err != nil {
		return nil, err
	}
	if before.Pending > 0 {
		if err := e.confirm(ctx, e.flags.yes || model.Builtin()); err != nil { // a built-in model sends nothing
			return nil, err
		}
	}
	report := &models.EmbedReport{Generation: before.Generation}
	if !before.Complete() {
		if report, err = e.run(ctx); err != nil {
			return nil, err
		}
	}
	return &embedded{
		Model:     *model,
		Dim:       report.Generation.Dim,
		Active:    report.Generation.Active,
		Embedded:  report.Embedded,
		Reused:    report.Reused,
		Tokens:    report.Tokens,
		Truncated: report.Truncated,
		Failed:    len(report.Failed),
		Pending:   report.Pending,
		before:    before,
	}, errors.Join(refusedTurns(report), e.index(ctx))
}

// confirm prints the estimate and asks. With --yes and --json it does neither, and so saves counting the tokens.
func (e *embedder) confirm(ctx context.Context, yes bool) error {
	if yes && e.env.JSON {
		return nil
	}
	estimate, err := e.estimate(ctx)
	if err != nil {
		return err
	}
	e.env.Err.println(estimate)
	if e.app.Models.Assumed() {
		e.env.Err.printf("LENS_EMBEDDING_MODEL names no model, so %s is assumed. If the server of OPENAI_BASE_URL is for "+
			"chat alone, set LENS_EMBEDDING=local, or none.\n", estimate.Name)
	}
	if yes {
		return nil
	}
	return e.env.Prompt.confirm(ctx, "Send them?", errDeclined)
}

// estimate counts what embedding would send. It reads every text, so it shows progress.
func (e *embedder) estimate(ctx context.Context) (*embedEstimate, error) {
	bar := &progressBar{screen: e.env.Err, title: "counting"}
	counted, err := e.app.Embedding.Estimate(ctx, e.flags.branches, bar.show)
	bar.erase()
	if err != nil {
		return nil, err
	}
	model, err := e.app.Models.Configured()
	if err != nil {
		return nil, err
	}
	estimate := &embedEstimate{
		Model:     *model,
		Turns:     counted.Turns,
		Texts:     counted.Texts,
		Tokens:    counted.Tokens,
		Exact:     counted.Exact,
		Truncated: counted.Truncated,
		Requests:  counted.Requests,
	}
	if counted.Priced {
		estimate.USD = &counted.USD
	}
	if counted.Time > 0 {
		seconds := counted.Time.Seconds()
		estimate.Seconds = &seconds
	}
	return estimate, nil
}

// run embeds the turns without a vector.
func (e *embedder) run(ctx context.Context) (*models.EmbedReport, error) {
	bar := &progressBar{screen: e.env.Err, title: "embedding"}
	report, err := e.app.Embedding.Run(ctx, e.flags.branches, bar.show)
	bar.erase()
	if err != nil && (report.Embedded > 0 || ctx.Err() != nil) {
		e.env.Err.printf("%s embedded so far; run lens embed to continue.\n", count(report.Embedded, "turn"))
	}
	return report, err
}

// index builds the vector index, also where an interrupted run left it unfinished.
func (e *embedder) index(ctx context.Context) error {
	bar := &progressBar{screen: e.env.Err, title: "indexing"}
	defer bar.erase()
	return e.app.Embedding.Index(ctx, bar.show)
}

// embedNew embeds new turns with the built-in model that the archive is searched with, and reports whether there is
// one. It does nothing if every turn already has a vector.
func (e *embedder) embedNew(ctx context.Context) (done *embedded, builtin bool, err error) {
	model, err := e.app.Embedding.UseArchiveModel(ctx)
	if err != nil || model == nil {
		return nil, false, err
	}
	before, err := e.app.Embedding.Coverage(ctx, e.flags.branches)
	if err != nil || before.Complete() && !e.env.JSON {
		return nil, true, err
	}
	done, err = e.embed(ctx)
	return done, true, err
}

// offer embeds if a model is configured and the user agrees, and otherwise prints how to. It returns nil if it did not
// embed.
func (e *embedder) offer(ctx context.Context) (*embedded, error) {
	if done, builtin, err := e.embedNew(ctx); builtin || err != nil {
		return done, err
	}
	model, err := e.app.Models.Configured()
	if err != nil || model == nil {
		e.hint(strings.TrimSuffix(e.app.Models.Hint(0), "."))
		return nil, nil // an import does not fail because it cannot embed
	}
	const later = "to search by meaning, run lens embed"
	if !e.flags.yes && (e.env.JSON || !e.env.Prompt.canAsk()) {
		if now, err := e.app.Embedding.Coverage(ctx, e.flags.branches); err != nil || !now.Complete() {
			e.hint(later)
		}
		return nil, nil
	}
	done, err := e.embed(ctx)
	if errors.Is(err, errDeclined) { // the import is done
		e.hint(later)
		return nil, nil
	}
	return done, err
}

// hint prints the next step towards searches by meaning, if there is one.
func (e *embedder) hint(next string) {
	if next != "" {
		e.env.Err.println(e.env.Err.faint("You can search by words now. " + upperFirst(next) + "."))
	}
}

// refusedTurns returns the error that says which turns the model refused; nil when it refused none.
func refusedTurns(r *models.EmbedReport) error {
	if len(r.Failed) == 0 {
		return nil
	}
	first := r.Failed[0]
	reason := cmp.Or(errs.First(first.Err).Message, "refused")
	hint := "run lens embed to try them again; all other turns are searchable"
	if !r.Generation.Active {
		hint = "run lens embed to try them again; until then, searches use the previous vectors"
	}
	return failure(hint, "cannot embed %s; the first is %s: %s", count(len(r.Failed), "turn"), first.Turn, reason)
}

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/chat"
	"lens/cmd/internal/models"
)

// summarizeFlags holds the flags of lens summarize.
type summarizeFlags struct {
	yes, estimate bool
	longer, limit int
}

func newSummarizeCmd(env *Env) *cobra.Command {
	var f summarizeFlags
	cmd := &cobra.Command{
		Use:   "summarize",
		Short: "Summarize long turns with a chat model",
		Long: unwrap(`Sends long turns without a summary to the configured chat model, and keeps a few sentences about each.
Lists, the chat and search by meaning use these summaries.

It first prints how much it would send and where, and asks before the first byte leaves this machine. It resumes where
it stopped. Summaries that came with an export are never changed. Turns that had a vector get a new one, if its model is
built in or configured.`),
		Example: `  lens summarize --estimate
  lens summarize --limit 100 --yes`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runSummarize(cmd, env, f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.yes, "yes", false, "summarize without asking")
	flags.BoolVar(&f.estimate, "estimate", false, "print the estimate and stop")
	flags.IntVar(&f.longer, "longer", 4000, "a turn is long if its reply has more characters than this")
	flags.IntVar(&f.limit, "limit", 0, "summarize at most this many turns (default: all)")
	return cmd
}

// summarized reports a run, as --json prints it.
type summarized struct {
	Model      string `json:"model"`
	Summarized int    `json:"summarized"`
	Failed     int    `json:"failed"`
	Pending    int    `json:"pending"`
	Embedded   int    `json:"embedded"`   // turns that got a new vector
	Unembedded int    `json:"unembedded"` // turns that lost their vector and got no new one
}

func runSummarize(cmd *cobra.Command, env *Env, f summarizeFlags) error {
	if f.longer < 1 || f.limit < 0 {
		return usage("", "--longer must be at least 1, and --limit must not be negative")
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	opts := chat.SummarizeOptions{Longer: f.longer, Limit: f.limit}
	e, err := a.Summaries.Estimate(cmd.Context(), opts)
	switch {
	case err != nil:
		return err
	case f.estimate:
		return env.Print(e, func() { env.Out.printf("%s\nNothing was sent.\n", describeSummaries(e)) })
	case e.Turns == 0:
		done := &summarized{Model: e.Model}
		return env.Print(done, func() { printSummarized(env.Out, done) })
	}
	if !f.yes || !env.JSON {
		env.Err.println(describeSummaries(e))
	}
	if !f.yes {
		declined := failure("run lens summarize to be asked again", "nothing was sent")
		if err := env.Prompt.confirm(cmd.Context(), "Send them?", declined); err != nil {
			return err
		}
	}
	done, err := runSummaries(cmd, env, a, opts)
	if err != nil {
		return err
	}
	done.Model = e.Model
	return env.Print(done, func() { printSummarized(env.Out, done) })
}

// runSummaries summarizes turns and embeds again those that had a vector.
func runSummaries(cmd *cobra.Command, env *Env, a *app.App, opts chat.SummarizeOptions) (*summarized, error) {
	ctx := cmd.Context()
	if _, err := a.Embedding.UseArchiveModel(ctx); err != nil { // new vectors must come from the model that searches use
		return nil, err
	}
	before, err := a.Embedding.Searched(ctx)
	if err != nil {
		return nil, err
	}
	bar := &progressBar{screen: env.Err, title: "summarizing"}
	opts.Progress = bar.show
	report, err := a.Summaries.Run(ctx, opts)
	bar.erase()
	done := &summarized{Summarized: report.Summarized, Failed: len(report.Failed), Pending: report.Pending}
	if err != nil {
		if report.Summarized > 0 {
			env.Err.printf("%s summarized so far; run lens summarize to continue.\n", count(report.Summarized, "turn"))
		}
		_, counting := countLost(context.WithoutCancel(ctx), env, a, before)
		return nil, errors.Join(err, counting)
	}
	if done.Embedded, err = embedAgain(ctx, env, a); err != nil {
		kept := failure("run lens embed to continue", "the summaries are kept, but not all of them could be embedded")
		return nil, errors.Join(kept, err)
	}
	done.Unembedded, err = countLost(ctx, env, a, before)
	return done, err
}

// countLost counts the turns that search by meaning no longer finds, and prints the number.
func countLost(ctx context.Context, env *Env, a *app.App, before models.Coverage) (int, error) {
	lost, err := a.Embedding.Lost(ctx, before)
	if lost > 0 {
		hint := "configure " + before.Generation.Model + " and run lens embed."
		env.Err.println(env.Err.warn(count(lost, "turn") + " can be found by words only: " + hint))
	}
	return lost, err
}

// embedAgain embeds the turns without a vector, if searches use the configured model.
func embedAgain(ctx context.Context, env *Env, a *app.App) (int, error) {
	model, err := a.Models.Configured()
	if model == nil || err != nil {
		return 0, nil // countLost reports the turns without a vector
	}
	now, err := a.Embedding.Coverage(ctx, false)
	if err != nil || !now.Generation.Active || now.Pending == 0 {
		return 0, err
	}
	report, err := (&embedder{env: env, app: a}).run(ctx)
	return report.Embedded, err
}

func printSummarized(out *screen, d *summarized) {
	if d.Summarized+d.Failed == 0 {
		out.println("Every long turn has a summary.")
		return
	}
	text := fmt.Sprintf("%s summarized with %s", count(d.Summarized, "turn"), d.Model)
	if d.Embedded > 0 {
		text += fmt.Sprintf(", %s embedded again", grouped(d.Embedded))
	}
	if d.Failed > 0 {
		text += fmt.Sprintf("; %s failed, which the next run tries again", grouped(d.Failed))
	}
	out.println(text + ".")
	if d.Pending > 0 {
		out.printf("%s still without a summary.\n", count(d.Pending, "long turn"))
	}
}

// describeSummaries describes an estimate to a person.
func describeSummaries(e chat.SummaryEstimate) string {
	where := e.Server
	if where == "" {
		where = "a model on this machine"
	}
	return fmt.Sprintf("%s: sends %s to %s (%s) and receives about %s.",
		count(e.Turns, "long turn"), count(e.Tokens, "token"), where, e.Model, grouped(120*e.Turns))
}

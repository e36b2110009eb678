package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/cmd/internal/doctor"
	"lens/internal/shell"
	"lens/retrieval/query"
	tui "lens/tui/app"
)

func newDemoCmd(env *Env) *cobra.Command {
	var noTUI bool
	var explorer explorerFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Explore five years of synthetic chats",
		Long: unwrap(`Generates five years of synthetic chats, imports them into an archive of their own, and opens the
explorer on it. Your own archive is not touched.

With a built-in model installed (see lens model), you can search the demo by meaning too; otherwise by words.`),
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd, env, noTUI, explorer) },
	}
	explorer.addTo(cmd)
	cmd.Flags().BoolVar(&noTUI, "no-tui", false, "do not open the explorer")
	return cmd
}

func runDemo(cmd *cobra.Command, env *Env, noTUI bool, flags explorerFlags) error {
	cfg, err := env.Config(cmd)
	if err != nil {
		return err
	}
	a := env.Use(app.Demo(cfg, cmd.Name()))
	bar := &progressBar{screen: env.Err, title: "importing", bytes: true}
	receipt, err := a.Archive.ImportDemo(cmd.Context(), bar.show)
	bar.erase()
	if err != nil {
		return err
	}
	if env.Interactive() && !noTUI && !env.JSON {
		return exploreDemo(cmd, env, cfg, a, flags)
	}
	if !env.JSON {
		if err := printReceipt(env.Out, receipt, describeImport(receipt, false, nil)); err != nil {
			return err
		}
	}
	e := &embedder{env: env, app: a}
	vectors, builtin, err := e.embedNew(cmd.Context())
	if !builtin && err == nil {
		e.hint(a.Models.Hint(0))
	}
	switch {
	case env.JSON:
		return errors.Join(err, receipt.Check(), env.Out.json(imported{receipt, vectors}))
	case err != nil:
		return err
	case vectors != nil:
		if err := printEmbedded(env, vectors); err != nil {
			return err
		}
	}
	if env.Interactive() {
		env.Out.printf("\nThe demo is in %s. Run lens --data %s to open it.\n", a.Config().DataDir,
			shell.Quote(a.Config().DataDir))
		return nil
	}
	return printDemoTour(cmd, env, a)
}

// exploreDemo opens the explorer at once and embeds in the background.
func exploreDemo(cmd *cobra.Command, env *Env, cfg config.Config, a *app.App, flags explorerFlags) error {
	writer := env.Use(app.Demo(cfg, cmd.Name())) // the explorer goes on reading
	b := startEmbedding(cmd.Context(), writer)
	err := (&explorer{env, a, flags}).run(cmd.Context(), demoJobs{explorerJobs{a, embedJob(a)}, b})
	if left := b.stop(); left != "" {
		env.Err.println(left)
	}
	return err
}

// demoJobs show the embedding of the demo as a job of the explorer, which searches again when that has ended.
type demoJobs struct {
	explorerJobs
	begun *backgroundEmbedding
}

// Upkeep returns the embedding, what any archive needs where there was nothing to embed.
func (j demoJobs) Upkeep(ctx context.Context) *tui.Work {
	if j.begun.hasEnded() && j.begun.total.Load() == 0 {
		return j.explorerJobs.Upkeep(ctx)
	}
	return &tui.Work{Name: embeddingJob, Unit: "turns", Do: j.begun.follow}
}

// backgroundEmbedding runs while the explorer is open.
type backgroundEmbedding struct {
	cancel      context.CancelFunc
	ended       chan struct{}
	done, total atomic.Int64
	err         error // valid once ended is closed
}

// startEmbedding starts to embed the turns without a vector, if a built-in model is available.
func startEmbedding(ctx context.Context, a *app.App) *backgroundEmbedding {
	ctx, cancel := context.WithCancel(ctx)
	b := &backgroundEmbedding{cancel: cancel, ended: make(chan struct{})}
	go func() {
		defer close(b.ended)
		if model, err := a.Embedding.UseArchiveModel(ctx); err != nil || model == nil {
			b.err = err
			return
		}
		_, b.err = a.Embedding.Run(ctx, false, func(p archive.Progress) {
			b.total.Store(p.Total)
			b.done.Store(p.Done)
		})
	}()
	return b
}

func (b *backgroundEmbedding) hasEnded() bool {
	select {
	case <-b.ended:
		return true
	default:
		return false
	}
}

// followed is how often the progress is reported.
const followed = 200 * time.Millisecond

// follow reports the progress until the embedding has ended, which it does with ctx.
func (b *backgroundEmbedding) follow(ctx context.Context, report func(done, total int64)) (string, error) {
	defer context.AfterFunc(ctx, b.cancel)()
	ticker := time.NewTicker(followed)
	defer ticker.Stop()
	for !b.hasEnded() {
		report(b.done.Load(), b.total.Load())
		select {
		case <-b.ended:
		case <-ticker.C:
		}
	}
	if b.err != nil || b.total.Load() == 0 {
		return "", b.err
	}
	return everyTurnEmbedded, nil
}

// stop ends the embedding and describes what is left to do and why; "" for nothing.
func (b *backgroundEmbedding) stop() string {
	b.cancel()
	<-b.ended
	done, total := b.done.Load(), b.total.Load()
	switch {
	case b.err == nil, errors.Is(b.err, context.Canceled) && total == 0: // total 0: it has not counted yet
		return ""
	case errors.Is(b.err, context.Canceled):
		return fmt.Sprintf("%s cannot be searched by meaning yet; run lens demo to continue.", count(total-done, "turn"))
	}
	return "The demo can be searched by words only: " + doctor.Failed("", b.err).Message + "."
}

// printDemoTour shows what the explorer would: a topic over time, the turns nearest to it, and one of them in full.
func printDemoTour(cmd *cobra.Command, env *Env, a *app.App) error {
	engine, err := a.Archive.Engine(cmd.Context())
	if err != nil {
		return err
	}
	q := query.Query{Text: archive.DemoQuery, Snippets: new(5), AutoBins: env.autoBins()}
	data := shell.Quote(a.Config().DataDir)
	env.Out.printf("\n$ lens peek %q --data %s\n", archive.DemoQuery, data)
	p, err := engine.Peek(cmd.Context(), q)
	if err != nil {
		return err
	}
	hints, err := findHints(cmd.Context(), engine, p, q)
	if err != nil {
		return err
	}
	printNotice(env, a, noticedIn(p), query.Auto)
	printPeek(env.Out, p, hints)
	if len(p.Matches) == 0 {
		return errNothing
	}
	env.Out.printf("\n$ lens turn %s --data %s\n", p.Matches[0].TurnID, data)
	t, err := engine.Turn(cmd.Context(), p.Matches[0].TurnID.String())
	if err != nil {
		return err
	}
	printTurn(env.Out, t)
	return nil
}

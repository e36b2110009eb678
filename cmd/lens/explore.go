package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/tui"
)

const defaultFPS = 60

// explorerFlags holds the flags of the explorer.
type explorerFlags struct {
	fresh        bool
	query, theme string
	fps          int
}

func (f *explorerFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.fresh, "fresh", false, "start with the whole archive instead of where you left off")
	flags.StringVar(&f.query, "query", "", "start with this query")
	flags.StringVar(&f.theme, "theme", "", "color theme: dark, light, mono or ascii (default: detected from the terminal)")
	flags.IntVar(&f.fps, "fps", defaultFPS, "frames per second, at most 120")
}

// runExplorer opens the explorer.
func runExplorer(cmd *cobra.Command, env *Env, flags explorerFlags) error {
	switch {
	case env.JSON:
		return usage("use lens peek QUERY --json or lens activity --json", "the explorer has no JSON output")
	case env.Plain:
		return runPlainExplorer(cmd, env, flags.query)
	case !env.Interactive():
		return failure("use lens peek QUERY instead, or run lens --help for all commands",
			"the explorer needs a terminal")
	}
	l, err := env.Open(cmd)
	if err != nil {
		return err
	}
	return openExplorer(cmd.Context(), env, l, flags, l.Models.Hint)
}

// openExplorer runs the explorer until the user quits. The explorer opens the archive itself, after drawing its first
// frame. meaning returns a hint about what is missing for searching by meaning, given the share of turns that have a
// vector.
func openExplorer(
	ctx context.Context, env *Env, l *app.App, flags explorerFlags, meaning func(embeddedShare float64) string,
) error {
	if _, err := l.Folder.Home(); err != nil { // ask for the PIN now: the explorer takes over the terminal
		return err
	}
	l.Keys.OnSecret(nil)
	opts := tui.Options{
		Open: func(ctx context.Context) (tui.Engine, error) {
			engine, err := l.Engine(ctx)
			if err != nil {
				return nil, err // do not wrap a nil pointer in the interface
			}
			return redactedEngine{engine, env.Redact}, nil
		},
		Doing:       openingNotice(env, l),
		Aside:       limitsOf(env, l),
		Stored:      l.Stored,
		Offline:     l.Config().Offline,
		Log:         l.Logs.Path(),
		Explain:     env.Report.explain,
		MeaningHint: meaning,
		Archive:     l.Place(),
		Query:       flags.query,
		Theme:       flags.theme,
		FPS:         flags.fps,
		Keep:        keepOn(l),
		Write: func(ctx context.Context, w io.Writer, file string, turns []uuid.UUID) error {
			format, ok := app.ExportFormats.OfFile(file)
			if !ok {
				format, _ = app.ExportFormats.Named("md")
			}
			_, err := l.Export(ctx, w, app.ExportOptions{Format: format, Turns: turns})
			return err
		},
		FileTypes: app.ExportFormats.Extensions(),
	}
	opts.Search = offlineSearch(env, l)
	opts.Import, opts.Embed, opts.Chat = importJob(env, l), embedJob(env, l), env.Redact.hiding(explorerChat(l))
	if kept := new(tui.Session); !flags.fresh && l.StateFile().Load(kept) {
		opts.Session = kept
	}
	var err error
	if opts.Keys, err = config.LoadKeys(config.Options{}); err != nil {
		return err
	}
	defer guard(l, &opts)()
	err = tui.Run(ctx, opts)
	if wrong := new(tui.KeysError); errors.As(err, &wrong) {
		return failure("fix keys.yaml in the configuration folder, or delete it",
			"cannot read keys.yaml: %s", strings.ReplaceAll(wrong.Err.Error(), "\n", "; "))
	}
	if dumb := new(tui.DumbTerminalError); errors.As(err, &dumb) {
		return failure("use lens --plain", "this terminal cannot show the explorer")
	}
	return err
}

// openingNotice returns a function that returns the latest progress notice while the archive opens. Nothing may be
// printed while the explorer is on screen.
func openingNotice(env *Env, l *app.App) func() string {
	var said atomic.Pointer[string]
	l.OnNotice(func(sentence string) { said.Store(&sentence) })
	return func() string {
		if sentence := said.Load(); sentence != nil {
			return *sentence
		}
		return ""
	}
}

// limitsOf returns a function that explains why an open archive is read-only.
func limitsOf(env *Env, l *app.App) func(ctx context.Context) (badge, why string) {
	return func(ctx context.Context) (string, string) {
		err := l.ReadOnly(ctx)
		if err == nil || ctx.Err() != nil {
			return "", ""
		}
		why, _ := env.Report.explain(err)
		return "read-only", "read-only: " + why
	}
}

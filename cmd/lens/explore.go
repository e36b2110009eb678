package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"

	"github.com/charmbracelet/x/term"
	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/config"
	"lens/cmd/internal/explain"
	"lens/tui"
)

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
	flags.IntVar(&f.fps, "fps", 60, "frames per second, at most 120")
}

// interactive reports whether the explorer can run: stdin and stdout are a terminal, and --plain is not given.
func (s *session) interactive() bool {
	return s.out.terminal && term.IsTerminal(s.in.Fd()) && !s.globals.plain
}

// explore opens the explorer.
func (s *session) explore(cmd *cobra.Command, _ []string) error {
	switch {
	case s.globals.json:
		return usage("use lens peek QUERY --json or lens activity --json", "the explorer has no JSON output")
	case s.globals.plain:
		return s.explorePlain(cmd)
	case !s.interactive():
		return &refusal{
			code: failed, message: "the explorer needs a terminal",
			hint: "use lens peek QUERY instead, or run lens --help for all commands",
		}
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	return s.openExplorer(cmd.Context(), l, l.MeaningHint)
}

// openExplorer runs the explorer until the user quits. The explorer opens the archive itself, after drawing its first
// frame. meaning returns a hint about what is missing for searching by meaning, given the share of turns that have a
// vector.
func (s *session) openExplorer(ctx context.Context, l *app.App, meaning func(embeddedShare float64) string) error {
	if err := l.Enter(); err != nil { // ask for the PIN now: the explorer takes over the terminal
		return err
	}
	l.OnSecret(nil)
	opts := tui.Options{
		Open: func(ctx context.Context) (tui.Engine, error) {
			engine, err := l.Engine(ctx)
			if err != nil {
				return nil, err // do not wrap a nil pointer in the interface
			}
			return hidingEngine{engine, &s.private}, nil
		},
		Doing:       s.tellExplorer(l),
		Aside:       s.limitsOf(l),
		Stored:      l.Stored,
		Offline:     l.Config().Offline,
		Log:         l.LogPath(),
		Explain:     s.explain,
		MeaningHint: meaning,
		Archive:     l.Place(),
		Query:       s.explorer.query,
		Theme:       s.explorer.theme,
		FPS:         s.explorer.fps,
		Keep:        keepOn(l),
		Write: func(ctx context.Context, w io.Writer, turns []uuid.UUID) error {
			markdown, _ := app.ExportFormats.Named("md")
			_, err := l.Export(ctx, w, app.ExportOptions{Format: markdown, Turns: turns})
			return err
		},
	}
	opts.Search = s.offlineSearch(l)
	opts.Import, opts.Embed, opts.Chat = s.importWork(l), s.embedWork(l), s.private.hiding(explorerChat(l))
	if kept := new(tui.Session); !s.explorer.fresh && l.Desk().Load(kept) {
		opts.Session = kept
	}
	var err error
	if opts.Keys, err = config.LoadKeys(config.Options{}); err != nil {
		return err
	}
	defer guard(l, &opts)()
	err = tui.Run(ctx, opts)
	if wrong := new(tui.KeysError); errors.As(err, &wrong) {
		return &refusal{
			code: failed, message: "cannot read keys.yaml: " + strings.ReplaceAll(wrong.Err.Error(), "\n", "; "),
			hint: "fix keys.yaml in the configuration folder, or delete it",
		}
	}
	if dumb := new(tui.DumbTerminalError); errors.As(err, &dumb) {
		return &refusal{code: failed, message: "this terminal cannot show the explorer", hint: "use lens --plain"}
	}
	return err
}

// tellExplorer returns a function that returns the latest progress notice while the archive opens. Nothing may be
// printed while the explorer is on screen.
func (s *session) tellExplorer(l *app.App) func() string {
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
func (s *session) limitsOf(l *app.App) func(ctx context.Context) (badge, why string) {
	return func(ctx context.Context) (string, string) {
		err := l.ReadOnly(ctx)
		if err == nil || ctx.Err() != nil {
			return "", ""
		}
		why, _ := s.explain(err)
		return "read-only", "read-only: " + why
	}
}

// explain returns the message and the hint for an error. It logs errors that have neither and returns a
// generic message.
func (s *session) explain(err error) (message, hint string) {
	if failures := explain.Error(err); len(failures) > 0 && failures[0].Message != "" {
		return failures[0].Message, failures[0].Hint
	}
	return s.unforeseen(err)
}

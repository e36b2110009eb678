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

	"lens/internal/boot"
	"lens/internal/config"
	"lens/tui"
)

// explorerFlags shape the explorer.
type explorerFlags struct {
	fresh        bool
	query, theme string
	fps          int
}

func (f *explorerFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.fresh, "fresh", false, "begin at the whole archive, not where the last run ended")
	flags.StringVar(&f.query, "query", "", "begin with this query")
	flags.StringVar(&f.theme, "theme", "", "dark, light, mono or ascii; without it, what the terminal suggests")
	flags.IntVar(&f.fps, "fps", 60, "frames a second, at most 120")
}

// interactive reports whether there is somebody to show the explorer to.
func (s *session) interactive() bool {
	return s.out.terminal && term.IsTerminal(s.in.Fd()) && !s.globals.plain
}

// explore opens the explorer.
func (s *session) explore(cmd *cobra.Command, _ []string) error {
	switch {
	case s.globals.json:
		return usage("lens peek QUERY --json and lens activity --json print what the explorer shows", "the explorer has no JSON")
	case s.globals.plain:
		return s.explorePlain(cmd)
	case !s.interactive():
		return &refusal{code: failed, message: "the explorer needs a terminal", hint: "lens peek QUERY prints without one; lens --help lists the verbs"}
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	return s.openExplorer(cmd.Context(), l, l.MeaningHint)
}

// openExplorer shows the explorer until it is quit. It opens the archive itself, once something is on the screen. meaning says what is
// missing for a search by meaning.
func (s *session) openExplorer(ctx context.Context, l *boot.Lens, meaning func(embeddedShare float64) string) error {
	if err := l.Enter(); err != nil { // once something is drawn, nobody can be asked on the line
		return err
	}
	l.OnSecret(nil)
	opts := tui.Options{
		Open: func(ctx context.Context) (tui.Engine, error) {
			engine, err := l.Engine(ctx)
			if err != nil {
				return nil, err // and no nil engine in an interface
			}
			return hidingEngine{engine, &s.private}, nil
		},
		Doing: s.tellExplorer(l), Aside: s.limitsOf(l), Stored: l.Stored, Offline: l.Config().Offline, Log: l.LogPath(),
		Explain: s.explain, MeaningHint: meaning, Archive: l.Place(), Query: s.explorer.query, Theme: s.explorer.theme, FPS: s.explorer.fps,
		Keep: keepOn(l),
		Write: func(ctx context.Context, w io.Writer, turns []uuid.UUID) error {
			return writeDocument(w, boot.Markdown, false, func(w io.Writer) error {
				_, err := l.Export(ctx, w, boot.ExportOptions{Format: boot.Markdown, Turns: turns})
				return err
			})
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
		return &refusal{code: failed, message: "keys.yaml: " + strings.ReplaceAll(wrong.Err.Error(), "\n", "; "), hint: "correct it in the configuration folder, or remove it"}
	}
	if dumb := new(tui.DumbTerminalError); errors.As(err, &dumb) {
		return &refusal{code: failed, message: "this terminal cannot show the explorer", hint: "lens --plain shows the same as plain lines"}
	}
	return err
}

// tellExplorer returns what opening the archive does besides that takes a while, as it is said: nothing may be printed beside the explorer.
func (s *session) tellExplorer(l *boot.Lens) func() string {
	var said atomic.Pointer[string]
	l.OnNotice(func(sentence string) { said.Store(&sentence) })
	return func() string {
		if sentence := said.Load(); sentence != nil {
			return *sentence
		}
		return ""
	}
}

// limitsOf says why an archive that was opened can only be read.
func (s *session) limitsOf(l *boot.Lens) func(ctx context.Context) (badge, why string) {
	return func(ctx context.Context) (string, string) {
		err := l.ReadOnly(ctx)
		if err == nil || ctx.Err() != nil {
			return "", ""
		}
		why, _ := s.explain(err)
		return "read only", "read only: " + why
	}
}

// explain says what an error means to a person; one that nobody foresaw is logged.
func (s *session) explain(err error) (message, hint string) {
	if told := boot.Explain(err); len(told) > 0 && told[0].Message != "" {
		return told[0].Message, told[0].Hint
	}
	return s.unforeseen(err)
}

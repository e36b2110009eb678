package main

import (
	"context"
	"errors"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/tui"
)

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
		return usage("lens peek QUERY --plain and lens activity --plain print what the explorer shows", "the explorer is not plain")
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
	err := tui.Run(ctx, tui.Options{
		Open: func(ctx context.Context) (tui.Engine, error) {
			engine, err := l.Engine(ctx)
			if err != nil {
				return nil, err // and no nil engine in an interface
			}
			return engine, nil
		},
		Explain: s.explain, MeaningHint: meaning, Archive: l.Place(),
	})
	if dumb := new(tui.DumbTerminalError); errors.As(err, &dumb) {
		return &refusal{code: failed, message: "this terminal cannot show the explorer", hint: "lens peek, lens activity and lens turn print the same"}
	}
	return err
}

// explain says what an error means to a person; one that nobody foresaw is logged.
func (s *session) explain(err error) (message, hint string) {
	if told := boot.Explain(err); len(told) > 0 && told[0].Message != "" {
		return told[0].Message, told[0].Hint
	}
	return s.unforeseen(err)
}

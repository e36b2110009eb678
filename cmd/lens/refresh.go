package main

import (
	"github.com/spf13/cobra"

	"lens/cmd/internal/archive"
	"lens/internal/cleantext"
)

type refreshFlags struct {
	embedFlags
	dryRun, noEmbed, list, unfollow bool
}

func newRefreshCmd(env *Env) *cobra.Command {
	var f refreshFlags
	cmd := &cobra.Command{
		Use:   "refresh [PATH…]",
		Short: "Import what changed where you imported before",
		Long: unwrap(`Imports again what is new or changed in the files and folders that were given to lens import, with the
options of that import; with PATH, in that one alone. Files of a folder that have the same size and time are not read;
a file that was named is read to compare its content. Forgotten turns stay forgotten, and files that are not there
any more stay in the archive.

Lens does this only when you ask, and reads only what you imported, also with LENS_SECURITY=paranoid. The paths are
kept in the archive, encrypted with it; lens forget --everything removes them, and so does --unfollow.`),
		Example: `  lens refresh
  lens refresh ~/.claude --dry-run
  lens refresh --list
  lens refresh --unfollow ~/Downloads/export.zip`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, paths []string) error { return runRefresh(cmd, env, paths, f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.dryRun, "dry-run", false, "count what would be imported, and write nothing")
	flags.BoolVar(&f.noEmbed, "no-embed", false, "do not embed, and do not ask")
	flags.BoolVar(&f.list, "list", false, "list the paths that are read again")
	flags.BoolVar(&f.unfollow, "unfollow", false, "do not read PATH again; what came from it stays")
	f.embedFlags.addTo(cmd)
	return cmd
}

func runRefresh(cmd *cobra.Command, env *Env, paths []string, f refreshFlags) error {
	if f.unfollow && len(paths) == 0 {
		return usage("lens refresh --list shows what is read again", "--unfollow takes a path")
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if f.unfollow {
		if err := a.Archive.Unfollow(cmd.Context(), paths); err != nil {
			return err
		}
		f.list = true
	}
	if f.list {
		followed, err := a.Archive.Followed(cmd.Context())
		if err != nil {
			return err
		}
		return env.Print(map[string][]string{"followed": append([]string{}, followed...)}, func() {
			for _, path := range followed {
				env.Out.println(cleantext.Line(path))
			}
		})
	}
	bar := &progressBar{screen: env.Err, title: "refreshing", bytes: true}
	receipt, err := a.Archive.Refresh(cmd.Context(), paths, archive.ImportOptions{
		DryRun: f.dryRun, Progress: bar.show, Version: version,
	})
	bar.erase()
	e := &embedder{env: env, app: a, flags: f.embedFlags}
	return endImport(cmd.Context(), e, receipt, f.dryRun, f.noEmbed, err)
}

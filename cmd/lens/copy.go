package main

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/archive"
	"lens/cmd/internal/config"
	"lens/internal/cleantext"
)

func newCopyCmd(env *Env) *cobra.Command {
	var to string
	cmd := &cobra.Command{
		Use:   "copy --to URL|DIR",
		Short: "Copy the archive to Postgres or to another folder",
		Long: unwrap(`Copies the archive, as of one moment, with saved chats and bookmarks: from SQLite to Postgres, from
Postgres to SQLite in a folder, and so on. IDs, vectors and texts stay as they are, so that searches and exports give
the same. The other archive must be empty. The archive itself stays where it is.

If interrupted, the other archive is empty: run the command again. Lens does not encrypt data in Postgres.`),
		Example: `  lens copy --to postgres://lens@127.0.0.1/lens
  lens --database postgres://lens@127.0.0.1/lens copy --to ~/lens-archive`,
		SuggestFor: []string{"move", "migrate"},
		RunE:       func(cmd *cobra.Command, _ []string) error { return runCopy(cmd, env, to) },
	}
	cmd.Flags().StringVar(&to, "to", "", "a postgres://… URL, or a folder")
	return cmd
}

// copyReport is the result of lens copy.
type copyReport struct {
	To string `json:"to"` // without user and password
	archive.Counts
}

func runCopy(cmd *cobra.Command, env *Env, to string) error {
	if to == "" {
		return usage("run, for example, lens copy --to postgres://lens@127.0.0.1/lens", "lens copy needs --to")
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	cfg, err := otherArchive(a.Config(), to)
	if err != nil {
		return err
	}
	target := env.Use(app.NewWithEffort(cfg, cmd.Name(), effort))
	target.Archive.Notice = a.Archive.Notice
	target.Keys.OnSecret(func() (string, error) { return env.PIN.read(cmd.Context()) })
	if cfg.DatabaseURL != "" && a.Keys.Encrypted() && !env.JSON {
		env.Err.println("The copy will not be encrypted: Lens does not encrypt data in Postgres.")
	}
	bar := &progressBar{screen: env.Err, title: "copying"}
	defer bar.erase()
	a.Archive.Progress = bar.show
	copied, err := a.Archive.Copy(cmd.Context(), target.Archive)
	if err != nil {
		return err
	}
	next := "Set LENS_DATABASE_URL to use it."
	if cfg.DatabaseURL == "" {
		next = "Use it with --data, or set LENS_DATA_DIR."
	}
	return env.PrintLine(copyReport{target.Archive.Place(), copied}, "Copied "+count(copied.Turns, "turn")+" in "+
		count(copied.Conversations, "conversation")+" to "+cleantext.Line(target.Archive.Place())+". "+next)
}

// otherArchive returns the settings for another archive: one on a server, whose chats and bookmarks are in the same
// data folder, or one in a folder.
func otherArchive(cfg config.Config, to string) (config.Config, error) {
	scheme, _, isURL := strings.Cut(to, "://")
	switch {
	case !isURL:
		dir, err := filepath.Abs(to)
		if err != nil {
			return cfg, err
		}
		cfg.ModelsDir = cmp.Or(cfg.ModelsDir, filepath.Join(cfg.DataDir, "models"))
		cfg.DataDir, cfg.DatabaseURL = dir, ""
	case scheme == "postgres" || scheme == "postgresql":
		cfg.DatabaseURL = to
	default:
		return cfg, usage("use a postgres:// URL or a folder", "--to takes a postgres:// URL or a folder, not %s://", scheme)
	}
	return cfg, nil
}

package main

import (
	"github.com/spf13/cobra"

	"lens/cmd/internal/archive"
	"lens/internal/cleantext"
)

func newBackupCmd(env *Env) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Write the archive to one file",
		Long: unwrap(`Writes the archive, saved chats, bookmarks and the audit log to one file, as of one moment, also while
an import, the explorer or lens serve is using them. Settings and models are not in it. The chats and bookmarks of an
archive on a server are in the data folder, under the address it was opened with: back it up from there.

The backup of an encrypted archive is encrypted: lens restore needs the PIN of that time on this machine, or the
recovery passphrase anywhere. Any other backup can be read by anyone who has the file. What you delete later with lens
forget stays in older backups.`),
		Example: `  lens backup lens-2026-05.tar
  lens backup --force /media/usb/lens.tar`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error { return runBackup(cmd, env, args[0], force) },
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace FILE if it exists")
	return cmd
}

func runBackup(cmd *cobra.Command, env *Env, path string, force bool) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	bar := &progressBar{screen: env.Err, title: "backing up"}
	defer bar.erase()
	a.Archive.Progress = bar.show
	b, err := a.Archive.Backup(cmd.Context(), path, force)
	if err != nil {
		return err
	}
	chats := "no saved chats"
	if b.Chats {
		chats = "the saved chats"
	}
	return env.PrintLine(b, "Wrote "+describeBackup(b)+" and "+chats+" to "+cleantext.Line(path)+" ("+bytesOf(b.Bytes)+")")
}

// describeBackup says what a backup holds.
func describeBackup(b *archive.Backup) string {
	text := count(b.Holds.Turns, "turn") + " in " + count(b.Holds.Conversations, "conversation")
	if b.Encrypted {
		text += ", encrypted,"
	}
	return text
}

func newRestoreCmd(env *Env) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put the archive of a backup into the data folder",
		Long: unwrap(`Restores what lens backup wrote: the archive, saved chats, bookmarks and, in a folder without one, the
audit log. The whole backup is checked before anything is changed. If the data folder holds an archive, --force replaces
it; the old one stays until the new one is in its place. If interrupted, either the old or the new archive is there.

An encrypted backup needs its PIN or recovery passphrase.`),
		Example: `  lens restore lens-2026-05.tar
  lens --data elsewhere restore lens-2026-05.tar`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error { return runRestore(cmd, env, args[0], force) },
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace the archive in the data folder")
	return cmd
}

func runRestore(cmd *cobra.Command, env *Env, path string, force bool) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	bar := &progressBar{screen: env.Err, title: "restoring"}
	defer bar.erase()
	a.Archive.Progress = bar.show
	b, err := a.Archive.Restore(cmd.Context(), path, force)
	if err != nil {
		return err
	}
	return env.PrintLine(b, "Restored "+describeBackup(b)+" of "+b.Created.Local().Format("2006-01-02 15:04"))
}

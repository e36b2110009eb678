package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lens/cmd/internal/keys"
	"lens/internal/vault"
)

func newPINCmd(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pin",
		Short: "Encrypt the archive: set, change or remove its PIN",
		Long: unwrap(`An archive with a PIN is encrypted on disk: chats, indexes, vectors, the explorer's saved state, the
chat model's answers, and synonyms.

The PIN works together with a secret in this machine's keyring; without a keyring, you use a passphrase instead. A
recovery passphrase opens the archive on any machine. If you lose both, you lose the archive.

While a turn is open in an editor, its text is in a temporary file. If $XDG_RUNTIME_DIR is set, the file is in that
folder, which is in memory and emptied when you log out; otherwise it is in the folder for temporary files. If lens is
killed at that moment, the file stays.`),
		Args: noSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newPINSetCmd(env), newPINChangeCmd(env), newPINRemoveCmd(env))
	return cmd
}

type pinFlags struct {
	passphrase           bool
	rekey, recovery      bool
	newFile, recoverFile string
}

func (f *pinFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.passphrase, "passphrase", false,
		"use a passphrase of at least 15 characters instead of a PIN and this machine's keyring")
	flags.StringVar(&f.newFile, "new-pin-file", "", "file whose first line is the new PIN; - is standard input")
	flags.StringVar(&f.recoverFile, "recovery-file", "", "file whose first line is your own recovery passphrase")
}

func newPINSetCmd(env *Env) *cobra.Command {
	var f pinFlags
	cmd := &cobra.Command{
		Use:   "set",
		Short: "Encrypt the archive",
		Long: unwrap(`Encrypts the archive and related files. keywords.yaml moves from the configuration folder into the
archive (see lens keywords). If interrupted, the archive is left unchanged.

Afterwards the unencrypted files are deleted, but not overwritten: on SSDs and copy-on-write file systems, that would
not reliably erase them. If that matters, start with an empty archive on an encrypted disk, or rely on the disk's own
encryption for what it held before.`),
		Example: `  lens pin set
  lens pin set --passphrase --new-pin-file secret.txt`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPINSet(cmd, env, f) },
	}
	f.addTo(cmd)
	return cmd
}

func newPINChangeCmd(env *Env) *cobra.Command {
	var f pinFlags
	cmd := &cobra.Command{
		Use:   "change",
		Short: "Change the PIN, the recovery passphrase or the key",
		Long: unwrap(`Changes the PIN that opens the archive. If you have lost the PIN, enter the recovery passphrase instead.

An old copy of lens.vault still opens with the old PIN, and contains the same key. If someone else knows the PIN, use
--rekey to encrypt the archive with a new key.`),
		Example: `  lens pin change
  lens pin change --rekey`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runPINChange(cmd, env, f) },
	}
	f.addTo(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&f.rekey, "rekey", false, "encrypt everything again with a new key, and make a new recovery passphrase")
	flags.BoolVar(&f.recovery, "recovery", false, "make a new recovery passphrase; keep the PIN without --new-pin-file")
	return cmd
}

func newPINRemoveCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "remove",
		Short: "Decrypt the archive",
		RunE:  func(cmd *cobra.Command, _ []string) error { return runPINRemove(cmd, env) },
	}
}

// readSecrets asks for the new PIN, or for a passphrase if there is no keyring. If recovery is set, it also makes or
// reads a recovery passphrase.
func (f pinFlags) readSecrets(
	ctx context.Context, env *Env, holder *keys.Holder, recovery bool,
) (want keys.Secrets, err error) {
	if onlyRecovery := f.recovery && !f.rekey && f.newFile == ""; !onlyRecovery {
		want.NoKeyring = f.passphrase || !holder.HasKeyring()
		if want.PIN, err = env.PIN.readNew(ctx, f.newFile, f.secretName(env, want.NoKeyring)); err != nil {
			return want, err
		}
		if err = want.CheckPIN(); err != nil {
			return want, err // before showing a recovery passphrase that would open nothing
		}
	}
	switch {
	case f.recoverFile != "":
		want.Recovery, err = env.PIN.readFile(f.recoverFile)
	case recovery:
		want.Recovery = vault.NewRecovery()
		printRecovery(env, want)
	}
	return want, err
}

// secretName names the secret that the prompt asks for, and explains why it is a passphrase when the user expects a
// PIN.
func (f pinFlags) secretName(env *Env, noKeyring bool) string {
	if !noKeyring {
		return fmt.Sprintf("PIN (at least %d characters)", vault.MinPIN)
	}
	if !f.passphrase && !env.JSON {
		env.Err.println("This machine has no keyring, so the archive needs a passphrase instead of a PIN.")
	}
	return fmt.Sprintf("passphrase (at least %d characters)", vault.MinPassphrase)
}

// printRecovery prints the recovery passphrase before anything is encrypted, because encrypting may be interrupted at
// any moment.
func printRecovery(env *Env, want keys.Secrets) {
	if env.JSON {
		return
	}
	env.Out.printf("Recovery passphrase:\n\n    %s\n\n", env.Out.bold(want.Recovery))
	env.Out.println("Write it down and keep it away from this machine. It is not shown again. " +
		"If you lose both it and the " + unlockedBy(want) + ", you lose the archive.")
}

// unlockedBy names the secret that opens the archive, other than the recovery passphrase.
func unlockedBy(want keys.Secrets) string {
	switch {
	case want.PIN == "": // unchanged
		return "PIN or passphrase"
	case want.NoKeyring:
		return "passphrase"
	}
	return "PIN"
}

// pinResult reports a change of the PIN, as --json prints it.
type pinResult struct {
	Encrypted bool     `json:"encrypted"`
	Recovery  string   `json:"recovery,omitempty"`      // if Lens made it
	Keywords  bool     `json:"keywords,omitempty"`      // keywords.yaml moved into the archive
	Left      []string `json:"keywords_left,omitempty"` // files with an unencrypted copy of its text
}

func runPINSet(cmd *cobra.Command, env *Env, f pinFlags) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if err := a.Mover.MayEncrypt(); err != nil {
		return err
	}
	want, err := f.readSecrets(cmd.Context(), env, a.Keys, true)
	if err != nil {
		return err
	}
	if err := a.Mover.Encrypt(cmd.Context(), want); err != nil {
		return err
	}
	done, sentence := pinResult{Encrypted: true, Recovery: f.newRecovery(want)}, "The archive is now encrypted."
	in, err := a.Offline.Keywords.TakeIn(false)
	if done.Keywords, done.Left = in.Taken, in.Left; in.Taken {
		sentence += "\n" + describeTaken(in)
	}
	return errors.Join(env.PrintLine(done, sentence), err)
}

// newRecovery returns the recovery passphrase if Lens made it, "" if the user gave one.
func (f pinFlags) newRecovery(want keys.Secrets) string {
	if f.recoverFile != "" {
		return ""
	}
	return want.Recovery
}

func runPINChange(cmd *cobra.Command, env *Env, f pinFlags) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if err := a.Keys.MustBeEncrypted(); err != nil { // before the PIN is asked for
		return err
	}
	now, err := env.PIN.require(cmd.Context())
	if err != nil {
		return err
	}
	if err := a.Keys.Unlock(now); err != nil { // before a new one is asked for
		return err
	}
	want, err := f.readSecrets(cmd.Context(), env, a.Keys, f.rekey || f.recovery)
	if err != nil {
		return err
	}
	if !f.rekey {
		if err := a.Keys.ChangePIN(now, want); err != nil {
			return err
		}
		sentence := "The new " + unlockedBy(want) + " opens the archive."
		if want.PIN == "" {
			sentence = "The new recovery passphrase opens the archive; the old one no longer does."
		}
		return env.PrintLine(pinResult{Encrypted: true, Recovery: f.newRecovery(want)}, sentence)
	}
	if err := a.Mover.Rekey(cmd.Context(), now, want); err != nil {
		return err
	}
	sentence := "The archive is now encrypted with a new key. Earlier backups still open with the old PIN or passphrase."
	return env.PrintLine(pinResult{Encrypted: true, Recovery: f.newRecovery(want)}, sentence)
}

func runPINRemove(cmd *cobra.Command, env *Env) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if err := a.Keys.MustBeEncrypted(); err != nil { // before the PIN is asked for
		return err
	}
	now, err := env.PIN.require(cmd.Context())
	if err != nil {
		return err
	}
	if err := a.Mover.Decrypt(cmd.Context(), now); err != nil {
		return err
	}
	return env.PrintLine(pinResult{}, "The archive is no longer encrypted.")
}

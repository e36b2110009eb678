package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/internal/vault"
)

func (s *session) pinCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pin",
		Short: "Encrypt the archive: set, change or remove its PIN",
		Long: `An archive with a PIN is encrypted on the disk: chats, index, vectors, what the explorer keeps, answers of the chat model, and synonyms.

The PIN works together with a secret in this machine's keyring; where there is none, a passphrase takes its place. A recovery passphrase opens the archive on any machine. Who loses both has lost the archive.

A turn that is open in an editor is a file meanwhile, in $XDG_RUNTIME_DIR where there is one: in memory, until the session ends. If lens is killed just then, it stays that long; without that folder it stays in the one for temporary files.`,
		Args: noSubverb,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	for _, verb := range []*cobra.Command{s.pinSetCommand(), s.pinChangeCommand(), s.pinRemoveCommand()} {
		s.aside(verb)
		cmd.AddCommand(verb)
	}
	return cmd
}

type pinFlags struct {
	passphrase           bool
	rekey, words         bool
	newFile, recoverFile string
}

func (f *pinFlags) addTo(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.passphrase, "passphrase", false, "a passphrase of 15 characters or more, without this machine's keyring")
	flags.StringVar(&f.newFile, "new-pin-file", "", "the file whose first line is the new PIN; - is the standard input")
	flags.StringVar(&f.recoverFile, "recovery-file", "", "the file whose first line is a recovery passphrase of your own")
}

func (s *session) pinSetCommand() *cobra.Command {
	var f pinFlags
	cmd := &cobra.Command{
		Use:   "set",
		Short: "Encrypt the archive",
		Long: `Encrypts the archive and all that tells of it; keywords.yaml moves from the configuration folder into it (lens keywords shows and sets it). Ended in the middle, it leaves the archive as it was.

Afterwards the unencrypted files are gone, but not overwritten: on SSDs and copy-on-write file systems that would not reliably remove them. Where that matters, begin with an empty archive on an encrypted disk, or let the disk's own encryption cover what it held before.`,
		Example: `  lens pin set
  lens pin set --passphrase --new-pin-file secret.txt`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.setPIN(cmd, f) },
	}
	f.addTo(cmd)
	return cmd
}

func (s *session) pinChangeCommand() *cobra.Command {
	var f pinFlags
	cmd := &cobra.Command{
		Use:   "change",
		Short: "Another PIN, another recovery passphrase, another key",
		Long: `Makes another PIN open the archive. Who has lost the PIN gives the recovery passphrase instead.

An old copy of lens.vault still opens with the old PIN, and its key with it: after a PIN became known, --rekey encrypts the archive with another key.`,
		Example: `  lens pin change
  lens pin change --rekey`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.changePIN(cmd, f) },
	}
	f.addTo(cmd)
	cmd.Flags().BoolVar(&f.rekey, "rekey", false, "encrypt everything anew with another key, and make another recovery passphrase")
	cmd.Flags().BoolVar(&f.words, "recovery", false, "make another recovery passphrase; the PIN stays, unless --new-pin-file names another")
	return cmd
}

func (s *session) pinRemoveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "remove",
		Short: "Decrypt the archive",
		Args:  none,
		RunE:  s.removePIN,
	}
}

// wanted asks for a new PIN, or a passphrase where there is no keyring, and for a recovery passphrase where one is to be made.
func (s *session) wanted(ctx context.Context, l *boot.Lens, f pinFlags, words bool) (want boot.Secrets, err error) {
	if onlyWords := f.words && !f.rekey && f.newFile == ""; !onlyWords {
		want.NoKeyring = f.passphrase || !l.HasKeyring()
		if want.PIN, err = s.newSecret(ctx, f.newFile, s.nameSecret(want.NoKeyring, f)); err != nil {
			return want, err
		}
		if err = want.CheckPIN(); err != nil {
			return want, err // before words are shown that would open nothing
		}
	}
	switch {
	case f.recoverFile != "":
		want.Recovery, err = s.secretIn(f.recoverFile)
	case words:
		want.Recovery = vault.NewRecovery()
		s.showRecovery(want)
	}
	return want, err
}

// nameSecret says what is asked for, and why it is no PIN where somebody might expect one.
func (s *session) nameSecret(alone bool, f pinFlags) string {
	if !alone {
		return fmt.Sprintf("PIN (%d characters or more)", vault.MinPIN)
	}
	if !f.passphrase && !s.globals.json {
		s.err.println("This machine has no keyring, so a PIN would not be enough: the archive gets a passphrase.")
	}
	return fmt.Sprintf("passphrase (%d characters or more)", vault.MinPassphrase)
}

// showRecovery shows the words before anything is encrypted: what comes after may be ended at any moment.
func (s *session) showRecovery(want boot.Secrets) {
	if s.globals.json {
		return
	}
	s.out.printf("The recovery passphrase is\n\n    %s\n\n", s.out.bold(want.Recovery))
	s.out.println("Write it down and keep it away from this machine. It is not shown again, and who loses it and the " + opener(want) + " has lost the archive.")
}

// opener names what opens the archive besides the recovery passphrase.
func opener(want boot.Secrets) string {
	switch {
	case want.PIN == "": // it stays what it was
		return "PIN or passphrase"
	case want.NoKeyring:
		return "passphrase"
	}
	return "PIN"
}

// vaulted is what a change of the PIN did, as --json prints it.
type vaulted struct {
	Encrypted bool     `json:"encrypted"`
	Recovery  string   `json:"recovery,omitempty"`      // where one was made
	Keywords  bool     `json:"keywords,omitempty"`      // keywords.yaml was taken in
	Left      []string `json:"keywords_left,omitempty"` // where its text can be read all the same
}

func (s *session) tellVault(v vaulted, sentence string) error {
	if s.globals.json {
		return s.out.json(v)
	}
	s.out.println(sentence)
	return nil
}

func (s *session) setPIN(cmd *cobra.Command, f pinFlags) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	if err := l.MayEncrypt(); err != nil {
		return err
	}
	want, err := s.wanted(cmd.Context(), l, f, true)
	if err != nil {
		return err
	}
	if err := l.Encrypt(cmd.Context(), want); err != nil {
		return err
	}
	done, sentence := vaulted{Encrypted: true, Recovery: made(want, f)}, "The archive is encrypted now."
	in, err := l.TakeInKeywords(false)
	if done.Keywords, done.Left = in.Taken, in.Left; in.Taken {
		sentence += "\n" + takenIn(in)
	}
	return errors.Join(s.tellVault(done, sentence), err)
}

// made returns the recovery passphrase if it is not a person's own.
func made(want boot.Secrets, f pinFlags) string {
	if f.recoverFile != "" {
		return ""
	}
	return want.Recovery
}

func (s *session) changePIN(cmd *cobra.Command, f pinFlags) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	now, err := s.present(cmd.Context())
	if err != nil {
		return err
	}
	if err := l.Unlock(now); err != nil { // before a new one is asked for
		return err
	}
	want, err := s.wanted(cmd.Context(), l, f, f.rekey || f.words)
	if err != nil {
		return err
	}
	if !f.rekey {
		if err := l.ChangePIN(now, want); err != nil {
			return err
		}
		sentence := "The new " + opener(want) + " opens the archive."
		if want.PIN == "" {
			sentence = "The new recovery passphrase opens the archive, the old one does not."
		}
		return s.tellVault(vaulted{Encrypted: true, Recovery: made(want, f)}, sentence)
	}
	if err := l.Rekey(cmd.Context(), now, want); err != nil {
		return err
	}
	return s.tellVault(vaulted{Encrypted: true, Recovery: made(want, f)}, "The archive is encrypted with another key now. Backups of before open as before.")
}

func (s *session) removePIN(cmd *cobra.Command, _ []string) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	now, err := s.present(cmd.Context())
	if err != nil {
		return err
	}
	if err := l.Decrypt(cmd.Context(), now); err != nil {
		return err
	}
	return s.tellVault(vaulted{}, "The archive is no longer encrypted.")
}

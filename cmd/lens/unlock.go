package main

import (
	"time"

	"github.com/spf13/cobra"
)

func (s *session) unlockCommand() *cobra.Command {
	var last time.Duration
	cmd := &cobra.Command{
		Use:   "unlock",
		Short: "Open the encrypted archive for some minutes, for every lens of yours",
		Long: `Each lens asks for the PIN itself. After lens unlock none does for a while: the key is kept in the kernel (on Linux; other systems have no place that forgets it by itself), where your own processes can read it, until the time is over, lens lock is said or the machine is turned off.

Scripts can do without: LENS_PIN_FILE, or --pin-file, names a file with the PIN; - is the standard input.`,
		Example: `  lens unlock --for 1h`,
		Args:    none,
		RunE:    func(cmd *cobra.Command, _ []string) error { return s.unlock(cmd, last) },
	}
	cmd.Flags().DurationVar(&last, "for", 15*time.Minute, "how long")
	return cmd
}

func (s *session) unlock(cmd *cobra.Command, last time.Duration) error {
	if last < time.Second || last > 24*time.Hour {
		return usage("say something like --for 15m", "--for takes between a second and a day")
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	if err := l.MustBeEncrypted(); err != nil {
		return err
	}
	secret, err := s.present(cmd.Context())
	if err != nil {
		return err
	}
	if err := l.Hold(secret, last); err != nil {
		return err
	}
	until := time.Now().Add(last).Truncate(time.Second)
	if s.globals.json {
		return s.out.json(map[string]any{"locked": false, "until": until.UTC()})
	}
	s.out.printf("Unlocked until %s; lens lock ends that at once.\n", until.Format("15:04:05"))
	return nil
}

package main

import (
	"time"

	"github.com/spf13/cobra"
)

func newUnlockCmd(env *Env) *cobra.Command {
	var last time.Duration
	cmd := &cobra.Command{
		Use:   "unlock",
		Short: "Unlock the encrypted archive for a while",
		Long: unwrap(`Every lens command asks for the PIN. After lens unlock none does for a while: the kernel keeps the key,
where only your own processes can read it, until the time is up, you run lens lock, or the machine is turned off. This
works on Linux only: other systems cannot keep a key that expires by itself.

Scripts do not need it: LENS_PIN_FILE or --pin-file names a file with the PIN; - is standard input.`),
		Example: `  lens unlock --for 1h`,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runUnlock(cmd, env, last) },
	}
	cmd.Flags().DurationVar(&last, "for", 15*time.Minute, "how long")
	return cmd
}

func runUnlock(cmd *cobra.Command, env *Env, last time.Duration) error {
	if last < time.Second || last > 24*time.Hour {
		return usage("use, for example, --for 15m", "--for must be between 1s and 24h")
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	if err := a.Keys.MustBeEncrypted(); err != nil {
		return err
	}
	secret, err := env.PIN.require(cmd.Context())
	if err != nil {
		return err
	}
	if err := a.Keys.Hold(secret, last); err != nil {
		return err
	}
	until := time.Now().Add(last).Truncate(time.Second)
	return env.PrintLine(map[string]any{"locked": false, "until": until.UTC()},
		"Unlocked until "+until.Format(time.TimeOnly)+". Run lens lock to lock it sooner.")
}

package main

import "github.com/spf13/cobra"

func newLockCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "lock",
		Short:   "Lock the encrypted archive",
		Long:    "Undoes lens unlock, and locks open explorers and servers within seconds.",
		Example: "  lens lock",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runLock(cmd, env) },
	}
}

func runLock(cmd *cobra.Command, env *Env) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	kept, err := a.Keys.Drop()
	if err != nil {
		return err
	}
	return env.PrintLine(map[string]any{"locked": true, "was_unlocked": kept}, "Locked.")
}

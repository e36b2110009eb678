package main

import (
	"github.com/spf13/cobra"

	offlineservice "lens/cmd/internal/offline"
	"lens/retrieval/offline"
)

// newOfflineQueryCmd is a hidden verb: another lens starts it to run one query in a process of its own.
func newOfflineQueryCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use: offlineservice.Verb, Hidden: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := env.OpenOffline(cmd)
			if err == nil {
				err = a.Offline.CutOff(cmd.Context(), offline.Standard)
			}
			if err != nil {
				return err
			}
			a.Keys.OnSecret(nil) // the input is the query
			return a.Offline.Serve(cmd.Context(), env.Prompt.in, env.Out)
		},
	}
}

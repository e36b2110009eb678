package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// knownSources are what the turns of an archive can have come from.
var knownSources = []string{"chatgpt", "claude", "gemini", "documents", "chunks"}

// sources is the flag that lets through only what came from some of them.
type sources []string

func (s *sources) addTo(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar((*[]string)(s), "source", nil, "only what came from there: "+strings.Join(knownSources, ", "))
}

func (s sources) check() error {
	for _, name := range s {
		if !slices.Contains(knownSources, name) {
			return usage("use "+strings.Join(knownSources, ", "), "--source has no such source")
		}
	}
	return nil
}

package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// knownSources are the sources that turns can come from.
var knownSources = []string{"chatgpt", "claude", "gemini", "documents", "chunks"}

// sources is the flag --source, which restricts a search to some sources.
type sources []string

func (s *sources) addTo(cmd *cobra.Command) {
	text := "only this source (repeatable): " + strings.Join(knownSources, ", ")
	cmd.Flags().StringSliceVar((*[]string)(s), "source", nil, text)
}

func (s sources) check() error {
	for _, name := range s {
		if !slices.Contains(knownSources, name) {
			return usage("use one of "+strings.Join(knownSources, ", "), "unknown source %q", name)
		}
	}
	return nil
}

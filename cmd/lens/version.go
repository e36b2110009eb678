package main

import (
	"strings"

	"github.com/spf13/cobra"

	"lens/cmd/internal/httpapi"
)

func newVersionCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of Lens",
		Example: "  lens version",
		RunE: func(*cobra.Command, []string) error {
			return env.PrintLine(versionDocument(), "lens version "+version)
		},
	}
}

// versionDocument is the version as --json prints it.
func versionDocument() any { return map[string]string{"version": version} }

// printVersionAsJSON makes --version print a document.
func printVersionAsJSON(root *cobra.Command) {
	var text strings.Builder
	_ = httpapi.WriteJSON(&text, versionDocument()) // cannot fail
	root.SetVersionTemplate(text.String())
}

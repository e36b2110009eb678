package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// noArgs rejects arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage("run "+cmd.CommandPath()+" --help", "%s takes no arguments, got %q", cmd.CommandPath(), args[0])
}

// noSubcommand rejects an unknown verb below cmd, which cobra would take for an argument.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usage("run "+cmd.CommandPath()+" --help", "%s has no command %q", cmd.CommandPath(), args[0])
}

// atLeastOne rejects a verb without its argument.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 && strings.TrimSpace(strings.Join(args, "")) != "" {
			return nil
		}
		example, _, _ := strings.Cut(strings.TrimSpace(cmd.Example), "\n")
		return usage("run, for example, "+example, "%s needs %s", cmd.CommandPath(), what)
	}
}

// oneFile requires one argument.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage("name one file", "%s takes one file, not %d", cmd.CommandPath(), len(args))
	}
	return atLeastOne("a file")(cmd, args)
}

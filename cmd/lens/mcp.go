package main

import (
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"lens/internal/boot"
	"lens/internal/mcpapi"
)

func (s *session) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Let an assistant ask your archive (MCP server on stdio)",
		Long: `Speaks the Model Context Protocol on standard input and output, for the assistant that starts it: Claude Code, Claude Desktop, an editor.

The tools are peek, turn, activity and search; turns are resources (lens://turn/ID), and the prompt investigate has the assistant look for an answer and prove it. Everything only reads. What the assistant reads goes where its model runs, also what search finds with nothing leaving this machine.`,
		Example: `  claude mcp add lens -- lens mcp
  lens mcp --data ~/work-archive`,
		Args: none,
		RunE: s.mcp,
	}
}

func (s *session) mcp(cmd *cobra.Command, _ []string) error {
	if s.pinFile() == "-" {
		return usage("name a file: --pin-file FILE or LENS_PIN_FILE", "the standard input of lens mcp is the assistant's, and holds no PIN")
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	l.OnSecret(s.fileSecret)
	if term.IsTerminal(s.in.Fd()) {
		s.err.println("lens mcp waits for an assistant on this terminal; lens help mcp says how to set one up. Ctrl+C ends it.")
	}
	server := mcpapi.New(mcpapi.Options{Archive: l.Service().Archive(), Offline: l.Offline(false), Version: version, Explain: mcpFailure, Log: l.Log()})
	_, unwatch := l.AutoLock(0)
	defer unwatch()
	return server.Stdio(cmd.Context())
}

// mcpFailure is the first of the failures that an error stands for.
func mcpFailure(err error) mcpapi.Failure {
	f := boot.Explain(err)[0]
	if f.Code == "locked" {
		f.Hint = "lens unlock, run where the archive is, opens it for a while"
	}
	return mcpapi.Failure{Code: f.Code, Message: f.Message, Hint: f.Hint}
}

// mcpFailureAfar is mcpFailure for somebody on another machine: it does not say where the archive lies.
func mcpFailureAfar(err error) mcpapi.Failure {
	f := mcpFailure(err)
	switch text := boot.ExplainAfar(err); {
	case text != "":
		f.Message, f.Hint = text, ""
	case f.Code == "locked":
		f.Message = "the archive is locked"
	case f.Message != "":
		f.Message, f.Hint = "the archive cannot be opened or reached", "lens doctor, run beside the server, says why"
	}
	return f
}

package main

import (
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"lens/cmd/internal/mcpapi"
	"lens/internal/errs"
)

func newMCPCmd(env *Env) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Let an assistant search your archive (MCP server on stdio)",
		Long: unwrap(`Speaks the Model Context Protocol on standard input and output with the assistant that starts it: Claude
Code, Claude Desktop or an editor.

The tools are peek, turn, turns, compare, activity, topics, about and search. Turns are resources (lens://turn/ID),
and the prompt investigate asks the assistant to look for an answer and to cite evidence. All tools only read. What the
assistant reads goes to where its model runs, even what search finds offline.`),
		Example: `  claude mcp add lens -- lens mcp
  lens mcp --data ~/work-archive`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd, env) },
	}
}

func runMCP(cmd *cobra.Command, env *Env) error {
	env.Report.stdout = aText // the protocol's
	if env.PIN.file() == "-" {
		return usage("use a file: --pin-file FILE or LENS_PIN_FILE",
			"lens mcp cannot read the PIN from standard input, which the assistant uses")
	}
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	a.Keys.OnSecret(env.PIN.fromFile)
	if term.IsTerminal(env.Prompt.in.Fd()) {
		env.Err.println("Waiting for an assistant on this terminal. " +
			"Run lens help mcp to set one up, or press Ctrl+C to quit.")
	}
	log := a.Logs.File()
	archived := a.Archive.ForServer()
	server := mcpapi.New(mcpapi.Options{
		Engine:  archived,
		Offline: a.Offline.Retriever(false),
		Version: version,
		Explain: mcpFailure,
		Log:     log,
	})
	defer keepUp(cmd.Context(), a, archived, log)()
	unwatch := a.Keys.AutoLock()
	defer unwatch()
	return server.Stdio(cmd.Context())
}

// mcpFailure returns the first failure that an error stands for.
func mcpFailure(err error) mcpapi.Failure {
	f := errs.First(err)
	if f.Code == errs.Locked {
		f.Hint = "run lens unlock on the machine with the archive"
	}
	return mcpapi.Failure{Code: f.Code, Message: f.Message, Hint: f.Hint}
}

// mcpFailureForClient is mcpFailure for clients on other machines: it does not reveal where the archive is.
func mcpFailureForClient(err error) mcpapi.Failure {
	f := mcpFailure(err)
	switch message, hint := errs.ForClient(err); {
	case message != "":
		f.Message, f.Hint = message, hint
	case f.Code == errs.Locked:
		f.Message = "the archive is locked"
	case f.Message != "":
		f.Message, f.Hint = "cannot open the archive", "run lens doctor on the server's machine"
	}
	return f
}

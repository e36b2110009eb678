package main

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/agent"
	"lens/internal/cleantext"
)

func (s *session) askCommand() *cobra.Command {
	var conversation string
	var retry bool
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Ask a question; a chat model answers and cites turns",
		Long: unwrap(`Sends QUESTION to the configured chat model, lets it search your archive, and prints its answer with the
turns that it cites.

The model searches for turns and reads the promising ones; what it reads leaves this machine, unless the model runs on
it. Lens removes citations to turns that the model did not read, and checks quotations against the turns. The exit code
is 3 if the answer cites nothing.`),
		Example: `  lens ask "when did I start baking bread, and what went wrong?"
  lens ask "what did I decide about the kitchen?" --json | jq -r .answer`,
		Args: atLeastOne("a question"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := readID("--conversation", conversation)
			if err != nil {
				return err
			}
			return s.investigate(cmd, strings.Join(args, " "), id, retry)
		},
	}
	cmd.Flags().StringVar(&conversation, "conversation", "", "search only the conversation with this ID")
	cmd.Flags().BoolVar(&retry, "retry", false, "ask again if the answer is cut off")
	return cmd
}

// investigate asks the chat model and prints the run.
func (s *session) investigate(cmd *cobra.Command, question string, conversation uuid.UUID, retry bool) error {
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	req, err := l.Investigation(cmd.Context(), conversation)
	if err != nil {
		return err
	}
	req.Messages, req.Retry = []agent.Message{{Role: agent.User, Text: question}}, retry
	n := narrator{session: s}
	for event, failed := range agent.Run(cmd.Context(), req) {
		if failed != nil {
			err = failed
			break
		}
		if err = n.tell(event); err != nil {
			return err
		}
	}
	n.endLine()
	if err == nil && !n.evidence {
		err = errNothing
	}
	return err
}

// narrator prints a run: the answer on stdout, the model's steps on stderr. A terminal gets the answer as it streams, a
// pipe or file once it is complete.
type narrator struct {
	*session
	evidence bool
	open     bool // the last line of the answer is incomplete
}

func (n *narrator) live() bool { return n.out.terminal && !n.globals.json }

func (n *narrator) tell(event agent.Event) error {
	switch e := event.(type) {
	case agent.ToolResult:
		n.step(e)
	case agent.Notice:
		n.endLine()
		n.err.println(n.err.warn(cleantext.Line(e.Message)))
	case agent.Text:
		if n.live() {
			n.out.printf("%s", cleantext.Text(e.Text))
			n.open = !strings.HasSuffix(e.Text, "\n")
		}
	case agent.Withdrawn:
		n.withdraw(e)
	case agent.Partial:
		return n.partial(e)
	case agent.Done:
		n.evidence = e.Evidence
		return n.answer(e)
	}
	return nil
}

// endLine ends an incomplete line of the answer before anything else is printed.
func (n *narrator) endLine() {
	if n.open {
		n.out.println()
		n.open = false
	}
}

// withdraw explains the text above, because a terminal cannot take it back.
func (n *narrator) withdraw(w agent.Withdrawn) {
	n.endLine()
	switch {
	case !n.live():
	case w.Reason == "thought":
		n.err.println(n.err.faint("The text above was the model's reasoning. Its answer:"))
	case w.Reason == "retry":
		n.err.println(n.err.faint("The answer above was cut off. Second attempt:"))
	}
}

// step prints one tool call on one line.
func (n *narrator) step(e agent.ToolResult) {
	if n.globals.json {
		return
	}
	n.endLine()
	text := e.Gist
	if e.Error != nil {
		text = e.Error.Code + ": " + e.Error.Message
	}
	if e.N > 0 {
		text = fmt.Sprintf("[%d] %s", e.N, text)
	}
	line := fmt.Sprintf("%s %s %s", e.Tool, n.err.sign("→", "->"), text)
	n.err.println(n.err.faint(n.err.line(line, n.err.width)))
}

// partial prints an answer that was cut off. A terminal already shows it.
func (n *narrator) partial(p agent.Partial) error {
	switch {
	case n.globals.json:
		return n.out.json(map[string]agent.Partial{"partial": p})
	case !n.live():
		n.out.println(cleantext.Text(p.Text))
	}
	return nil
}

// answer prints the rest of the answer: its sources, and how many citations were removed.
func (n *narrator) answer(d agent.Done) error {
	if n.globals.json {
		return n.out.json(d)
	}
	if !n.live() {
		n.out.printf("%s", cleantext.Text(strings.TrimRight(d.Answer, "\n")))
		n.open = true
	}
	n.endLine()
	if len(d.Citations) > 0 {
		n.out.println()
	}
	for _, c := range d.Citations {
		left := fmt.Sprintf("%4s  %s  ", fmt.Sprintf("[%d]", c.N), strings.TrimSpace(day(c.Time)))
		right := "  " + c.TurnID[:min(shortID, len(c.TurnID))]
		n.out.println(left + n.out.line(c.Title, n.out.width-len(left)-len(right)) + n.out.faint(right))
	}
	if len(d.Removed) > 0 {
		n.err.println(n.err.warn("Removed " + count(len(d.Removed), "citation") + " to turns it hadn't read."))
	}
	return nil
}

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
		Short: "Have a chat model investigate, and answer with proof",
		Long: `Sends QUESTION to the chat model that is set up, lets it look around in your archive, and prints its answer with the turns that prove it.

The model finds turns and reads the promising ones: what it reads leaves this machine, unless the model runs on it. Citations of turns that it did not read are taken out, quotations are held against the turn. It ends with 3 when the answer rests on nothing.`,
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
	cmd.Flags().StringVar(&conversation, "conversation", "", "only look into the conversation with this id")
	cmd.Flags().BoolVar(&retry, "retry", false, "ask once more when the answer breaks off")
	return cmd
}

// investigate asks, and shows what happens.
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

// narrator prints a run as it goes: the answer on stdout, what the model does for it on stderr. A terminal gets the answer as it comes,
// anything else once it is complete.
type narrator struct {
	*session
	evidence bool
	open     bool // the last line of the answer has no end yet
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

// endLine ends a line of the answer, before anything else is said.
func (n *narrator) endLine() {
	if n.open {
		n.out.println()
		n.open = false
	}
}

// withdraw says what the text above was: what a terminal shows cannot be taken back.
func (n *narrator) withdraw(w agent.Withdrawn) {
	n.endLine()
	switch {
	case !n.live():
	case w.Reason == "thought":
		n.err.println(n.err.faint("That was the model thinking aloud; this is its answer:"))
	case w.Reason == "retry":
		n.err.println(n.err.faint("That broke off; this is the answer asked for once more:"))
	}
}

// step says in a line what the model did.
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
	n.err.println(n.err.faint(n.err.line(fmt.Sprintf("%s %s %s", e.Tool, n.err.sign("→", "->"), text), n.err.width)))
}

// partial prints what there is of an answer that broke off. A terminal has it already.
func (n *narrator) partial(p agent.Partial) error {
	switch {
	case n.globals.json:
		return n.out.json(map[string]agent.Partial{"partial": p})
	case !n.live():
		n.out.println(cleantext.Text(p.Text))
	}
	return nil
}

// answer prints the rest: sources, and what the gate took out.
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
		n.err.println(n.err.warn(count(len(d.Removed), "citation") + " of what was not read taken out."))
	}
	return nil
}

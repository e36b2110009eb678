package main

import (
	"fmt"
	"slices"
	"strings"

	"lens/internal/errs"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/agent"
	"lens/internal/cleantext"
)

func newAskCmd(env *Env) *cobra.Command {
	var conversation string
	var retry bool
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Ask a question; a chat model answers and cites turns",
		Long: unwrap(`Sends QUESTION to the configured chat model, lets it search your archive, and prints its answer with the
turns that it cites.

The model searches for turns and reads the promising ones; what it reads leaves this machine, unless the model runs on
it. Lens removes citations to turns that the model did not read, and checks quotations against the turns. The exit code
is 1 if the answer was cut off, also by the model's output limit, and 3 if it cites nothing. A model that does not
search gets what Lens finds for QUESTION.`),
		Example: `  lens ask "when did I start baking bread, and what went wrong?"
  lens ask "what did I decide about the kitchen?" --json | jq -r .answer`,
		Args: atLeastOne("a question"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var id uuid.UUID
			if cmd.Flags().Changed("conversation") {
				var err error
				if id, err = readID("--conversation", conversation); err != nil {
					return err
				}
			}
			return runAsk(cmd, env, strings.Join(args, " "), id, retry)
		},
	}
	cmd.Flags().StringVar(&conversation, "conversation", "", "search only the conversation with this ID")
	cmd.Flags().BoolVar(&retry, "retry", false, "ask again if the answer is cut off")
	return cmd
}

// runAsk asks the chat model and prints the run.
func runAsk(cmd *cobra.Command, env *Env, question string, conversation uuid.UUID, retry bool) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	req, err := a.Investigator.Request(cmd.Context(), conversation)
	if err != nil {
		return err
	}
	_ = env.indexAllFacts(cmd.Context(), a) // for the model's filters; if it fails, they do
	req.Messages, req.Retry = []agent.Message{{Role: agent.User, Text: question}}, retry
	p := answerPrinter{out: env.Out, err: env.Err, json: env.JSON}
	for event, failed := range agent.Run(cmd.Context(), req) {
		if failed != nil {
			err = failed
			break
		}
		if err = p.print(event); err != nil {
			return err
		}
	}
	p.endLine()
	cut := func(hint, message string) error { return failureWith(errs.Unavailable, hint, "%s", message) }
	switch {
	case err != nil:
		return err
	case p.done.Finish == agent.Length:
		return cut("ask for less, or use a model with a higher output limit", "the answer is not complete")
	case p.done.Finish == agent.Unknown:
		return cut("ask again, or use a model server that sends a finish_reason", "the answer may not be complete")
	case p.done.Finish == agent.Template:
		return cut("check the model's chat template on its server, or use another model", "the answer is not complete")
	case p.done.Truncated:
		return cut("ask in other words, or use another model", "the answer is not complete")
	case !p.done.Evidence:
		return errNothing
	}
	return nil
}

// answerPrinter prints a run: the answer on stdout, the model's steps on stderr. A terminal gets the answer as it
// streams, a pipe or file once it is complete.
type answerPrinter struct {
	out, err *screen
	json     bool
	open     bool // the last line of the answer is incomplete
	done     agent.Done
}

func (p *answerPrinter) live() bool { return p.out.terminal && !p.json }

func (p *answerPrinter) print(event agent.Event) error {
	switch e := event.(type) {
	case agent.ToolResult:
		p.step(e)
	case agent.Notice:
		p.notice(e)
	case agent.Text:
		if p.live() {
			p.out.printf("%s", cleantext.Text(e.Text))
			p.open = !strings.HasSuffix(e.Text, "\n")
		}
	case agent.Withdrawn:
		p.withdraw(e)
	case agent.Partial:
		return p.partial(e)
	case agent.Done:
		p.done = e
		return p.answer(e)
	}
	return nil
}

// endLine ends an incomplete line of the answer before anything else is printed.
func (p *answerPrinter) endLine() {
	if p.open {
		p.out.println()
		p.open = false
	}
}

// withdraw explains the text above, because a terminal cannot take it back.
func (p *answerPrinter) withdraw(w agent.Withdrawn) {
	p.endLine()
	switch {
	case !p.live():
	case w.Reason == "thought":
		p.err.println(p.err.faint("The text above was the model's reasoning. Its answer:"))
	case w.Reason == "retry":
		p.err.println(p.err.faint("The answer above was cut off. Second attempt:"))
	}
}

// notice prints a notice on one line, as a warning unless it is about a wait.
func (p *answerPrinter) notice(n agent.Notice) {
	p.endLine()
	style := p.err.warn
	if n.Waits() {
		style = p.err.faint
	}
	p.err.println(style(cleantext.Line(n.Message)))
}

// step prints one tool call on one line.
func (p *answerPrinter) step(e agent.ToolResult) {
	if p.json {
		return
	}
	p.endLine()
	text := e.Gist
	if e.Error != nil {
		text = e.Error.Code + ": " + e.Error.Message
	}
	if e.N > 0 {
		text = fmt.Sprintf("[%d] %s", e.N, text)
	}
	line := fmt.Sprintf("%s %s %s", e.Tool, p.err.sign("→", "->"), text)
	p.err.println(p.err.faint(p.err.line(line, p.err.width)))
}

// partial prints what there is of an answer that failed. A terminal already shows the text, unless it is a report.
func (p *answerPrinter) partial(e agent.Partial) error {
	if p.json {
		return p.out.json(map[string]agent.Partial{"partial": e})
	}
	if e.Text != "" && (e.Report || !p.live()) {
		p.endLine()
		p.out.println(cleantext.Text(e.Text))
	}
	p.endLine()
	if e.Text != "" && !e.Report {
		p.out.println("\n" + p.out.warn("The answer breaks off here."))
	}
	p.sources(e.Citations)
	return nil
}

// answer prints the rest of the answer: whether it was cut, its sources, and how many citations were removed.
func (p *answerPrinter) answer(d agent.Done) error {
	if p.json {
		return p.out.json(d)
	}
	if !p.live() {
		p.out.printf("%s", cleantext.Text(strings.TrimRight(d.Answer, "\n")))
		p.open = true
	}
	p.endLine()
	if d.Truncated {
		p.out.println("\n" + p.out.warn(d.Finish.Explain()))
	}
	p.sources(slices.Concat(d.Citations, d.Sources)) // one of them is empty
	if len(d.Removed) > 0 {
		p.err.println(p.err.warn("Removed " + count(len(d.Removed), "citation") + " to turns it hadn't read."))
	}
	return nil
}

// sources lists the turns that an answer cites.
func (p *answerPrinter) sources(cited []agent.Citation) {
	if len(cited) > 0 {
		p.out.println()
	}
	for _, c := range cited {
		left := fmt.Sprintf("%4s  %s  ", fmt.Sprintf("[%d]", c.N), strings.TrimSpace(day(c.Time)))
		right := "  " + c.TurnID[:min(shortID, len(c.TurnID))]
		p.out.println(left + p.out.line(c.Title, p.out.width-len(left)-len(right)) + p.out.faint(right))
	}
}

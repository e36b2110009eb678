package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lens/internal/boot"
)

// summarizing is the flags of what is summed up.
type summarizing struct {
	yes, estimate bool
	longer, limit int
}

func (s *session) summarizeCommand() *cobra.Command {
	var f summarizing
	cmd := &cobra.Command{
		Use:   "summarize",
		Short: "Have a chat model sum up long turns",
		Long: `Sends the long turns that have no summary to the chat model that is set up, and keeps a few sentences of each: lists, the chat and search by meaning go by them.

It says how much that is and where it goes, and asks before the first byte leaves this machine. It resumes where it stopped. Summaries that came with an export are never touched. Turns that had a vector get a new one, when the model that made it is built in or set up.`,
		Example: `  lens summarize --estimate
  lens summarize --limit 100 --yes`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.summarize(cmd, f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.yes, "yes", false, "sum up without asking")
	flags.BoolVar(&f.estimate, "estimate", false, "say what it would take, and stop")
	flags.IntVar(&f.longer, "longer", 4000, "characters of a reply beyond which a turn is long")
	flags.IntVar(&f.limit, "limit", 0, "sum up so many turns at most (default: all)")
	return cmd
}

// summarized is what a run did, as --json prints it.
type summarized struct {
	Model      string `json:"model"`
	Summarized int    `json:"summarized"`
	Failed     int    `json:"failed"`
	Pending    int    `json:"pending"`
	Embedded   int    `json:"embedded"`   // turns whose vector was made anew
	Unembedded int    `json:"unembedded"` // turns whose vector could not be
}

func (s *session) summarize(cmd *cobra.Command, f summarizing) error {
	if f.longer < 1 || f.limit < 0 {
		return usage("", "--longer and --limit take positive numbers")
	}
	l, err := s.open(cmd)
	if err != nil {
		return err
	}
	opts := boot.SummarizeOptions{Longer: f.longer, Limit: f.limit}
	e, err := l.EstimateSummaries(cmd.Context(), opts)
	switch {
	case err != nil:
		return err
	case f.estimate && s.globals.json:
		return s.out.json(e)
	case f.estimate:
		s.out.println(summariesInWords(e))
		s.out.println("Nothing was sent.")
		return nil
	case e.Turns == 0:
		return s.showSummarized(&summarized{Model: e.Model})
	}
	if err := s.maySummarize(cmd, e, f.yes); err != nil {
		return err
	}
	done, err := s.runSummarizing(cmd, l, opts)
	if err != nil {
		return err
	}
	done.Model = e.Model
	return s.showSummarized(done)
}

// maySummarize says what would go where, and asks.
func (s *session) maySummarize(cmd *cobra.Command, e boot.SummaryEstimate, yes bool) error {
	if yes && s.globals.json {
		return nil
	}
	s.err.println(summariesInWords(e))
	if yes {
		return nil
	}
	agreed, err := s.ask(cmd.Context(), "Send them?")
	if err == nil && !agreed {
		err = &refusal{code: failed, message: "nothing was sent", hint: "lens summarize asks again"}
	}
	return err
}

// runSummarizing sums up, and has vectors made anew of what was searchable by meaning.
func (s *session) runSummarizing(cmd *cobra.Command, l *boot.Lens, opts boot.SummarizeOptions) (*summarized, error) {
	ctx := cmd.Context()
	if _, err := l.KeepUp(ctx); err != nil { // new vectors are to be like those that are searched
		return nil, err
	}
	before, err := l.Searched(ctx)
	if err != nil {
		return nil, err
	}
	g := &gauge{screen: s.err, title: "summarizing"}
	opts.Progress = g.tell
	report, err := l.Summarize(ctx, opts)
	g.end()
	done := &summarized{Summarized: report.Summarized, Failed: len(report.Failed), Pending: report.Pending}
	if err != nil {
		if report.Summarized > 0 {
			s.err.printf("%s summed up so far; lens summarize goes on from there.\n", count(report.Summarized, "turn"))
		}
		_, counting := s.tellLost(context.WithoutCancel(ctx), l, before)
		return nil, errors.Join(err, counting)
	}
	if done.Embedded, err = s.embedAnew(cmd, l); err != nil {
		return nil, errors.Join(&refusal{code: failed, message: "the summaries are kept, but not all of them can be found by meaning", hint: "lens embed goes on"}, err)
	}
	done.Unembedded, err = s.tellLost(ctx, l, before)
	return done, err
}

// tellLost counts the turns that cannot be found by meaning any more, and says so.
func (s *session) tellLost(ctx context.Context, l *boot.Lens, before boot.Standing) (int, error) {
	lost, err := l.Lost(ctx, before)
	if lost > 0 {
		model := before.Generation.Model
		s.err.println(s.err.warn(count(lost, "turn") + " can be found by words only until there is a new vector of " + model + ": set that model up and run lens embed."))
	}
	return lost, err
}

// embedAnew makes vectors of what has none, where the archive is searched by those of the configured model.
func (s *session) embedAnew(cmd *cobra.Command, l *boot.Lens) (int, error) {
	model, err := l.EmbeddingModel()
	if model == nil || err != nil {
		return 0, nil // tellLost says what follows
	}
	standing, err := l.Standing(cmd.Context(), false)
	if err != nil || !standing.Generation.Active || standing.Pending == 0 {
		return 0, err
	}
	report, err := s.runEmbedding(cmd, l, false)
	return report.Embedded, err
}

func (s *session) showSummarized(d *summarized) error {
	if s.globals.json {
		return s.out.json(d)
	}
	if d.Summarized+d.Failed == 0 {
		s.out.println("There is no long turn without a summary.")
		return nil
	}
	text := fmt.Sprintf("%s summed up with %s", count(d.Summarized, "turn"), d.Model)
	if d.Embedded > 0 {
		text += fmt.Sprintf(", %s embedded anew", grouped(d.Embedded))
	}
	if d.Failed > 0 {
		text += fmt.Sprintf("; %s could not be, and will be tried again by the next run", grouped(d.Failed))
	}
	s.out.println(text + ".")
	if d.Pending > 0 {
		s.out.printf("%s still without.\n", count(d.Pending, "long turn"))
	}
	return nil
}

// summariesInWords is an estimate as a person is told it.
func summariesInWords(e boot.SummaryEstimate) string {
	where := e.Server
	if where == "" {
		where = "a model on this machine"
	}
	return fmt.Sprintf("%s, %s to send and about %s to come back, to %s (%s).",
		count(e.Turns, "long turn"), count(e.Tokens, "token"), grouped(120*e.Turns), where, e.Model)
}

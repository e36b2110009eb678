package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/explain"
)

// embedding holds the flags of verbs that embed.
type embedding struct{ yes, branches, estimate bool }

func (f *embedding) addTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.yes, "yes", false, "embed without asking")
	cmd.Flags().BoolVar(&f.branches, "branches", false, "also embed abandoned branches")
}

func (s *session) embedCommand() *cobra.Command {
	var f embedding
	cmd := &cobra.Command{
		Use:   "embed",
		Short: "Make turns searchable by meaning",
		Long: unwrap(`Embeds every turn that has no vector yet, with the configured model: a built-in one or an embedding
server.

With a server, it first prints how much it would send, where, and at what price, and asks before the first byte leaves
this machine. It resumes where it stopped. Vectors of another model are kept, and searches use them until the new ones
are complete. Going back to a model whose vectors are complete costs nothing.`),
		Example: `  lens embed --estimate
  lens embed --yes`,
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := s.open(cmd)
			if err != nil {
				return err
			}
			if f.estimate {
				return s.showEstimate(cmd.Context(), l, f.branches)
			}
			done, err := s.embed(cmd, l, f)
			if done == nil {
				return err
			}
			return errors.Join(err, s.showEmbedded(done))
		},
	}
	f.addTo(cmd)
	cmd.Flags().BoolVar(&f.estimate, "estimate", false, "print the estimate and stop")
	return cmd
}

// embedded reports an embedding run, as --json prints it.
type embedded struct {
	app.Model
	Dim       int  `json:"dim"`
	Active    bool `json:"active"` // search by meaning uses this model's vectors
	Embedded  int  `json:"embedded"`
	Tokens    int  `json:"tokens"`
	Truncated int  `json:"truncated"`
	Failed    int  `json:"failed"`
	Pending   int  `json:"pending"`

	before app.Standing
}

// errDeclined is returned when the user answers no.
var errDeclined = &refusal{
	code: failed, message: "nothing was sent",
	hint: "run lens embed to be asked again; search by words works without vectors",
}

// embed embeds the turns without a vector once the user agrees, and makes the new vectors the ones that searches use.
// If the model refused some turns, it returns both the report and an error that names them.
func (s *session) embed(cmd *cobra.Command, l *app.App, f embedding) (*embedded, error) {
	before, err := l.Standing(cmd.Context(), f.branches)
	if err != nil {
		return nil, err
	}
	model, err := l.EmbeddingModel()
	if err != nil {
		return nil, err
	}
	report := &app.EmbedReport{Generation: before.Generation}
	if before.Pending > 0 {
		f.yes = f.yes || model.Builtin() // nothing is sent
		if err := s.mayEmbed(cmd.Context(), l, f); err != nil {
			return nil, err
		}
	}
	if !before.Settled() {
		if report, err = s.runEmbedding(cmd, l, f.branches); err != nil {
			return nil, err
		}
	}
	return &embedded{
		Model:     *model,
		Dim:       report.Generation.Dim,
		Active:    report.Generation.Active,
		Embedded:  report.Embedded,
		Tokens:    report.Tokens,
		Truncated: report.Truncated,
		Failed:    len(report.Failed),
		Pending:   report.Pending,
		before:    before,
	}, errors.Join(refusedTurns(report), s.indexVectors(cmd.Context(), l))
}

// indexVectors builds the vector index, also where an interrupted run left it unfinished.
func (s *session) indexVectors(ctx context.Context, l *app.App) error {
	g := &gauge{screen: s.err, title: "indexing"}
	defer g.end()
	return l.IndexVectors(ctx, g.tell)
}

func (s *session) runEmbedding(cmd *cobra.Command, l *app.App, branches bool) (*app.EmbedReport, error) {
	g := &gauge{screen: s.err, title: "embedding"}
	report, err := l.Embed(cmd.Context(), branches, g.tell)
	g.end()
	if err != nil && (report.Embedded > 0 || cmd.Context().Err() != nil) {
		s.err.printf("%s embedded so far; run lens embed to continue.\n", count(report.Embedded, "turn"))
	}
	return report, err
}

// mayEmbed prints the estimate and asks. With --yes and --json it does neither, and so saves counting the tokens.
func (s *session) mayEmbed(ctx context.Context, l *app.App, f embedding) error {
	if f.yes && s.globals.json {
		return nil
	}
	e, err := s.estimateOf(ctx, l, f.branches)
	if err != nil {
		return err
	}
	s.err.println(e.inWords())
	if f.yes {
		return nil
	}
	agreed, err := s.ask(ctx, "Send them?")
	if err == nil && !agreed {
		err = errDeclined
	}
	return err
}

func (s *session) showEmbedded(e *embedded) error {
	switch {
	case s.globals.json:
		return s.out.json(e)
	case e.before.Pending > 0:
		s.out.printf("%s embedded with %s, %s.\n", count(e.Embedded, "turn"), e.Name, count(e.Tokens, "token"))
	case e.before.Generation.ID == 0:
		s.out.println("There are no turns to embed.")
	case e.before.Generation.Active || !e.Active:
		s.out.printf("Every turn already has a vector of %s.\n", e.Name)
	default:
		s.out.printf("Every turn already has a vector of %s. Switched: search by meaning now uses them.\n", e.Name)
	}
	return nil
}

// refusedTurns returns the error that says which turns the model refused; nil when it refused none.
func refusedTurns(r *app.EmbedReport) error {
	if len(r.Failed) == 0 {
		return nil
	}
	first := r.Failed[0]
	reason := "refused"
	if failures := explain.Error(first.Err); len(failures) > 0 && failures[0].Message != "" {
		reason = failures[0].Message
	}
	hint := "run lens embed to try them again; all other turns are searchable"
	if !r.Generation.Active {
		hint = "run lens embed to try them again; until then, searches use the previous vectors"
	}
	message := fmt.Sprintf("cannot embed %s; the first is %s: %s", count(len(r.Failed), "turn"), first.Turn, reason)
	return &refusal{code: failed, message: message, hint: hint}
}

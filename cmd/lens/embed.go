package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"lens/internal/boot"
)

// embedding is the flags of what goes to a model.
type embedding struct{ yes, branches, estimate bool }

func (f *embedding) addTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.yes, "yes", false, "embed without asking")
	cmd.Flags().BoolVar(&f.branches, "branches", false, "also embed turns that were edited away or retried")
}

func (s *session) embedCommand() *cobra.Command {
	var f embedding
	cmd := &cobra.Command{
		Use:   "embed",
		Short: "Make turns searchable by meaning",
		Long: `Gives a vector to every turn that has none yet, by the embedding model that is set up: a built-in one or a server.

Where that is a server it says how much that is, what it costs and where it goes, and asks before the first byte leaves this machine. It resumes where it stopped. Vectors of another model are kept, and searched by until the new ones are all there; going back to a model whose vectors are all there costs nothing.`,
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
	cmd.Flags().BoolVar(&f.estimate, "estimate", false, "say what it would take, and stop")
	return cmd
}

// embedded is what an embedding run did, as --json prints it.
type embedded struct {
	boot.Model
	Dim       int  `json:"dim"`
	Active    bool `json:"active"` // search by meaning goes by this model's vectors
	Embedded  int  `json:"embedded"`
	Tokens    int  `json:"tokens"`
	Truncated int  `json:"truncated"`
	Failed    int  `json:"failed"`
	Pending   int  `json:"pending"`

	before boot.Standing
}

// errDeclined is the answer no.
var errDeclined = &refusal{code: failed, message: "nothing was sent", hint: "keyword search works without; lens embed asks again"}

// embed gives vectors to the turns that have none, when somebody says yes, and makes them those that are searched. What it did comes
// beside an error that says which turns were refused.
func (s *session) embed(cmd *cobra.Command, l *boot.Lens, f embedding) (*embedded, error) {
	before, err := l.Standing(cmd.Context(), f.branches)
	if err != nil {
		return nil, err
	}
	model, err := l.EmbeddingModel()
	if err != nil {
		return nil, err
	}
	report := &boot.EmbedReport{Generation: before.Generation}
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
		Model: *model, Dim: report.Generation.Dim, Active: report.Generation.Active, Embedded: report.Embedded, Tokens: report.Tokens,
		Truncated: report.Truncated, Failed: len(report.Failed), Pending: report.Pending, before: before,
	}, errors.Join(refusedTurns(report), s.indexVectors(cmd.Context(), l))
}

// indexVectors also goes on where an earlier run was interrupted.
func (s *session) indexVectors(ctx context.Context, l *boot.Lens) error {
	g := &gauge{screen: s.err, title: "indexing"}
	defer g.end()
	return l.IndexVectors(ctx, g.tell)
}

func (s *session) runEmbedding(cmd *cobra.Command, l *boot.Lens, branches bool) (*boot.EmbedReport, error) {
	g := &gauge{screen: s.err, title: "embedding"}
	report, err := l.Embed(cmd.Context(), branches, g.tell)
	g.end()
	if err != nil && (report.Embedded > 0 || cmd.Context().Err() != nil) {
		s.err.printf("%s embedded so far; lens embed goes on from there.\n", count(report.Embedded, "turn"))
	}
	return report, err
}

// mayEmbed says what would go where, and asks. Where the answer and the document are given beforehand, nothing needs to be counted.
func (s *session) mayEmbed(ctx context.Context, l *boot.Lens, f embedding) error {
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
		s.out.println("There is no turn that could have a vector.")
	case e.before.Generation.Active || !e.Active:
		s.out.printf("Every turn has a vector of %s already.\n", e.Name)
	default:
		s.out.printf("Every turn has a vector of %s already. Switched: search by meaning goes by them from now on.\n", e.Name)
	}
	return nil
}

// refusedTurns returns the error that says which turns the model refused; nil when it refused none.
func refusedTurns(r *boot.EmbedReport) error {
	if len(r.Failed) == 0 {
		return nil
	}
	first := r.Failed[0]
	reason := "refused"
	if told := boot.Explain(first.Err); len(told) > 0 && told[0].Message != "" {
		reason = told[0].Message
	}
	hint := "lens embed tries them again; all others are searchable"
	if !r.Generation.Active {
		hint = "lens embed tries them again; until then, search goes by what was there before"
	}
	return &refusal{
		code: failed, message: fmt.Sprintf("%s could not be embedded; the first is %s: %s", count(len(r.Failed), "turn"), first.Turn, reason), hint: hint,
	}
}

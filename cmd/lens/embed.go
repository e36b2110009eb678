package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"lens/cmd/internal/app"
	"lens/cmd/internal/explain"
	"lens/cmd/internal/models"
)

// embedding holds the flags of verbs that embed.
type embedding struct{ yes, branches, estimate bool }

func (f *embedding) addTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.yes, "yes", false, "embed without asking")
	cmd.Flags().BoolVar(&f.branches, "branches", false, "also embed abandoned branches")
}

func newEmbedCmd(env *Env) *cobra.Command {
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := env.Open(cmd)
			if err != nil {
				return err
			}
			if f.estimate {
				return printEstimate(cmd.Context(), env, l, f.branches)
			}
			done, err := embedTurns(cmd, env, l, f)
			if done == nil {
				return err
			}
			return errors.Join(err, printEmbedded(env, done))
		},
	}
	f.addTo(cmd)
	cmd.Flags().BoolVar(&f.estimate, "estimate", false, "print the estimate and stop")
	return cmd
}

// embedded reports an embedding run, as --json prints it.
type embedded struct {
	models.Model
	Dim       int  `json:"dim"`
	Active    bool `json:"active"` // search by meaning uses this model's vectors
	Embedded  int  `json:"embedded"`
	Tokens    int  `json:"tokens"`
	Truncated int  `json:"truncated"`
	Failed    int  `json:"failed"`
	Pending   int  `json:"pending"`

	before models.Coverage
}

// errDeclined is returned when the user answers no.
var errDeclined = failure("run lens embed to be asked again; search by words works without vectors",
	"nothing was sent")

// embedTurns embeds the turns without a vector once the user agrees, and makes the new vectors the ones that searches use.
// If the model refused some turns, it returns both the report and an error that names them.
func embedTurns(cmd *cobra.Command, env *Env, l *app.App, f embedding) (*embedded, error) {
	before, err := l.Embedding.Coverage(cmd.Context(), f.branches)
	if err != nil {
		return nil, err
	}
	model, err := l.Models.Configured()
	if err != nil {
		return nil, err
	}
	report := &models.EmbedReport{Generation: before.Generation}
	if before.Pending > 0 {
		f.yes = f.yes || model.Builtin() // nothing is sent
		if err := confirmEmbedding(cmd.Context(), env, l, f); err != nil {
			return nil, err
		}
	}
	if !before.Complete() {
		if report, err = runEmbedding(cmd, env, l, f.branches); err != nil {
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
	}, errors.Join(refusedTurns(report), indexVectors(cmd.Context(), env, l))
}

// indexVectors builds the vector index, also where an interrupted run left it unfinished.
func indexVectors(ctx context.Context, env *Env, l *app.App) error {
	g := &gauge{screen: env.Err, title: "indexing"}
	defer g.end()
	return l.Embedding.Index(ctx, g.tell)
}

func runEmbedding(cmd *cobra.Command, env *Env, l *app.App, branches bool) (*models.EmbedReport, error) {
	g := &gauge{screen: env.Err, title: "embedding"}
	report, err := l.Embedding.Run(cmd.Context(), branches, g.tell)
	g.end()
	if err != nil && (report.Embedded > 0 || cmd.Context().Err() != nil) {
		env.Err.printf("%s embedded so far; run lens embed to continue.\n", count(report.Embedded, "turn"))
	}
	return report, err
}

// confirmEmbedding prints the estimate and asks. With --yes and --json it does neither, and so saves counting the tokens.
func confirmEmbedding(ctx context.Context, env *Env, l *app.App, f embedding) error {
	if f.yes && env.JSON {
		return nil
	}
	e, err := countTokens(ctx, env, l, f.branches)
	if err != nil {
		return err
	}
	env.Err.println(e.inWords())
	if f.yes {
		return nil
	}
	agreed, err := env.Prompt.confirm(ctx, "Send them?")
	if err == nil && !agreed {
		err = errDeclined
	}
	return err
}

func printEmbedded(env *Env, e *embedded) error {
	switch {
	case env.JSON:
		return env.Out.json(e)
	case e.before.Pending > 0:
		env.Out.printf("%s embedded with %s, %s.\n", count(e.Embedded, "turn"), e.Name, count(e.Tokens, "token"))
	case e.before.Generation.ID == 0:
		env.Out.println("There are no turns to embed.")
	case e.before.Generation.Active || !e.Active:
		env.Out.printf("Every turn already has a vector of %s.\n", e.Name)
	default:
		env.Out.printf("Every turn already has a vector of %s. Switched: search by meaning now uses them.\n", e.Name)
	}
	return nil
}

// refusedTurns returns the error that says which turns the model refused; nil when it refused none.
func refusedTurns(r *models.EmbedReport) error {
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
	return failure(hint, "cannot embed %s; the first is %s: %s", count(len(r.Failed), "turn"), first.Turn, reason)
}

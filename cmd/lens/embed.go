package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lens/cmd/internal/models"
)

// embedFlags holds the flags of verbs that embed.
type embedFlags struct{ yes, branches, estimate bool }

func (f *embedFlags) addTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.yes, "yes", false, "embed without asking")
	cmd.Flags().BoolVar(&f.branches, "branches", false, "also embed abandoned branches")
}

func newEmbedCmd(env *Env) *cobra.Command {
	var f embedFlags
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
		RunE: func(cmd *cobra.Command, _ []string) error { return runEmbed(cmd, env, f) },
	}
	f.addTo(cmd)
	cmd.Flags().BoolVar(&f.estimate, "estimate", false, "print the estimate and stop")
	return cmd
}

func runEmbed(cmd *cobra.Command, env *Env, f embedFlags) error {
	a, err := env.Open(cmd)
	if err != nil {
		return err
	}
	e := &embedder{env: env, app: a, flags: f}
	if f.estimate {
		estimate, err := e.estimate(cmd.Context())
		if err != nil {
			return err
		}
		return env.Print(estimate, func() { env.Out.printf("%s\nNothing was sent.\n", estimate) })
	}
	done, err := e.embed(cmd.Context())
	if done == nil {
		return err
	}
	return errors.Join(err, printEmbedded(env, done))
}

// embedded reports an embedding run, as --json prints it.
type embedded struct {
	models.Model
	Dim       int  `json:"dim"`
	Active    bool `json:"active"` // search by meaning uses this model's vectors
	Embedded  int  `json:"embedded"`
	Reused    int  `json:"reused"` // of those, the turns with the text of another one
	Tokens    int  `json:"tokens"`
	Truncated int  `json:"truncated"`
	Failed    int  `json:"failed"`
	Pending   int  `json:"pending"`

	before models.Coverage
}

func printEmbedded(env *Env, e *embedded) error {
	return env.Print(e, func() {
		switch {
		case e.before.Pending > 0:
			env.Out.printf("%s embedded with %s, %s.%s\n",
				count(e.Embedded, "turn"), e.Name, count(e.Tokens, "token"), reused(e.Reused))
		case e.before.Generation.ID == 0:
			env.Out.println("There are no turns to embed.")
		case e.before.Generation.Active || !e.Active:
			env.Out.printf("Every turn already has a vector of %s.\n", e.Name)
		default:
			env.Out.printf("Every turn already has a vector of %s. Switched: search by meaning now uses them.\n", e.Name)
		}
	})
}

// reused says of how many turns the text was embedded for another one, "" for none.
func reused(turns int) string {
	switch turns {
	case 0:
		return ""
	case 1:
		return " 1 of them has the text of another turn and cost nothing."
	}
	return " " + grouped(turns) + " of them have the text of another turn and cost nothing."
}

// embedEstimate says what embedding would send and cost, as --json prints it.
type embedEstimate struct {
	models.Model
	Turns     int      `json:"turns"`
	Texts     int      `json:"texts"` // to embed; fewer than turns if some have the same text
	Tokens    int      `json:"tokens"`
	Exact     bool     `json:"exact"` // counted with the model's own tokenizer
	Truncated int      `json:"truncated"`
	Requests  int      `json:"requests"`
	USD       *float64 `json:"usd"`     // null: the price is unknown
	Seconds   *float64 `json:"seconds"` // null: unknown
}

// String describes an estimate to a person. It leaves out what is unknown.
func (e *embedEstimate) String() string {
	facts := []string{count(e.Turns, "turn")}
	if e.Texts < e.Turns {
		facts = append(facts, count(e.Texts, "text")+" to embed")
	}
	switch {
	case e.Exact:
		facts = append(facts, count(e.Tokens, "token"))
	case e.Tokens > 0:
		facts = append(facts, "about "+count(rounded(e.Tokens), "token"))
	}
	where := "to " + e.Server + " (" + e.Name + ")"
	switch {
	case e.Builtin():
		where = "with " + e.Name + ", on this machine"
	case e.Server == "":
		where = "to a model on this machine (" + e.Name + ")"
		facts = append(facts, "no cost")
	case e.USD == nil:
		facts = append(facts, "price unknown")
	default:
		facts = append(facts, dollars(*e.USD))
	}
	text := strings.Join(facts, ", ")
	if e.Seconds != nil {
		text += ": " + roughly(time.Duration(*e.Seconds*float64(time.Second))) + " " + where + "."
	} else {
		text += ", " + where + "."
	}
	if e.Truncated > 0 {
		text += " " + areLong(e.Truncated) + " longer than the model's limit and will be truncated."
	}
	return text
}

// roughly is about, with the word "about" before a number.
func roughly(d time.Duration) string {
	if d < 10*time.Second {
		return about(d)
	}
	return "about " + about(d)
}

// rounded keeps the two leading digits of an estimated number.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

func areLong(n int) string {
	if n == 1 {
		return "1 text is"
	}
	return grouped(n) + " texts are"
}

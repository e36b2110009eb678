package main

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"lens/internal/cleantext"
	"lens/retrieval"
	"lens/retrieval/query"
)

func newTurnCmd(env *Env) *cobra.Command {
	embedded := false
	cmd := &cobra.Command{
		Use:   "turn ID",
		Short: "Read one turn in full",
		Long: unwrap(`Prints one turn in full. ID may be a prefix, as long as it is unique.

With --embedded, it also prints the exact text that the turn's vector was made of.`),
		Example: `  lens turn 3f2ab81c
  lens turn 3f2ab81c --embedded`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return usageOf(retrieval.CheckTurnID(args[0]))
			}
			return usage("run lens peek QUERY to list IDs", "lens turn takes one ID")
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runTurn(cmd, env, args[0], embedded) },
	}
	cmd.Flags().BoolVar(&embedded, "embedded", false, "also print the text that was embedded")
	return cmd
}

func runTurn(cmd *cobra.Command, env *Env, prefix string, embedded bool) error {
	a, engine, err := env.Engine(cmd, query.Auto)
	if err != nil {
		return err
	}
	read := engine.Turn
	if embedded {
		read = engine.EmbeddedTurn
		_ = env.fillTexts(cmd.Context(), a) // if it fails, the text may be unknown
	}
	t, err := read(cmd.Context(), prefix)
	if err != nil {
		return err
	}
	return env.Print(t, func() {
		printTurn(env.Out, t)
		if embedded {
			printEmbedding(env.Out, t)
		}
	})
}

// printEmbedding prints what the vector of a turn was made of.
func printEmbedding(out *screen, t *retrieval.Turn) {
	e := t.Embedding
	if e == nil {
		out.println()
		out.println(out.faint("no vector"))
		return
	}
	if t.ContentUsed != nil {
		printMessage(out, "Embedded text", *t.ContentUsed)
	}
	out.println()
	if t.ContentUsed == nil {
		out.println(out.faint("embedded by an older Lens: only the hash of the text is known"))
	}
	from := "reply"
	if e.UsedSummary {
		from = "summary"
	}
	out.println(out.faint(fmt.Sprintf("%-12s  %s", "hash", e.ContentHash)))
	out.println(out.faint(fmt.Sprintf("%-12s  %s", "made of", "user and "+from)))
	generation := fmt.Sprintf("%s, %d dimensions, recipe %d", cleantext.Line(e.Provider+" "+e.Model), e.Dim, e.Recipe)
	out.println(out.faint(fmt.Sprintf("%-12s  %s", "model", generation)))
	if e.Prefix != "" {
		out.println(out.faint(fmt.Sprintf("%-12s  %q", "prefix", e.Prefix)))
	}
}

// printTurn prints a turn for people: who said what, then the IDs of the turn, its conversation and its neighbors.
func printTurn(out *screen, t *retrieval.Turn) {
	out.println(out.bold(cleantext.Line(partTitle(out, t.Chunk, t.Title))))
	out.println(out.faint(out.list(turnFacts(t)...)))
	if t.Chunk == nil {
		printMessage(out, "You", t.User)
		printMessage(out, "Assistant", t.Assistant)
	} else {
		printChunk(out, t)
	}
	if t.Summary != "" {
		printMessage(out, "Summary", t.Summary)
	}
	out.println()
	var origin retrieval.Origin
	if t.Chunk != nil && t.Chunk.Origin != nil {
		origin = *t.Chunk.Origin
	}
	for _, id := range []struct {
		name string
		id   *uuid.UUID
	}{
		{"turn", &t.TurnID},
		{"conversation", &t.Conversation},
		{"of the turn", origin.Turn},
		{"before", t.Prev},
		{"after", t.Next},
	} {
		if id.id != nil {
			out.println(out.faint(fmt.Sprintf("%-12s  %s", id.name, id.id)))
		}
	}
	printOtherAnswers(out, t)
}

// printOtherAnswers names the turns with other answers to the question of a turn.
func printOtherAnswers(out *screen, t *retrieval.Turn) {
	var others []string
	for _, a := range t.Answers {
		if a.TurnID != t.TurnID {
			others = append(others, a.TurnID.String())
		}
	}
	if len(others) > 0 {
		out.println(out.faint(count(len(others), "other answer") + ":"))
	}
	for _, id := range others {
		out.println(out.faint("  " + id))
	}
}

// printChunk prints a chunk of a document: its place in the file, its metadata and its text.
func printChunk(out *screen, t *retrieval.Turn) {
	c := t.Chunk
	for _, line := range []string{cleantext.Line(c.Path) + pages(c.Pages), cleantext.Line(string(c.Meta))} {
		if line != "" {
			out.println(out.faint(line))
		}
	}
	if t.User != "" {
		out.println()
		out.println(out.bold(cleantext.Line(t.User)))
	}
	out.println()
	out.println(strings.TrimRight(cleantext.Text(t.Assistant), "\n"))
}

func printMessage(out *screen, who, text string) {
	out.println()
	out.println(out.bold(who))
	if text == "" {
		out.println(out.faint("(no text)"))
		return
	}
	out.println(strings.TrimRight(cleantext.Text(text), "\n"))
}

// turnFacts returns when, where and with which model the turn was written.
func turnFacts(t *retrieval.Turn) []string {
	when := "undated"
	if t.Time != nil {
		when = moment(*t.Time)
		if t.TimeSource != retrieval.FromMessage {
			when += " (time of the " + string(t.TimeSource) + ")"
		}
	}
	all := []string{when, t.Source}
	if t.Model != "" {
		all = append(all, cleantext.Line(t.Model))
	}
	if i, of := t.Answer(); of > 0 {
		all = append(all, fmt.Sprintf("answer %d of %d", i+1, of))
	}
	if t.OnPath {
		all = append(all, fmt.Sprintf("turn %s of %s", grouped(t.Position+1), grouped(t.Turns)))
	} else {
		all = append(all, "on a branch")
	}
	return all
}
